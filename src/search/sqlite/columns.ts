// The columns of `page_words`, in the order of the table, and the score of a match in SQL.
import { RANK_WEIGHT } from '../blend.ts'
import { type Column, type PageColumns, STEMS_OF, WEIGHTS } from '../page-columns.ts'
import type { Scoring } from '../search-index.ts'

const COLUMNS = [
  'title',
  'title_stems',
  'keywords',
  'keywords_stems',
  'description',
  'description_stems',
  'text',
  'stems',
  'url',
  'host',
] as const satisfies readonly Column[]

const BM25 = `bm25(page_words, ${COLUMNS.map((column) => WEIGHTS[column]).join(', ')})`

/** Smaller is better, as in FTS5. */
export function blended({ rankWeight = RANK_WEIGHT }: Scoring): string {
  return rankWeight === 0 ? BM25 : `${BM25} * (1 + ${rankWeight} * page.standing)`
}

export const INSERT_WORDS = `
  INSERT INTO page_words (rowid, ${COLUMNS.join(', ')})
  VALUES (?${', ?'.repeat(COLUMNS.length)})`

export const STEM_COLUMNS: readonly Column[] = Object.values(STEMS_OF)

export function wordsRow(id: number, columns: PageColumns): [number, ...string[]] {
  return [id, ...COLUMNS.map((column) => columns[column].join(' '))]
}
