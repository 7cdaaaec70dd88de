/** The made-up webs of `jelajah simulate --demo`, in display order. */
export const SAMPLE_NAMES = ['sites', 'encyclopedia', 'campus', 'news'] as const

export type SampleName = (typeof SAMPLE_NAMES)[number]
