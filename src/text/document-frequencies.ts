// In how many documents each term occurs, learned while a crawl goes on. Memory is bounded: when
// there are too many terms the rarest are forgotten, by a floor that rises each time (lossy
// counting). A forgotten term had at most `floor` documents, and is taken to have that many.
import { InvalidInput } from '../core/errors.ts'
import { TermTable } from './term-table.ts'
import type { TermId } from './text.ts'

/** Terms kept: some 20 bytes each. A vocabulary of a million pages has more, mostly typing errors. */
const MAX_TERMS = 200_000
/** Pruned down to this share, so that it is not done again at once. */
const KEPT_SHARE = 0.75

/** For a file or a message: JSON can hold it. Ids and counts are base64 of 32-bit numbers. */
export type DocumentFrequenciesRecord = {
  readonly documents: number
  readonly floor: number
  readonly ids: string
  readonly counts: string
}

export class DocumentFrequencies {
  readonly #maxTerms: number
  readonly #counts = new TermTable(1024)
  #documents = 0
  #floor = 0

  constructor(maxTerms = MAX_TERMS) {
    this.#maxTerms = maxTerms
  }

  /** Documents learned so far. */
  get documents(): number {
    return this.#documents
  }

  /** Terms known; never more than the limit after a call. */
  get terms(): number {
    return this.#counts.size
  }

  /** Takes in one document by its terms; a table of counts has each of them once. */
  learn(document: TermTable): void {
    this.#documents++
    for (const id of document.ids) this.#counts.add(id, 1)
    this.#prune()
  }

  /** Takes in what another learned from other documents: a second thread, or an earlier run. */
  merge(other: DocumentFrequencies): void {
    const { ids, values } = other.#counts
    for (let at = 0; at < ids.length; at++) this.#counts.add(ids[at] ?? 0, values[at] ?? 0)
    this.#documents += other.#documents
    this.#floor = Math.max(this.#floor, other.#floor)
    this.#prune()
  }

  /** Documents with the term; the most it can have been where the term was forgotten. */
  count(id: TermId): number {
    return this.#counts.get(id) || this.#floor
  }

  /** How much a term tells: 1 when every document has it, more the rarer it is; always finite. */
  idf(id: TermId): number {
    return 1 + Math.log((this.#documents + 1) / (this.count(id) + 1))
  }

  toRecord(): DocumentFrequenciesRecord {
    const { ids, values } = this.#counts
    return {
      documents: this.#documents,
      floor: this.#floor,
      ids: base64(ids),
      counts: base64(Uint32Array.from(values)),
    }
  }

  /** Back from a record; throws InvalidInput for what toRecord() cannot have made. */
  static fromRecord(record: unknown, at = 'frequencies', maxTerms?: number): DocumentFrequencies {
    const { documents, floor, ids, counts } = fieldsOf(record, at)
    const result = new DocumentFrequencies(maxTerms)
    result.#documents = documents
    result.#floor = floor
    for (let index = 0; index < ids.length; index++) {
      const count = counts[index] ?? 0
      const id = ids[index] ?? 0
      if (id === 0 || count === 0 || count > documents) throw damaged(at, 'a term is out of range')
      result.#counts.set(id, count)
    }
    result.#prune()
    return result
  }

  #prune(): void {
    if (this.#counts.size <= this.#maxTerms) return
    while (this.#counts.size > this.#maxTerms * KEPT_SHARE) {
      this.#floor++
      this.#counts.keep((count) => count > this.#floor)
    }
  }
}

type Fields = {
  readonly documents: number
  readonly floor: number
  readonly ids: Int32Array
  readonly counts: Uint32Array
}

function fieldsOf(record: unknown, at: string): Fields {
  if (typeof record !== 'object' || record === null) throw damaged(at, 'not an object')
  const { documents, floor, ids, counts } = record as Record<string, unknown>
  if (!isCount(documents) || !isCount(floor)) throw damaged(at, 'documents or floor is no count')
  const [idBytes, countBytes] = [bytesOf(ids, at), bytesOf(counts, at)]
  if (idBytes.length !== countBytes.length) throw damaged(at, 'ids and counts differ in length')
  return {
    documents,
    floor,
    ids: new Int32Array(idBytes.buffer),
    counts: new Uint32Array(countBytes.buffer),
  }
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0
}

function bytesOf(value: unknown, at: string): Uint8Array {
  if (typeof value !== 'string') throw damaged(at, 'ids or counts is not base64')
  const bytes = Buffer.from(value, 'base64')
  if (bytes.length % 4 !== 0) throw damaged(at, 'ids or counts is cut off')
  // Small buffers share memory at any offset; 32-bit numbers need their own.
  return Uint8Array.from(bytes)
}

function base64(numbers: Int32Array | Uint32Array): string {
  return Buffer.from(numbers.buffer, numbers.byteOffset, numbers.byteLength).toString('base64')
}

function damaged(at: string, message: string): InvalidInput {
  return new InvalidInput(at, message)
}
