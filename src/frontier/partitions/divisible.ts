// The number of partitions into which a crawl's frontier may be divided. The number is decided when the crawl begins.
import { InvalidInput } from '../../core/errors.ts'
import type { FrontierOptions } from '../engine/frontier-options.ts'

type Divided = Pick<FrontierOptions, 'job' | 'scorer'>

/**
 * Why a crawl must stay in one partition; null if it can be divided. A limited buffer compares everything that
 * waits, and a ranking needs the whole graph.
 */
export function whyUndivided({ job, scorer }: Divided): string | null {
  const { buffer, ordering } = job.settings
  if (buffer !== null) return '--buffer'
  return scorer.ranking === undefined ? null : `--ordering ${ordering}`
}

/** A later run may have settings that its divided frontier does not allow. */
export function refuseUndivided(options: Divided, partitions: number): void {
  const why = partitions === 1 ? null : whyUndivided(options)
  if (why === null) return
  const text =
    `the frontier of crawl ${options.job.id} is divided into ${partitions} partitions, which does not go ` +
    `with ${why}: change the settings back, or use --fresh`
  throw new InvalidInput(why, text)
}
