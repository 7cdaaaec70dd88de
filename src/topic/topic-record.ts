// A topic as stored with a crawl: plain JSON, with columns of numbers in base64. It contains everything a
// thread needs to judge, and only the terms of the pages it was built from.
import { createHash } from 'node:crypto'
import { InvalidInput } from '../core/errors.ts'
import type { KeptTopic } from '../core/job.ts'
import type { Input } from './linear-classifier.ts'

const FORMAT = 'jelajah-topic'
const VERSION = 2
/** That version judged topics from words by other rules; the other kinds are the same. */
const EARLIER = 1

/** The ways to decide whether a page is on topic. */
const JUDGES = ['examples', 'likeness', 'words', 'model', 'language'] as const
type JudgeKind = (typeof JUDGES)[number]

/** One row per term; columns match `terms` by index. */
export type TopicColumns = {
  readonly terms: Int32Array
  /** Log-odds of the term. */
  readonly evidence: Float32Array
  /** Its rarity. */
  readonly rarity: Float32Array
  /** Its weight in the topic's centre, rarity included; 0 for most. */
  readonly centre: Float32Array
  /** Its pull towards the topic, for `examples` (rarity included) and `words`. */
  readonly pull: Float32Array
  /** The same for pages near the topic; for `examples`, rarity included. */
  readonly promise: Float32Array
}

export type KeptPhrase = {
  readonly terms: readonly number[]
  readonly evidence: number
  readonly pull: number
}

/** A classifier of several labels; some of them are the topic. */
export type KeptModel = {
  readonly language: string
  readonly keepsStopWords: boolean
  readonly usesWordParts: boolean
  /** Absent if there are none. */
  readonly ownStopWords?: readonly string[]
  readonly labels: readonly string[]
  /** Indexes of the labels that are the topic. */
  readonly wanted: readonly number[]
  readonly texts: number
  readonly terms: Int32Array
  readonly textsWith: Int32Array
  readonly weights: Float32Array
  readonly bias: readonly number[]
  readonly input: Input
}

/** The topic as people see it. */
export type ShownTopic = {
  /** The words with the most weight, heaviest first. */
  readonly words: readonly ShownWord[]
  /** Typed stop words; they are not looked for. */
  readonly dropped: readonly string[]
}

export type ShownWord = {
  /** The stem that is looked for. */
  readonly stem: string
  /** The typed forms; empty if it comes from examples or a model. */
  readonly forms: readonly string[]
  /** 1 for a word of mean weight. */
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
  /**
   * `examples`: the log-odds of a page without known terms. Otherwise the value at even odds: the similarity
   * for `likeness`, the strength for `words`.
   */
  readonly bias: number
  /** `examples`: the same for pages near the topic. */
  readonly promiseBias: number
  /** Keywords as terms, one or several each. */
  readonly keywords: readonly (readonly number[])[]
  readonly phrases: readonly KeptPhrase[]
  readonly model: KeptModel | null
  /** `language`: tags of the wanted languages. */
  readonly languages: readonly string[]
  readonly shown: ShownTopic
}

/** The part that depends on the kind of judge; the rest is how texts are read. */
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

/** Decodes a record; InvalidInput if `toRecord` cannot have made it. */
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
    // Absent in topics of older versions.
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

/** Topics that say little about the rest of the web; they learn from the pages they judge. */
export function learnsOnTheWay({ judge }: Readonly<Record<string, unknown>>): boolean {
  return judge === 'words' || judge === 'language'
}

/** The topic as people see it; empty for records from before this field. */
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

/** Encodes columns as base64; other fields stay. */
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
    // Absent in topics of older crawls; they all used TF-IDF.
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
  // Small buffers share memory at any offset; 32-bit arrays need an aligned one.
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
