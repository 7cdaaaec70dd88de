// A topic as it is kept with a crawl: plain JSON, columns of numbers in base64. Everything a thread
// needs to judge as the build meant it, and nothing of the pages it was built from but terms.
import { createHash } from 'node:crypto'
import { InvalidInput } from '../core/errors.ts'
import type { KeptTopic } from '../core/job.ts'
import type { Input } from './linear-classifier.ts'

const FORMAT = 'jelajah-topic'
const VERSION = 2
/** Topics of words were judged by other rules then; all others are as they were. */
const EARLIER = 1

/** By what a page is held to be on topic. */
export const JUDGES = ['examples', 'likeness', 'words', 'model', 'language'] as const
export type JudgeKind = (typeof JUDGES)[number]

/** One row per term; columns go with `terms` by position. */
export type TopicColumns = {
  readonly terms: Int32Array
  /** How much the term speaks for the topic: log-odds. */
  readonly evidence: Float32Array
  /** How much it tells by being rare. */
  readonly rarity: Float32Array
  /** What it weighs in the topic's centre, rarity included; 0 for most. */
  readonly centre: Float32Array
  /** Its pull towards the topic, for `examples` (rarity included) and `words`. */
  readonly pull: Float32Array
  /** The same of a page that is near the topic; for `examples`, rarity included. */
  readonly promise: Float32Array
}

export type KeptPhrase = {
  readonly terms: readonly number[]
  readonly evidence: number
  readonly pull: number
}

/** A classifier of several labels, of which some are the topic. */
export type KeptModel = {
  readonly language: string
  readonly keepsStopWords: boolean
  readonly usesWordParts: boolean
  /** Left out where there are none. */
  readonly ownStopWords?: readonly string[]
  readonly labels: readonly string[]
  /** Positions of the labels that are the topic. */
  readonly wanted: readonly number[]
  readonly texts: number
  readonly terms: Int32Array
  readonly textsWith: Int32Array
  readonly weights: Float32Array
  readonly bias: readonly number[]
  readonly input: Input
}

/** What people are shown of a topic. */
export type ShownTopic = {
  /** The words that weigh most, heaviest first. */
  readonly words: readonly ShownWord[]
  /** Stop words among what was typed: they are not looked for. */
  readonly dropped: readonly string[]
}

export type ShownWord = {
  /** As it is looked for: stems. */
  readonly stem: string
  /** As it was typed; empty where it comes from examples or a model. */
  readonly forms: readonly string[]
  /** 1 for one of mean weight. */
  readonly weight: number
}

export const NOTHING_SHOWN: ShownTopic = { words: [], dropped: [] }

export type TopicParts = {
  readonly judge: JudgeKind
  readonly language: string
  /** The language whose stems are used; '' for none. */
  readonly stems: string
  /** The user's own, beside those of the languages. */
  readonly stopWords: readonly string[]
  readonly columns: TopicColumns
  /** Rarity of a term that has no row. */
  readonly unknownRarity: number
  /** `examples`: the log-odds of a page without known terms. Else what is as likely on topic as not:
   * the similarity of such a page for `likeness`, its strength for `words`. */
  readonly bias: number
  /** `examples`: the same for pages near the topic. */
  readonly promiseBias: number
  /** Keywords as terms, one or several each. */
  readonly keywords: readonly (readonly number[])[]
  readonly phrases: readonly KeptPhrase[]
  readonly model: KeptModel | null
  /** `language`: tags of the languages that pages are to be written in. */
  readonly languages: readonly string[]
  readonly shown: ShownTopic
}

/** What the way of judging decides; the rest is how texts are read. */
export type JudgedParts = Omit<
  TopicParts,
  'language' | 'stems' | 'stopWords' | 'languages' | 'shown'
>

export type TopicRecord = {
  readonly format: typeof FORMAT
  readonly version: typeof VERSION
  readonly fingerprint: string
  readonly [part: string]: unknown
}

export function toRecord({ columns, model, ...plain }: TopicParts): TopicRecord {
  const parts = { ...plain, columns: packed(columns), model: model === null ? null : packed(model) }
  const fingerprint = createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32)
  return { format: FORMAT, version: VERSION, fingerprint, ...parts }
}

/** Back from a record; InvalidInput for what `toRecord` cannot have made. */
export function fromRecord(record: KeptTopic): TopicParts {
  if (record.format !== FORMAT) throw damaged('this is no topic')
  const { judge, unknownRarity, bias, promiseBias, keywords, phrases, columns, model } = record
  if (!isReadable(record)) {
    throw damaged(`the topic is of version ${record.version}, this program reads ${VERSION}`)
  }
  if (!isJudge(judge)) throw damaged('its kind is unknown')
  return {
    judge,
    language: String(record.language),
    stems: String(record.stems),
    // Topics of older versions have none.
    stopWords: listOf(record.stopWords ?? [], String),
    unknownRarity: finite(unknownRarity),
    bias: finite(bias),
    promiseBias: finite(promiseBias),
    keywords: listOf(keywords, (one) => listOf(one, finite)),
    phrases: listOf(phrases, phraseOf),
    columns: columnsOf(fieldsOf(columns)),
    model: model === null ? null : modelOf(fieldsOf(model)),
    languages: listOf(record.languages ?? [], String),
    shown: shownIn(record),
  }
}

function isReadable({ version, judge }: KeptTopic): boolean {
  return version === VERSION || (version === EARLIER && judge !== 'words')
}

/** Topics that say little about the rest of the web, and so learn from the pages they judge. */
export function learnsOnTheWay({ judge }: Readonly<Record<string, unknown>>): boolean {
  return judge === 'words' || judge === 'language'
}

/** What people are shown of a kept topic; nothing where it was kept before that was noted. */
export function shownIn({ shown }: KeptTopic): ShownTopic {
  if (shown === undefined) return NOTHING_SHOWN
  const { words, dropped } = fieldsOf(shown)
  return { words: listOf(words, shownWordOf), dropped: listOf(dropped, String) }
}

function shownWordOf(value: unknown): ShownWord {
  const { stem, forms, weight } = fieldsOf(value)
  return { stem: String(stem), forms: listOf(forms, String), weight: finite(weight) }
}

type Fields = Readonly<Record<string, unknown>>
type Numbers = Int32Array | Float32Array

/** Columns become base64, all else stays. */
function packed(fields: Fields): Fields {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, isColumn(value) ? base64(value) : value]),
  )
}

function isColumn(value: unknown): value is Numbers {
  return value instanceof Int32Array || value instanceof Float32Array
}

function base64(column: Numbers): string {
  return Buffer.from(column.buffer, column.byteOffset, column.byteLength).toString('base64')
}

function columnsOf({ terms, evidence, rarity, centre, pull, promise }: Fields): TopicColumns {
  const ids = new Int32Array(bytesOf(terms))
  const column = (value: unknown) => sized(new Float32Array(bytesOf(value)), ids.length)
  return {
    terms: ids,
    evidence: column(evidence),
    rarity: column(rarity),
    centre: column(centre),
    pull: column(pull),
    promise: column(promise),
  }
}

function modelOf(fields: Fields): KeptModel {
  const terms = new Int32Array(bytesOf(fields.terms))
  const labels = listOf(fields.labels, String)
  return {
    language: String(fields.language),
    keepsStopWords: fields.keepsStopWords === true,
    usesWordParts: fields.usesWordParts === true,
    ...(fields.ownStopWords === undefined
      ? {}
      : { ownStopWords: listOf(fields.ownStopWords, String) }),
    labels,
    wanted: listOf(fields.wanted, finite),
    texts: finite(fields.texts),
    terms,
    textsWith: sized(new Int32Array(bytesOf(fields.textsWith)), terms.length),
    weights: sized(new Float32Array(bytesOf(fields.weights)), terms.length * labels.length),
    bias: listOf(fields.bias, finite),
    // Topics of older crawls do not say; there was only TF-IDF.
    input: fields.input === 'counts' ? 'counts' : 'tf-idf',
  }
}

function phraseOf(value: unknown): KeptPhrase {
  const { terms, evidence, pull } = fieldsOf(value)
  return { terms: listOf(terms, finite), evidence: finite(evidence), pull: finite(pull) }
}

function isJudge(value: unknown): value is JudgeKind {
  return JUDGES.some((judge) => judge === value)
}

function fieldsOf(value: unknown): Fields {
  if (typeof value !== 'object' || value === null) throw damaged('a part is missing')
  return Object.fromEntries(Object.entries(value))
}

function listOf<T>(value: unknown, each: (one: unknown) => T): T[] {
  if (!Array.isArray(value)) throw damaged('a list is missing')
  return value.map((one) => each(one))
}

function finite(value: unknown): number {
  if (typeof value === 'number' && Number.isFinite(value)) return value
  throw damaged('a number is missing')
}

function bytesOf(value: unknown): ArrayBuffer {
  if (typeof value !== 'string') throw damaged('a column is missing')
  // Small buffers share memory at any offset; numbers of 32 bits need their own.
  const bytes = Uint8Array.from(Buffer.from(value, 'base64'))
  if (bytes.length % 4 !== 0) throw damaged('a column is cut off')
  return bytes.buffer
}

function sized<T extends Numbers>(column: T, length: number): T {
  if (column.length === length && column.every(Number.isFinite)) return column
  throw damaged('a column is not of the right length')
}

function damaged(what: string): InvalidInput {
  return new InvalidInput('topic', `the kept topic cannot be used: ${what}`)
}
