// The options of a focused crawl: what it is about, what it keeps, and when it has enough.

import { Refused, shown } from '../core/errors.ts'
import { DEFAULT_IMPORTANCE, decodeImportance, encodeImportance } from '../core/importance.ts'
import type { CrawlSettings } from '../core/job.ts'
import { LANGUAGE_CODES, languageCode } from '../core/languages.ts'
import { tooLongForTopic } from '../core/topic-text.ts'
import { flag, list, number, type Option, text } from './option.ts'
import { DEFAULT_SETTINGS } from './settings.ts'

const MAX_KEYWORDS = 1000
const MAX_KEYWORD_CHARACTERS = 200
/** So much is remembered of every page in the window: one bit and its place. */
const MAX_WINDOW = 1_000_000

/** What a crawl is about. */
export const TOPIC_OPTIONS: readonly Option<CrawlSettings>[] = [
  text({
    name: 'topic',
    help: 'what the crawl is about, in your words; with --classifier the label that is wanted',
    to: (topic) => ({ topic: topicOf(topic) }),
  }),
  list({
    name: 'keywords',
    value: 'A,B',
    separator: /,/,
    help: 'words and phrases of the topic, separated by commas',
    to: (entries) => ({ keywords: keywordsOf(entries) }),
  }),
  text({
    name: 'examples',
    value: 'FILE',
    help:
      'pages on and off topic, as URLs or texts: a line each ("- " before those off topic), ' +
      'JSON lines with url or text and label, or JSON with positive and negative',
    to: (examples) => ({ examples }),
  }),
  text({
    name: 'classifier',
    value: 'FILE',
    help: 'a model made by jelajah train',
    to: (classifier) => ({ classifier }),
  }),
  text({
    name: 'stop-words',
    env: 'JELAJAH_STOP_WORDS',
    value: 'FILE',
    help:
      'words that say nothing about the topic, beside those of English and Indonesian: ' +
      'one per line, from # on a remark',
    to: (stopWords) => ({ stopWords }),
  }),
]

/** What is kept, what counts as hot, and when that is enough. */
export const HARVEST_OPTIONS: readonly Option<CrawlSettings>[] = [
  list({
    name: 'language',
    env: 'JELAJAH_LANGUAGE',
    value: 'A,B',
    help:
      'do not store pages in other languages than these, such as id or id,en; as with ' +
      '--min-relevance. Where it is one, the words of the topic are read in it',
    to: (entries) => ({ languages: languagesOf(entries) }),
  }),
  number({
    name: 'min-relevance',
    value: 'X',
    min: 0,
    max: 1,
    fraction: true,
    help:
      'do not store pages that are less relevant, 0 to 1; their links still count. The crawl ends ' +
      'when it has left out 20 times --max-pages, and at least 1000',
    to: (minRelevance) => ({ minRelevance }),
  }),
  number({
    name: 'min-terms',
    min: 1,
    help: 'do not store pages with fewer words; as with --min-relevance',
    to: (minTerms) => ({ minTerms }),
  }),
  number({
    name: 'hot-threshold',
    value: 'X',
    min: 0,
    max: 1,
    fraction: true,
    default: String(DEFAULT_SETTINGS.hotThreshold),
    help: 'a page is hot at or above this relevance, or importance where --importance is given',
    to: (hotThreshold) => ({ hotThreshold }),
  }),
  number({
    name: 'max-hot',
    min: 1,
    help: 'stop after N hot pages; where --importance tells them, soon after',
    to: (maxHot) => ({ maxHot }),
  }),
  percent({
    name: 'harvest-floor',
    help: 'stop when a smaller share of the last pages was hot, such as 5',
    to: (harvestFloor) => ({ harvestFloor }),
  }),
  number({
    name: 'harvest-window',
    min: 1,
    max: MAX_WINDOW,
    default: String(DEFAULT_SETTINGS.harvestWindow),
    help: 'how many pages are the last pages',
    to: (harvestWindow) => ({ harvestWindow }),
  }),
  flag({
    name: 'eager',
    help:
      'never leave a connection idle for a better URL: faster, at a lower harvest. Without it a ' +
      'focused crawl begins one by one, and has 32 requests out after about 1,000 pages',
    to: (eager) => ({ eager }),
  }),
  text({
    name: 'importance',
    value: 'NAME[=WEIGHT],…',
    default: encodeImportance(DEFAULT_IMPORTANCE),
    help:
      'what makes a page important: similarity, backlinks, pagerank, location; computed when the ' +
      'crawl ends, and what hot means where it is given',
    to: (weights) => ({ importance: decodeImportance(weights) }),
  }),
]

/** A share given in percent, with the sign or without; inside it is 0 to 1. */
function percent(about: {
  readonly name: string
  readonly help: string
  readonly to: (share: number) => Partial<CrawlSettings>
}): Option<CrawlSettings> {
  const { to, ...shape } = about
  const option = number<CrawlSettings>({
    ...shape,
    value: 'PERCENT',
    min: 0,
    max: 100,
    fraction: true,
    to: (percents) => to(percents / 100),
  })
  const bare = (raw: unknown) => (typeof raw === 'string' ? raw.replace(/ ?%$/, '') : raw)
  return { ...option, read: (raw, at) => option.read(bare(raw), at) }
}

function topicOf(topic: string): string {
  const problem = tooLongForTopic(topic)
  if (problem === null) return topic
  throw new Refused(problem)
}

function languagesOf(entries: readonly string[]): readonly string[] {
  const written = entries.flatMap((entry) => entry.split(',')).map((one) => one.trim())
  const given = written.filter((one) => one !== '')
  const unknown = given.filter((one) => languageCode(one) === null)
  if (given.length === 0) throw new Refused('needs a code such as id or en between the commas')
  if (unknown.length > 0) {
    const known = `known are ${LANGUAGE_CODES.join(', ')}`
    throw new Refused(`cannot tell ${unknown.map(shown).join(', ')} from others; ${known}`)
  }
  return [...new Set(given.flatMap((one) => languageCode(one) ?? []))]
}

function keywordsOf(entries: readonly string[]): readonly string[] {
  const words = entries.flatMap((entry) => entry.split(',')).map((word) => word.trim())
  const keywords = [...new Set(words.filter((word) => word !== ''))]
  const long = keywords.find((word) => word.length > MAX_KEYWORD_CHARACTERS)
  if (long !== undefined) {
    throw new Refused(`takes words and short phrases, not ${shown(long)}`)
  }
  if (keywords.length === 0) throw new Refused('needs at least one word between the commas')
  if (keywords.length > MAX_KEYWORDS) throw new Refused(`takes at most ${MAX_KEYWORDS} keywords`)
  return keywords
}
