// The words at the heads of pages, in a table.
import type { Row, Transaction } from '../../db/postgres.ts'
import { numberArray, textArray } from '../../db/postgres-array.ts'
import {
  initialOf,
  type ListedWord,
  MAX_STARTING,
  MAX_WORD_LENGTH,
  type WordList,
} from '../near-words.ts'
import { afterPrefix } from '../title-words.ts'

export class PostgresWordList implements WordList {
  readonly #sql: Transaction

  constructor(sql: Transaction) {
    this.#sql = sql
  }

  async pages(words: readonly string[]): Promise<readonly number[]> {
    const rows = await this.#sql.unsafe(
      `SELECT known.word, known.pages
      FROM unnest($1::text[], $2::integer[], $3::text[]) AS asked (initial, length, word)
        JOIN search.known_words AS known USING (initial, length, word)`,
      [
        textArray(words.map(initialOf)),
        numberArray(words.map(({ length }) => length)),
        textArray(words),
      ],
    )
    const pages = new Map(rows.map((row) => [String(row.word), Number(row.pages)]))
    return words.map((word) => pages.get(word) ?? 0)
  }

  async alike(
    initial: string,
    from: number,
    to: number,
    limit: number,
  ): Promise<Iterable<ListedWord>> {
    // As one value: one row per word would take ten times as long to read.
    const [row] = await this.#sql.unsafe(
      `SELECT coalesce(string_agg(word || ' ' || pages, ' '), '') AS words FROM (
        SELECT word, pages FROM search.known_words
        WHERE initial = $1::text COLLATE "C" AND length BETWEEN $2::integer AND $3::integer
        LIMIT $4::integer) AS alike`,
      [initial, String(from), String(to), String(limit)],
    )
    return listed(String(row?.words ?? ''))
  }

  async startingWith(prefix: string, limit: number): Promise<readonly ListedWord[]> {
    const count = Math.max(0, MAX_WORD_LENGTH + 1 - prefix.length)
    const lengths = Array.from({ length: count }, (_, nth) => prefix.length + nth)
    const rows = await this.#sql.unsafe<Row[]>(
      `SELECT word, pages FROM (
        SELECT word, pages FROM search.known_words
        WHERE initial = $1::text COLLATE "C" AND length = ANY ($2::integer[])
          AND word >= $3::text COLLATE "C" AND word < $4::text COLLATE "C"
        LIMIT ${MAX_STARTING}) AS starting
      ORDER BY pages DESC, word LIMIT $5::integer`,
      [initialOf(prefix), numberArray(lengths), prefix, afterPrefix(prefix), String(limit)],
    )
    return rows.map((row) => ({ word: String(row.word), pages: Number(row.pages) }))
  }
}

function* listed(text: string): Generator<ListedWord> {
  const pieces = text === '' ? [] : text.split(' ')
  for (let at = 0; at + 1 < pieces.length; at += 2) {
    yield { word: pieces[at] ?? '', pages: Number(pieces[at + 1]) }
  }
}
