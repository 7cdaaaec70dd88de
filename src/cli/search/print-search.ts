// Hits of a search as people read them. All texts are what the web said: shown, never obeyed.

import { showCount, showNumber, showTime } from '../../lib/format.ts'
import { cells, fit, safeText } from '../../lib/terminal.ts'
import type { Style } from '../style.ts'

/** As much of a result as is printed. Places are [start, end) in UTF-16 units. */
export type PrintedHit = {
  readonly url: string
  readonly title: string
  readonly snippet: string
  readonly title_marks: readonly (readonly number[])[]
  readonly snippet_marks: readonly (readonly number[])[]
  readonly others: number
  readonly language: string
  readonly kind: string
  readonly hot: boolean
  readonly crawl: string
  readonly fetched_at: number
}

type FacetCounts = readonly { readonly value: string; readonly count: number }[]

export type PrintedResult = {
  readonly total: number
  readonly pages: number
  /** Pages that have all words. */
  readonly whole: number
  readonly suggestion: string | null
  readonly hits: readonly PrintedHit[]
  readonly facets: Readonly<
    Record<'hosts' | 'languages' | 'kinds' | 'crawls' | 'topics', FacetCounts>
  >
}

export type PrintOptions = {
  readonly style: Style
  /** Of the terminal. */
  readonly width: number
  /** Hits passed over. */
  readonly offset: number
}

const INDENT = '    '
/** Longer lines are hard to read. */
const MAX_WIDTH = 100
/** Of each facet. */
const FACET_VALUES = 5
const FACET_CELLS = 40
const FACETS = ['hosts', 'languages', 'kinds', 'crawls', 'topics'] as const

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

/** Before the hits: who reads only the first of them is not misled. */
function notWholeNote({ whole, hits }: PrintedResult): string[] {
  if (whole > 0 || hits.length === 0) return []
  return ['no page has all these words; these have some of them:\n']
}

function hitText(hit: PrintedHit, number: number, { style, width }: PrintOptions): string {
  const room = Math.min(MAX_WIDTH, Math.max(20, width - INDENT.length))
  const hasTitle = safeText(hit.title).trim() !== ''
  const title = hasTitle ? piecesOf(hit.title, hit.title_marks) : piecesOf('(no title)', [])
  const [first = '', ...rest] = wrapped(title, room, style)
  return [
    `${String(number).padStart(INDENT.length - 1)} ${first}`,
    ...rest.map((line) => INDENT + line),
    INDENT + fit(safeText(hit.url), Math.max(20, width - INDENT.length)),
    ...wrapped(piecesOf(hit.snippet, hit.snippet_marks), room, style).map((line) => INDENT + line),
    INDENT + style.dim(fit(factsOf(hit), room)),
    '',
  ].join('\n')
}

function factsOf({ language, kind, fetched_at: at, crawl, hot, others }: PrintedHit): string {
  const similar = others > 0 ? showNumber(others, 'similar page') : ''
  const day = showTime(at).slice(0, 10)
  const facts = [language, kind, hot ? 'hot' : '', day, crawl, similar]
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

function totalLine(result: PrintedResult, { offset }: PrintOptions): string {
  const { total, pages, whole, hits } = result
  if (total === 0) return 'nothing found'
  const similar = pages > total ? ` (${showNumber(pages, 'page')} with similar ones; --all)` : ''
  const words = whole === pages ? '' : `, ${whole === 0 ? 'none' : showCount(whole)} with all words`
  const end = offset + hits.length
  const found = showNumber(total, 'hit') + words + similar
  if (hits.length === total) return found
  const shown =
    hits.length === 0 ? 'none from here on' : `${showCount(offset + 1)}–${showCount(end)} shown`
  const more = end < total && hits.length > 0 ? `, --offset ${end} for more` : ''
  return `${found}; ${shown}${more}`
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
