// What `jelajah crawl --refresh` takes beside what says which crawl: how it gets to the pages may
// differ from the crawl it refreshes, what it is about may not.
import type { CrawlSettings } from '../../core/job.ts'
import type { Problems } from '../../options/bad-options.ts'
import { flag, type Option } from '../../options/option.ts'
import type { CrawlOption } from '../../options/options.ts'
import { userAgentFor } from '../../options/values.ts'
import type { Args } from '../args.ts'
import { CRAWL } from '../common-options.ts'
import { readOptions, type Sources } from '../sources.ts'

export type RefreshRequest = {
  /** Only pages whose time has come. */
  readonly due: boolean
  /** By number or name; null: by the name or the seeds that were given, or the newest. */
  readonly crawl: string | null
  /** What this run does otherwise than the crawl did. */
  readonly changes: Partial<CrawlSettings>
}

export type RefreshFlags = {
  readonly refresh: boolean
  readonly due: boolean
  readonly crawl: string
}

export const REFRESH_OPTIONS: readonly Option<RefreshFlags>[] = [
  flag({
    name: 'refresh',
    help: 'look again at the pages of a finished crawl: what changed, what is gone, what is new',
  }),
  flag({
    name: 'due',
    help: 'with --refresh: only pages that have changed by now, going by how often they did',
  }),
  {
    ...CRAWL,
    default: 'by name or seeds, else the newest',
    help: 'with --refresh: which crawl, by number (3 or crawl_3) or name',
  },
]

/** Null when nothing is to be refreshed. */
export function readRefresh(
  flags: Partial<RefreshFlags>,
  { options, sources }: { options: readonly CrawlOption[]; sources: Sources },
  problems: Problems,
): RefreshRequest | null {
  const { args } = sources
  if (flags.refresh !== true) {
    refuse(args, ['due', 'crawl'], 'is for --refresh', problems)
    return null
  }
  refuse(args, ['fresh'], 'starts a new crawl, --refresh looks again at an old one', problems)
  if (args.words.length > 0)
    refuse(args, ['crawl'], 'names the crawl; leave the seeds out', problems)
  const mayChange = (option: CrawlOption) => option.mayChange.includes('refresh')
  const fixed = options.filter((option) => !mayChange(option)).map(({ name }) => name)
  const kept = 'is as the crawl began; to change it, start a new one: --fresh in place of --refresh'
  refuse(args, fixed, kept, problems)
  // Plug-ins are those of the crawl; naming them allows their code to run.
  const {
    contact,
    plugins: _,
    ...changes
  } = readOptions(options.filter(mayChange), sources, problems)
  const named = contact === undefined ? {} : { userAgent: userAgentFor(contact) }
  const { due = false, crawl = null } = flags
  return { due, crawl, changes: { ...named, ...changes } }
}

function refuse(args: Args, names: readonly string[], why: string, problems: Problems): void {
  for (const name of names) {
    const given = args.given.get(name)
    if (given !== undefined) problems.add('flag', given.at, why)
  }
}
