// `jelajah search`: its flags, and how they become a query.
import { InvalidInput, Refused, shown } from '../../core/errors.ts'
import { COLUMN_NAMES, searchColumns } from '../../core/search-field.ts'
import { flag, number, type Option, text } from '../../options/option.ts'
import { SORTS } from '../../search/search-index.ts'
import { MAX_SAVED_NAME } from '../../store/saved-searches.ts'
import { type Command, readCommand } from '../command.ts'
import {
  CRAWL,
  HOST,
  HOT,
  JSON_OUTPUT,
  KIND,
  LANGUAGE,
  PUBLISHED_SINCE,
  PUBLISHED_UNTIL,
  QUIET,
  SINCE,
  TOPIC,
  UNTIL,
} from '../common-options.ts'
import type { Surroundings } from '../sources.ts'
import { readSynonyms, SYNONYMS } from '../synonyms-option.ts'
import { STORE_OPTIONS } from '../workspace-options.ts'
import type { SearchChoices, SearchCommand } from './search-command.ts'

const DEFAULT_LIMIT = 10
/** New pages are listed in full by default. */
const NEW_LIMIT = 100
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
  text({
    name: 'sort',
    value: 'BY',
    default: 'relevance',
    help: 'relevance, or the newest first: published (as pages say themselves) or fetched',
    to: (written) => {
      const sort = SORTS.find((known) => known === written)
      if (sort !== undefined) return { sort }
      throw new Refused(`needs one of ${SORTS.join(', ')}, not ${shown(written)}`)
    },
  }),
  SYNONYMS,
  text({
    name: 'like',
    value: 'URL',
    help: 'no words: pages like the one that is stored with this URL',
  }),
  flag({
    name: 'suggest',
    help: 'no search: words and titles that the query may become, as while typing',
  }),
  number({
    name: 'rank-weight',
    value: 'X',
    min: 0,
    max: MAX_RANK_WEIGHT,
    fraction: true,
    help: 'what the links to a page weigh beside its words; 0: nothing; 0.1 unless given',
  }),
  text({
    name: 'save',
    value: 'NAME',
    help: 'also keep this search under a name',
    to: (save) => ({ save: savedName(save) }),
  }),
  text({
    name: 'saved',
    value: 'NAME',
    help: 'no words: the search that was kept under this name',
    to: (saved) => ({ saved: savedName(saved) }),
  }),
  flag({
    name: 'new',
    help: 'of a saved search: only pages that are new or changed since you last asked so',
  }),
  flag({ name: 'list-saved', help: 'no search: those that were kept, by name' }),
  text({
    name: 'forget',
    value: 'NAME',
    help: 'no search: removes the one that was kept under this name',
    to: (forget) => ({ forget: savedName(forget) }),
  }),
  JSON_OUTPUT,
  QUIET,
]

function savedName(name: string): string {
  if (name.trim() !== '' && name.length <= MAX_SAVED_NAME) return name.trim()
  throw new Refused(`needs a name of at most ${MAX_SAVED_NAME} characters`)
}

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
  UNTIL,
  PUBLISHED_SINCE,
  PUBLISHED_UNTIL,
]

/** What a saved search says itself. */
const OF_A_SAVED = [
  ...FILTER_OPTIONS.map(({ name }) => name),
  ...['all', 'exact', 'sort', 'rank-weight'],
]

export const command: Command = {
  usage: '<query…> [options]',
  options: OPTIONS,
  more: { title: 'Which pages, and where in them:', options: FILTER_OPTIONS },
  examples: [
    ['search green tea', 'pages with both words, in any form of them'],
    ['search "\\"green tea\\" OR coffee -sugar"', 'a phrase or a word, without another word'],
    ['search title:harvest* --language id --since 7d', 'in titles of new pages, in Indonesian'],
    ['search tea site:example.com --sort published', 'on one site, the newest first'],
    ['search --like https://example.com/tea', 'pages about the same'],
    ['search tea --columns title,description --json', 'as JSON, with facets'],
    ['search green tea --save tea', 'keeps it; then: search --saved tea --new'],
    ['search -- --odd', 'what begins with two dashes, after --'],
  ],
  run: async (argv, around, out) => {
    const { runSearch } = await import('./run-search.ts')
    return runSearch(parseSearch(argv, around), out)
  },
}

export function parseSearch(argv: readonly string[], around: Surroundings): SearchCommand {
  const options = [...OPTIONS, ...FILTER_OPTIONS]
  const accepted = { words: Number.POSITIVE_INFINITY, dashWords: true }
  const { chosen, args, workspace, problems } = readCommand(options, argv, around, accepted)
  const query = args.words.join(' ').trim()
  const { saved, listSaved = false, forget } = chosen
  const isSaved = saved !== undefined || listSaved || forget !== undefined
  if (isSaved && (query !== '' || chosen.like !== undefined || chosen.save !== undefined)) {
    const flag = listSaved ? '--list-saved' : forget === undefined ? '--saved' : '--forget'
    problems.add('flag', flag, 'takes the place of a query: leave one of them out')
  }
  if ([saved !== undefined, listSaved, forget !== undefined].filter(Boolean).length > 1) {
    problems.add('flag', '--saved', 'goes with neither --list-saved nor --forget: give one of them')
  }
  // New pages would count as seen, even where a filter hides them.
  for (const name of saved === undefined ? [] : OF_A_SAVED) {
    if (args.given.has(name)) {
      problems.add('flag', `--${name}`, 'was kept with the search: leave it out, or --save another')
    }
  }
  if (saved !== undefined && chosen.suggest === true) {
    problems.add('flag', '--suggest', 'is for words that are typed, not for a saved search')
  }
  if (chosen.new === true && saved === undefined) {
    problems.add('flag', '--new', 'needs a saved search: --saved NAME')
  }
  if (chosen.save !== undefined && (chosen.like !== undefined || chosen.suggest === true)) {
    problems.add('flag', '--save', 'keeps searches by words, not --like or --suggest')
  }
  if (query !== '' && chosen.like !== undefined) {
    problems.add('flag', '--like', 'takes the place of a query: leave one of them out')
  }
  // A flag without its value has been told of.
  const isUnfinished = /^--(?:saved|forget|like)$/.test(argv.at(-1) ?? '')
  if (query === '' && chosen.like === undefined && !isSaved && !isUnfinished) {
    problems.try('flag', () => {
      throw new InvalidInput('search', 'give what to look for, such as jelajah search green tea')
    })
  }
  const synonyms = readSynonyms(chosen, around.cwd, problems)
  const rules = synonyms?.for(query) ?? []
  problems.throwIfAny()
  return {
    limit: chosen.new === true ? NEW_LIMIT : DEFAULT_LIMIT,
    offset: 0,
    ...chosen,
    ...workspace,
    query,
    ...(rules.length > 0 && { rules }),
    ...(saved !== undefined && synonyms !== null && { rulesOf: synonyms }),
  }
}
