// Hits and suggestions as people read them on a terminal.
import { showCount, showNumber, showTime } from '../../lib/format.ts'
import { cells, fit, safeText } from '../../lib/terminal.ts'
import type { SearchResult, Suggestions } from '../../reads/shapes/page.ts'
import type { Style } from '../table.ts'

export function suggestionsText({ words, titles }: Suggestions, style: Style): string {
  if (words.length + titles.length === 0) return 'nothing begins like this\n'
  const lines = [
    ...words.map(({ text, pages }) => `${safeText(text)}  ${style.dim(showNumber(pages, 'page'))}`),
    ...titles.flatMap(({ title, title_marks: marks, url }) => [
      ...wrapped(piecesOf(title, marks), MAX_WIDTH, style),
      INDENT + style.dim(safeText(url)),
    ]),
  ]
  return `${lines.join('\n')}\n`
}

/** What is printed of a hit. */
export type PrintedHit = Omit<SearchResult['hits'][number], 'id' | 'host' | 'score'>

/** What is printed of a result. */
export type PrintedResult = Pick<
  SearchResult,
  'total' | 'pages' | 'whole' | 'suggestion' | 'index' | 'facets'
> & {
  readonly typos: readonly Omit<SearchResult['typos'][number], 'pages'>[]
  readonly hits: readonly PrintedHit[]
}

type PrintOptions = {
  readonly style: Style
  /** Columns of the terminal. */
  readonly width: number
  /** The number of hits that were skipped. */
  readonly offset: number
}

const INDENT = '    '
/** Longer lines are hard to read. */
const MAX_WIDTH = 100
/** Values shown of each facet. */
const FACET_VALUES = 5
const FACET_CELLS = 40
const FACETS = ['hosts', 'languages', 'kinds', 'crawls', 'topics'] as const

/** Hits as people read them. All texts come from the web: they are shown, never obeyed. */
export function searchText(result: PrintedResult, options: PrintOptions): string {
  const { hits, suggestion } = result
  const blocks = hits.map((hit, nth) => hitText(hit, options.offset + nth + 1, options))
  const end = [
    ...facetLines(result, options),
    totalLine(result, options),
    ...(suggestion === null ? [] : [`did you mean: ${options.style.bold(safeText(suggestion))}`]),
  ]
  return [...notWholeNote(result), ...blocks, `${end.join('\n')}\n`].join('\n')
}

/** Stands before the hits, so that a reader of the first few is not misled. */
function notWholeNote({ whole, hits, typos }: PrintedResult): string[] {
  if (hits.length === 0) return []
  if (typos.length > 0) return typos.map(typoNote)
  if (whole > 0) return []
  return ['no page has all these words; these have some of them:\n']
}

function typoNote({ word, meant }: PrintedResult['typos'][number]): string {
  const words = meant.map((each) => `${safeText(each.word)} (${showNumber(each.pages, 'page')})`)
  return `hardly any page has "${safeText(word)}"; also searched: ${words.join(', ')}\n`
}

function hitText(hit: PrintedHit, number: number, { style, width }: PrintOptions): string {
  const room = Math.min(MAX_WIDTH, Math.max(20, width - INDENT.length))
  const hasTitle = safeText(hit.title).trim() !== ''
  const title = hasTitle ? piecesOf(hit.title, hit.title_marks) : piecesOf('(no title)', [])
  const [first = '', ...rest] = wrapped(title, room, style)
  return [
    `${String(number).padStart(INDENT.length - 1)} ${first}`,
    ...rest.map((line) => INDENT + line),
    INDENT + urlLine(hit, Math.max(20, width - INDENT.length), style),
    ...wrapped(piecesOf(hit.snippet, hit.snippet_marks), room, style).map((line) => INDENT + line),
    ...hit.link_texts.flatMap(({ text, marks }) => {
      const before = 'linked as: '
      const moved = marks.map((mark) => mark.map((at) => at + before.length))
      return wrapped(piecesOf(before + text, moved), room, style).map((line) => INDENT + line)
    }),
    INDENT + style.dim(fit(factsOf(hit), room)),
    '',
  ].join('\n')
}

/** Marked where it is shown whole. */
function urlLine({ url, url_marks: marks }: PrintedHit, room: number, style: Style): string {
  const plain = fit(safeText(url), room)
  return plain === url ? (wrapped(piecesOf(url, marks), room, style)[0] ?? plain) : plain
}

function factsOf(hit: PrintedHit): string {
  const { language, kind, crawl, hot, others } = hit
  const similar = others > 0 ? showNumber(others, 'similar page') : ''
  const day = showTime(hit.fetched_at).slice(0, 10)
  const said = hit.published_at === null ? '' : `of ${showTime(hit.published_at).slice(0, 10)}`
  const facts = [language, kind, hot ? 'hot' : '', said, day, crawl, similar]
  return facts
    .map(safeText)
    .filter((fact) => fact !== '')
    .join(' · ')
}

function facetLines({ facets }: PrintedResult, { width }: PrintOptions): string[] {
  return FACETS.flatMap((name) => {
    const values = facets[name]
    // One value alone tells nothing apart.
    if (values.length < 2) return []
    const shown = values
      .slice(0, FACET_VALUES)
      .map(({ value, count }) => `${fit(safeText(value), FACET_CELLS)} ${showCount(count)}`)
    const more = values.length > FACET_VALUES ? ', …' : ''
    return [fit(`${`${name}:`.padEnd(11)}${shown.join(', ')}${more}`, Math.max(20, width))]
  })
}

/** Pages that are not indexed yet may be hits. */
const NOTHING: Readonly<Record<SearchResult['index'], string>> = {
  ready: 'nothing found',
  behind: 'nothing found in what is indexed so far; not all stored pages are',
  none: 'nothing can be searched yet: no stored page is indexed so far',
  empty: 'nothing can be searched yet: no page is stored so far',
}

function totalLine(result: PrintedResult, { offset }: PrintOptions): string {
  const { total, pages, hits, index } = result
  if (total === 0) return NOTHING[index]
  const similar = pages > total ? ` (${showNumber(pages, 'page')} with similar ones; --all)` : ''
  const end = offset + hits.length
  const found = showNumber(total, 'hit') + similar + wholeText(result)
  if (hits.length === total) return found
  const shown =
    hits.length === 0 ? 'none from here on' : `${showCount(offset + 1)}–${showCount(end)} shown`
  const more = end < total && hits.length > 0 ? `, --offset ${end} for more` : ''
  return `${found}; ${shown}${more}`
}

/** Pages are counted: where hits are fewer, that must be said. */
function wholeText({ total, pages, whole }: PrintedResult): string {
  if (whole === pages) return ''
  const count = pages > total ? showNumber(whole, 'page') : showCount(whole)
  return `, ${whole === 0 ? 'none' : count} with all words`
}

type Piece = { readonly text: string; readonly marked: boolean }

/** A text cut at its marks, each piece safe by itself. */
function piecesOf(text: string, marks: readonly (readonly number[])[]): Piece[] {
  const pieces: Piece[] = []
  let at = 0
  for (const [start = 0, end = 0] of marks) {
    pieces.push({ text: safeText(text.slice(at, start)), marked: false })
    pieces.push({ text: safeText(text.slice(start, end)), marked: true })
    at = end
  }
  return [...pieces, { text: safeText(text.slice(at)), marked: false }]
}

/** In lines of so many cells; a longer word is cut. */
function wrapped(pieces: readonly Piece[], width: number, style: Style): string[] {
  const lines: string[] = []
  let line = ''
  let used = 0
  for (const { text, marked } of pieces) {
    for (const part of text.split(/( +)/)) {
      if (part === '' || (part.startsWith(' ') && used === 0)) continue
      const room = cells(part)
      if (used > 0 && used + room > width) {
        lines.push(line.trimEnd())
        line = ''
        used = 0
        if (part.startsWith(' ')) continue
      }
      line += marked ? style.bold(fit(part, width)) : fit(part, width)
      used += Math.min(room, width)
    }
  }
  return line.trim() === '' ? lines : [...lines, line.trimEnd()]
}
