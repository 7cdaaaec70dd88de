// The curves of a job: what the server kept, with what is seen live added to the end. Bounded: an old
// curve loses every other sample and keeps its shape.
import type { JobHistory, JobProgress, JobSummary } from '../../reads/shapes/job.ts'

const MEASURES = [
  'stored',
  'refused',
  'outside',
  'failed',
  'queued',
  'pages_per_second',
  'recent_harvest_rate',
  'scouter_rss_bytes',
  'parser_rss_bytes',
  'cpu',
] as const
export type Measure = (typeof MEASURES)[number]

export type Sample = { readonly at: number } & Readonly<Record<Measure, number | null>>

const MOST_SAMPLES = 1200
/** Closer together than this they would only be drawn over each other. */
const APART_MS = 900

export function samplesOf(history: JobHistory): readonly Sample[] {
  return history.at.map((at, index) => {
    const sample: Record<string, number | null> = {}
    for (const measure of MEASURES) sample[measure] = history[measure][index] ?? null
    return { ...emptySample, ...sample, at }
  })
}

const emptySample: Omit<Sample, 'at'> = {
  stored: null,
  refused: null,
  outside: null,
  failed: null,
  queued: null,
  pages_per_second: null,
  recent_harvest_rate: null,
  scouter_rss_bytes: null,
  parser_rss_bytes: null,
  cpu: null,
}

/** The curve with a moment more; the same curve when the moment is too close to the last or before it. */
export function extended(curve: readonly Sample[], progress: JobProgress): readonly Sample[] {
  const last = curve.at(-1)
  if (last !== undefined && progress.at < last.at + APART_MS) return curve
  const memoryOf = (role: string): number | null =>
    progress.processes.find((running) => running.role === role)?.rss_bytes ?? null
  const sample: Sample = {
    at: progress.at,
    stored: progress.stored,
    refused: progress.refused,
    outside: progress.outside,
    failed: progress.failed,
    queued: progress.queued,
    pages_per_second: progress.pages_per_second,
    recent_harvest_rate: progress.recent_harvest_rate,
    scouter_rss_bytes: memoryOf('scouter'),
    parser_rss_bytes: memoryOf('parser'),
    cpu: progress.processes.reduce(
      (sum, { role, cpu }) => (role === 'server' ? sum : sum + cpu),
      0,
    ),
  }
  return thinned([...curve, sample])
}

/** The curve of a job at rest ends with what came out: the last sample was taken a moment before. */
export function finished(
  curve: readonly Sample[],
  { ended_at, stored, refused, outside, failed, queued }: JobSummary,
): readonly Sample[] {
  const last = curve.at(-1)
  if (last === undefined || ended_at === null || ended_at <= last.at) return curve
  return [...curve, { ...last, at: ended_at, stored, refused, outside, failed, queued }]
}

function thinned(curve: readonly Sample[]): readonly Sample[] {
  if (curve.length <= MOST_SAMPLES) return curve
  return curve.filter((_, index) => index % 2 === 0 || index === curve.length - 1)
}
