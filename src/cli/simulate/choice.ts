// What of a file of topics can be used: a bad URL, or a topic of which nothing is left, is named and left
// out, and the others run.
import { InvalidInput, shown } from '../../core/errors.ts'
import type { CanonicalUrl } from '../../core/url.ts'
import type { ReplayWorld } from '../../simulate/replay-world.ts'
import type { TopicEntry } from '../../simulate/topics-file.ts'
import type { FoundExamples } from './topics.ts'

const REASONS_SHOWN = 5
const URLS_SHOWN = 3

/** Of a file of many topics, one that cannot be used is named and left out; the only one must be right. */
export class TopicChoice {
  readonly warnings: string[]
  readonly #isListed: boolean
  readonly #leftOut: string[] = []

  constructor(isListed: boolean, warnings: string[]) {
    this.#isListed = isListed
    this.warnings = warnings
  }

  async take(name: string, work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      if (!(this.#isListed && error instanceof InvalidInput)) throw error
      const field = ['--topics', '--seeds'].includes(error.at) ? '' : `${error.at}: `
      const why = `${name}: ${field}${error.message.replace(`${name}: `, '')}`
      this.#leftOut.push(why)
      this.warnings.push(`topic left out: ${why}`)
    }
  }

  refuseNone(file: string, left: number): void {
    if (!this.#isListed || left > 0) return
    const lines = this.#leftOut.slice(0, REASONS_SHOWN)
    const more = this.#leftOut.length - lines.length
    if (more > 0) lines.push(`and ${more} more`)
    const none = [`none of the topics in ${file} can be used`, ...lines]
    throw new InvalidInput('--topics', none.join('\n--topics: '))
  }
}

/** Seeds of the crawl are no substitute for those that were meant. */
export function refuseBadSeeds({ seeds, bad }: TopicEntry): void {
  if (seeds.length > 0 || !bad.some(({ field }) => field === 'seeds')) return
  throw new InvalidInput('--topics', 'none of its seeds is an http or https URL')
}

/** What of a topic's URLs is not used, and why. */
export function noteBad(
  { id, bad, seeds }: TopicEntry,
  world: ReplayWorld,
  { found, warnings }: { readonly found: FoundExamples; readonly warnings: string[] },
): void {
  const written = bad.map(({ field, given }) => `${shown(given)} in ${field}`)
  note(`${id}: addresses that are no http or https URLs`, written, warnings)
  note(`${id}: examples that are no pages of this crawl`, found.lost, warnings)
  noteStrays(id, seeds, { world, warnings })
}

/** Seeds that no replay can start from. */
export function noteStrays(
  name: string,
  seeds: readonly CanonicalUrl[],
  { world, warnings }: { readonly world: ReplayWorld; readonly warnings: string[] },
): void {
  const strays = seeds.filter((url) => !isPage(world, url))
  note(`${name}: seeds that are no pages of this crawl`, strays, warnings)
}

function note(what: string, urls: readonly string[], warnings: string[]): void {
  if (urls.length === 0) return
  const some = urls.slice(0, URLS_SHOWN).join(', ')
  const more = urls.length > URLS_SHOWN ? `, and ${urls.length - URLS_SHOWN} more` : ''
  warnings.push(`${what} are left out (${urls.length}): ${some}${more}`)
}

export function isPage(world: ReplayWorld, url: CanonicalUrl): boolean {
  const page = world.find(url)
  return page !== undefined && page < world.alive
}
