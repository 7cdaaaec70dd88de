// `jelajah rank`: argv into which pages or hosts are ranked, and by what.

import type { WorkspaceChoice } from '../core/workspace-url.ts'
import { Problems } from '../options/bad-options.ts'
import { choice, flag, number, type Option } from '../options/option.ts'
import { RANKED_BY, type RankedBy } from '../reads/rank-rows.ts'
import { parseArgs, refuseWords } from './args.ts'
import { CRAWL, HOST, JSON_OUTPUT, QUIET } from './common-options.ts'
import { readOptions, readSources, type Surroundings } from './sources.ts'
import { readWorkspace, STORE_OPTIONS, WORKSPACE_KEYS } from './workspace-options.ts'

export type RankOptions = WorkspaceChoice & {
  readonly json: boolean
  /** Null: the newest. */
  readonly crawl: string | null
  readonly host: string | null
  /** Hosts instead of pages. */
  readonly hosts: boolean
  readonly by: RankedBy
  readonly top: number
  /** As computed when the crawl ended, instead of now. */
  readonly kept: boolean
  readonly quiet: boolean
}

const DEFAULT_TOP = 20

export const RANK_OPTIONS: readonly Option<RankOptions & { readonly crawl: string }>[] = [
  ...STORE_OPTIONS,
  CRAWL,
  number({
    name: 'top',
    aliases: ['limit'],
    min: 1,
    default: String(DEFAULT_TOP),
    help: 'the best N',
    to: (top) => ({ top }),
  }),
  choice({
    name: 'by',
    choices: RANKED_BY,
    default: 'pagerank',
    help:
      'best by what: PageRank, links from other pages, importance as the crawl weighs it, or ' +
      'links to other pages; hosts have no importance',
    to: (by) => ({ by }),
  }),
  HOST,
  flag({ name: 'hosts', help: 'hosts instead of pages', to: (hosts) => ({ hosts }) }),
  flag({
    name: 'kept',
    help: 'as computed when the crawl ended: at once, but without links out',
    to: (kept) => ({ kept }),
  }),
  { ...JSON_OUTPUT, help: 'one JSON object per line' },
  QUIET,
]

export function parseRank(argv: readonly string[], around: Surroundings): RankOptions {
  const problems = new Problems()
  const args = parseArgs(argv, RANK_OPTIONS, problems)
  refuseWords(args, 0, problems)
  const sources = readSources(args, around, problems)
  // The config file is written for `crawl`: of its keys only the place counts here.
  const file = new Map([...sources.file].filter(([key]) => WORKSPACE_KEYS.includes(key)))
  const chosen = readOptions(RANK_OPTIONS, { ...sources, file }, problems)
  const workspace = readWorkspace(chosen, { sources, around, problems })
  if (chosen.hosts === true && chosen.by === 'importance') {
    problems.add('flag', '--by', 'hosts have no importance; use pagerank, backlinks or out')
  }
  if (chosen.kept === true && (chosen.hosts === true || chosen.by === 'out')) {
    problems.add('flag', '--kept', 'knows no links out and no hosts; leave it away')
  }
  problems.throwIfAny()
  return {
    ...workspace,
    json: chosen.json ?? false,
    crawl: chosen.crawl ?? null,
    host: chosen.host ?? null,
    hosts: chosen.hosts ?? false,
    by: chosen.by ?? 'pagerank',
    top: chosen.top ?? DEFAULT_TOP,
    kept: chosen.kept ?? false,
    quiet: chosen.quiet ?? false,
  }
}
