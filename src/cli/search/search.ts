// `jelajah search`: its flags, and how they become a query.
import { InvalidInput } from '../../core/errors.ts'
import { flag, number, type Option, text } from '../../options/option.ts'
import { COLUMN_NAMES, searchColumns } from '../../options/values.ts'
import { type Command, readCommand } from '../command.ts'
import {
  CRAWL,
  HOST,
  HOT,
  JSON_OUTPUT,
  KIND,
  LANGUAGE,
  QUIET,
  SINCE,
  TOPIC,
} from '../common-options.ts'
import type { Surroundings } from '../sources.ts'
import { STORE_OPTIONS } from '../workspace-options.ts'
import type { SearchChoices, SearchCommand } from './run-search.ts'

const DEFAULT_LIMIT = 10
const MAX_LIMIT = 1000
/** As over HTTP: nobody reads so far. */
const MAX_OFFSET = 10_000
/** More leaves nothing of the words. */
const MAX_RANK_WEIGHT = 10

const OPTIONS: readonly Option<SearchChoices>[] = [
  ...STORE_OPTIONS,
  number({
    name: 'limit',
    min: 1,
    max: MAX_LIMIT,
    default: String(DEFAULT_LIMIT),
    help: 'at most N hits',
  }),
  number({
    name: 'offset',
    min: 0,
    max: MAX_OFFSET,
    help: 'pass over the first N hits',
  }),
  flag({
    name: 'all',
    help: 'near-duplicates, and the same URL in several crawls, as hits of their own',
  }),
  flag({
    name: 'exact',
    help: 'only the words as they are: no other forms of them',
  }),
  number({
    name: 'rank-weight',
    value: 'X',
    min: 0,
    max: MAX_RANK_WEIGHT,
    fraction: true,
    help: 'what the links to a page weigh beside its words; 0: nothing; 0.1 unless given',
  }),
  JSON_OUTPUT,
  QUIET,
]

const FILTER_OPTIONS: readonly Option<SearchChoices>[] = [
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

export const command: Command = {
  usage: '<query…> [options]',
  options: OPTIONS,
  more: { title: 'Which pages, and where in them:', options: FILTER_OPTIONS },
  examples: [
    ['search green tea', 'pages with both words, in any form of them'],
    ['search "\\"green tea\\" OR coffee -sugar"', 'a phrase or a word, without another word'],
    ['search title:harvest* --language id --since 7d', 'in titles of new pages, in Indonesian'],
    ['search tea --columns title,description --json', 'as JSON, with facets'],
    ['search -- --odd', 'what begins with two dashes, after --'],
  ],
  run: async (argv, around, out) => {
    const { runSearch } = await import('./run-search.ts')
    return runSearch(parseSearch(argv, around), out)
  },
}

export function parseSearch(argv: readonly string[], around: Surroundings): SearchCommand {
  const options = [...OPTIONS, ...FILTER_OPTIONS]
  const rules = { words: Number.POSITIVE_INFINITY, dashWords: true }
  const { chosen, args, workspace, problems } = readCommand(options, argv, around, rules)
  const query = args.words.join(' ').trim()
  if (query === '') {
    problems.try('flag', () => {
      throw new InvalidInput('search', 'give what to look for, such as jelajah search green tea')
    })
  }
  problems.throwIfAny()
  return { limit: DEFAULT_LIMIT, offset: 0, ...chosen, ...workspace, query }
}
