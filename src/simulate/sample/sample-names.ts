/** The webs made up for `jelajah simulate --demo`, in the order they are shown. */
export const SAMPLE_NAMES = ['sites', 'encyclopedia', 'campus', 'news'] as const

export type SampleName = (typeof SAMPLE_NAMES)[number]
