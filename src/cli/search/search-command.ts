// `jelajah search`: argv into what is looked for, in what, and how it is shown.
import { InvalidInput } from '../../core/errors.ts'
import type { PageKind } from '../../core/page.ts'
import type { Field } from '../../core/search-field.ts'
import type { WorkspaceChoice } from '../../core/workspace-url.ts'
import { Problems } from '../../options/bad-options.ts'
import { flag, number, type Option, text } from '../../options/option.ts'
import { COLUMN_NAMES, searchColumns } from '../../options/search-columns.ts'
import { parseArgs } from '../args.ts'
import { CRAWL, HOST, JSON_OUTPUT, QUIET } from '../common-options.ts'
import { HOT, KIND, LANGUAGE, SINCE, TOPIC } from '../filter-options.ts'
import { readOptions, readSources, type Surroundings } from '../sources.ts'
import { readWorkspace, STORE_OPTIONS, WORKSPACE_KEYS } from '../workspace-options.ts'

type Choices = WorkspaceChoice & {
  readonly json: boolean
  readonly quiet: boolean
  /** As it was written. */
  readonly crawl: string
  readonly columns: readonly Field[]
  readonly host: string
  readonly language: string
  readonly kind: PageKind
  readonly topic: string
  readonly hot: boolean
  /** As it was written. */
  readonly since: string
  readonly limit: number
  readonly offset: number
  readonly all: boolean
  readonly exact: boolean
  readonly rankWeight: number
}

/** What is absent was not asked for. */
export type SearchCommand = Partial<Choices> &
  Pick<WorkspaceChoice, 'dataDir'> & {
    readonly query: string
    readonly limit: number
    readonly offset: number
  }

const DEFAULT_LIMIT = 10
const MAX_LIMIT = 1000
/** As over HTTP: nobody reads so far. */
const MAX_OFFSET = 10_000
/** More leaves nothing of the words. */
const MAX_RANK_WEIGHT = 10

export const SEARCH_OPTIONS: readonly Option<Choices>[] = [
  ...STORE_OPTIONS,
  number({
    name: 'limit',
    min: 1,
    max: MAX_LIMIT,
    default: String(DEFAULT_LIMIT),
    help: 'at most N hits',
    to: (limit) => ({ limit }),
  }),
  number({
    name: 'offset',
    min: 0,
    max: MAX_OFFSET,
    help: 'pass over the first N hits',
    to: (offset) => ({ offset }),
  }),
  flag({
    name: 'all',
    help: 'near-duplicates, and the same URL in several crawls, as hits of their own',
    to: (all) => ({ all }),
  }),
  flag({
    name: 'exact',
    help: 'only the words as they are: no other forms of them',
    to: (exact) => ({ exact }),
  }),
  number({
    name: 'rank-weight',
    value: 'X',
    min: 0,
    max: MAX_RANK_WEIGHT,
    fraction: true,
    help: 'what the links to a page weigh beside its words; 0: nothing; 0.1 unless given',
    to: (rankWeight) => ({ rankWeight }),
  }),
  JSON_OUTPUT,
  QUIET,
]

export const SEARCH_FILTER_OPTIONS: readonly Option<Choices>[] = [
  text({
    name: 'columns',
    value: 'A,B',
    default: 'all',
    help: `look for words only in these: ${COLUMN_NAMES.join(', ')}`,
    to: (columns) => ({ columns: searchColumns(columns, '--columns') }),
  }),
  { ...CRAWL, default: 'all of them' },
  HOST,
  LANGUAGE,
  KIND,
  TOPIC,
  { ...HOT, help: `${HOT.help}; --no-hot: only the others` },
  SINCE,
]

export function parseSearch(argv: readonly string[], around: Surroundings): SearchCommand {
  const options = [...SEARCH_OPTIONS, ...SEARCH_FILTER_OPTIONS]
  const problems = new Problems()
  const args = parseArgs(argv, options, problems, { dashWords: true })
  const sources = readSources(args, around, problems)
  // The config file is written for `crawl`: of its keys only the place counts here.
  const file = new Map([...sources.file].filter(([key]) => WORKSPACE_KEYS.includes(key)))
  const chosen = readOptions(options, { ...sources, file }, problems)
  const workspace = readWorkspace(chosen, { sources, around, problems })
  const query = args.words.join(' ').trim()
  if (query === '') {
    problems.try('flag', () => {
      throw new InvalidInput('search', 'give what to look for, such as jelajah search green tea')
    })
  }
  problems.throwIfAny()
  return { limit: DEFAULT_LIMIT, offset: 0, ...withoutPlace(chosen), ...workspace, query }
}

/** A frontier that a folder has no use for is left out. */
function withoutPlace({ frontier: _, ...chosen }: Partial<Choices>): Partial<Choices> {
  return chosen
}
