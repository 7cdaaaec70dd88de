// Options of a focused crawl: what it is about, what it keeps, and when it has enough.
import {
  DEFAULT_IMPORTANCE,
  decodeImportance,
  encodeImportance,
  weightsOf,
} from '../../core/importance.ts'
import { READY_TOPICS, type ReadyTopic } from '../../core/topic-text.ts'
import {
  fileSetting,
  flagSetting,
  listSetting,
  NEVER,
  numberSetting,
  ON_RESUME,
  PERCENT,
  same,
  type Texts,
  textSetting,
} from '../setting.ts'
import { keywordsOf, languagesOf, readyTopicsOf, topicOf } from '../values.ts'

/** So much is remembered of every page in the window: one bit and its place. */
const MAX_WINDOW = 1_000_000
const NO_TEXTS: readonly string[] = []
const READY_NAMES = READY_TOPICS.map(({ name, indonesian }) => `${name} (${indonesian})`)

/** What a program gives `crawl()` for the entries below. Every default is that of the command line. */
export type GivenFocus = {
  /** What the crawl is about, in words. */
  readonly topic?: string
  readonly keywords?: Texts
  /** Topics that are ready to use, such as `health` or `kesehatan`: see docs/FOCUS.md. */
  readonly topicModel?: Texts
  /** A file of pages on and off topic. */
  readonly examples?: string
  /** A file made by `jelajah train`. */
  readonly classifier?: string
  /** A file of words that say nothing about the topic. */
  readonly stopWords?: string
  /** Store no pages in other languages than these codes. */
  readonly language?: Texts
  /** Store no pages that are less relevant, 0 to 1. */
  readonly minRelevance?: number
  /** Store no pages with fewer words. */
  readonly minTerms?: number
  /** A page is hot at or above this relevance. */
  readonly hotThreshold?: number
  /** Stop after so many hot pages. */
  readonly maxHot?: number
  /** Stop when a smaller share of the last pages was hot, in percent. */
  readonly harvestFloor?: number
  readonly harvestWindow?: number
  /** Never leave a connection idle for a better URL. */
  readonly eager?: boolean
  /** What makes a page important, such as `pagerank=2,location`. */
  readonly importance?: string
}

/** What a crawl is about. */
export const TOPIC = {
  /** In words, or the label of a classifier; '': not said. */
  topic: textSetting({
    name: 'topic',
    preset: '',
    help: 'what the crawl is about, in your words; with --classifier the label that is wanted',
    mayChange: NEVER,
    to: topicOf,
    encode: same,
  }),
  /** Words and phrases. */
  keywords: listSetting({
    name: 'keywords',
    value: 'A,B',
    separator: /,/,
    preset: NO_TEXTS,
    help: 'words and phrases of the topic, separated by commas',
    mayChange: NEVER,
    to: keywordsOf,
    encode: same,
  }),
  /** By their English names. */
  topicModel: listSetting<readonly ReadyTopic[]>({
    name: 'topic-model',
    value: 'A,B',
    separator: /,/,
    preset: [],
    help: `topics that are ready to use, in English and Indonesian pages: ${READY_NAMES.join(', ')}`,
    mayChange: NEVER,
    to: readyTopicsOf,
    encode: same,
  }),
  /** The path as it was given. */
  examples: fileSetting({
    name: 'examples',
    help:
      'pages on and off topic, as URLs or texts: a line each ("- " before those off topic), ' +
      'JSON lines with url or text and label, or JSON with positive and negative',
    bodyHelp:
      'pages on and off topic: {"positive": […], "negative": […]} of URLs, texts or objects with ' +
      'url, text and title; or one text with a line each ("- " before those off topic)',
    carries: 'examples',
    mayChange: NEVER,
  }),
  /** The path as it was given. */
  classifier: fileSetting({
    name: 'classifier',
    weighty: true,
    help: 'a model made by jelajah train',
    bodyHelp: 'a model made by jelajah train: the JSON object in its file',
    carries: 'model',
    mayChange: NEVER,
  }),
  /** The path as it was given. */
  stopWords: fileSetting({
    name: 'stop-words',
    env: 'JELAJAH_STOP_WORDS',
    help:
      'words that say nothing about the topic, beside those of English and Indonesian: ' +
      'one per line, from # on a remark',
    bodyHelp:
      'words that say nothing about the topic, beside those of English and Indonesian: a list of ' +
      'words, or one text with a word per line',
    carries: 'words',
    mayChange: NEVER,
  }),
}

/** What is kept, what counts as hot, and when that is enough. */
export const HARVEST = {
  /** Codes; empty: pages in all languages are stored. A single one is that of the topic, too. */
  languages: listSetting({
    name: 'language',
    env: 'JELAJAH_LANGUAGE',
    value: 'A,B',
    preset: NO_TEXTS,
    help:
      'do not store pages in other languages than these, such as id or id,en; as with ' +
      '--min-relevance. Where it is one, the words of the topic are read in it',
    mayChange: ON_RESUME,
    to: languagesOf,
    encode: same,
  }),
  minRelevance: numberSetting({
    name: 'min-relevance',
    value: 'X',
    min: 0,
    max: 1,
    fraction: true,
    preset: null,
    help:
      'do not store pages that are less relevant, 0 to 1; their links still count. The crawl ends ' +
      'when it has left out 20 times --max-pages, and at least 1000',
    mayChange: ON_RESUME,
  }),
  minTerms: numberSetting({
    name: 'min-terms',
    min: 1,
    preset: null,
    help: 'do not store pages with fewer words; as with --min-relevance',
    mayChange: ON_RESUME,
  }),
  hotThreshold: numberSetting({
    name: 'hot-threshold',
    value: 'X',
    min: 0,
    max: 1,
    fraction: true,
    preset: 0.5,
    help: 'a page is hot at or above this relevance, or importance where --importance is given',
    mayChange: ON_RESUME,
  }),
  maxHot: numberSetting({
    name: 'max-hot',
    min: 1,
    preset: null,
    help: 'stop after N hot pages; where --importance tells them, soon after',
    mayChange: [...ON_RESUME, 'resume-over-http'],
  }),
  /** A share of the last `harvestWindow` pages from 0 to 1. */
  harvestFloor: numberSetting({
    name: 'harvest-floor',
    value: 'PERCENT',
    min: 0,
    max: 100,
    fraction: true,
    scale: PERCENT,
    preset: null,
    help: 'stop when a smaller share of the last pages was hot, such as 5',
    mayChange: [...ON_RESUME, 'resume-over-http'],
  }),
  harvestWindow: numberSetting({
    name: 'harvest-window',
    min: 1,
    max: MAX_WINDOW,
    preset: 500,
    help: 'how many pages are the last pages',
    mayChange: ON_RESUME,
  }),
  /** A focused crawl that takes what is ready, and does not wait for the hosts of better URLs. */
  eager: flagSetting({
    name: 'eager',
    help:
      'never leave a connection idle for a better URL: faster, at a lower harvest. Without it a ' +
      'focused crawl begins one by one, and has 32 requests out after about 1,000 pages',
    mayChange: NEVER,
  }),
  /** Weights by name; empty: as core/importance.ts has them. */
  importance: textSetting<Readonly<Record<string, number>>>({
    name: 'importance',
    value: 'NAME[=WEIGHT],…',
    preset: {},
    default: encodeImportance(DEFAULT_IMPORTANCE),
    help:
      'what makes a page important: similarity, backlinks, pagerank, location; computed when the ' +
      'crawl ends, and what hot means where it is given',
    mayChange: ON_RESUME,
    to: decodeImportance,
    encode: (importance) =>
      Object.keys(importance).length === 0 ? null : encodeImportance(weightsOf({ importance })),
  }),
}
