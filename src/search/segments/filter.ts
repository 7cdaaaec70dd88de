// Which pages a search may find: those that did not go, and that its filter allows.
import { primaryLanguage } from '../../text/text.ts'
import type { SearchFilter } from '../search-index.ts'
import { COLUMN_PIECE, type ColumnName } from './doc-columns.ts'
import type { IndexView } from './index-view.ts'

type Test = {
  readonly column: ColumnName
  readonly isAllowed: (value: number) => boolean
}

export class Filter {
  readonly #view: IndexView
  readonly #tests: readonly Test[]
  #values: readonly (readonly [values: ArrayLike<number>, isAllowed: Test['isAllowed']])[] = []
  #gone: Uint8Array = new Uint8Array(0)
  #piece = -1

  /** `topics`: the topics of crawls, by crawl number. */
  constructor(view: IndexView, filter: SearchFilter, topics: ReadonlyMap<number, string>) {
    this.#view = view
    this.#tests = testsOf(filter, view, topics)
  }

  /** True if all pages are allowed that are there. */
  get isOpen(): boolean {
    return this.#tests.length === 0
  }

  allows(doc: number): boolean {
    const piece = Math.floor(doc / COLUMN_PIECE)
    if (piece !== this.#piece) this.#load(piece)
    const place = doc % COLUMN_PIECE
    if (this.#gone[place] !== 0) return false
    for (const [values, isAllowed] of this.#values) if (!isAllowed(values[place] ?? 0)) return false
    return true
  }

  #load(piece: number): void {
    const { columns } = this.#view
    this.#gone = columns.piece('gone', piece)
    this.#values = this.#tests.map(({ column, isAllowed }) => [
      columns.piece(column, piece),
      isAllowed,
    ])
    this.#piece = piece
  }
}

function testsOf(
  filter: SearchFilter,
  { numberOf }: IndexView,
  topics: ReadonlyMap<number, string>,
): Test[] {
  const { crawlId, host, language, kind, hot, topic, changedAfter } = filter
  const { since, until, publishedSince, publishedUntil } = filter
  const tests: Test[] = []
  const is = (column: ColumnName, wanted: number) =>
    tests.push({ column, isAllowed: (value) => value === wanted })
  // No page has the number 0 in these columns.
  const isText = (column: ColumnName, text: string) => is(column, numberOf(text) || -1)
  if (crawlId !== undefined) is('crawl', crawlId)
  if (host !== undefined) isText('host', host.toLowerCase())
  if (language !== undefined) isText('language', primaryLanguage(language))
  if (kind !== undefined) isText('kind', kind)
  if (hot !== undefined) is('hot', Number(hot))
  // No page is within a time that is not a number.
  const within = (column: ColumnName, from = -Infinity, before = Infinity) =>
    tests.push({ column, isAllowed: (value) => value >= from && value < before })
  if (since !== undefined || until !== undefined) within('fetched', since, until)
  if (publishedSince !== undefined || publishedUntil !== undefined) {
    within('published', publishedSince, publishedUntil)
  }
  if (changedAfter !== undefined) within('changed', changedAfter + 1)
  if (topic !== undefined) {
    const crawls = new Set([...topics].filter(([, about]) => about === topic).map(([id]) => id))
    is('hot', 1)
    tests.push({ column: 'crawl', isAllowed: (value) => crawls.has(value) })
  }
  return tests
}
