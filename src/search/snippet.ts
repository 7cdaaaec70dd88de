// Chooses the piece of a text that shows best why it was found. The result is plain text with positions,
// never markup: the text comes from the web, and the caller decides how to display it.
import type { Match } from './matches.ts'

/** `marks` are [start, end) in UTF-16 units of `text`, in order and disjoint. */
export type Marked = {
  readonly text: string
  readonly marks: readonly (readonly [start: number, end: number])[]
}

/** UTF-16 units of a snippet, without the ellipses at its ends: two lines on most screens. */
export const SNIPPET_LENGTH = 240
/** The most text before the first match: enough for the start of its sentence. */
const LEAD = 80
/** How far an end may move to keep a word whole; longer words are cut. */
const MOVE = 40
const ELLIPSIS = '\u2026'

/** The whole text with its matches. */
export function markAll(text: string, matches: readonly Match[]): Marked {
  return { text, marks: joined(matches.map(({ start, end }) => [start, end])) }
}

/** The best window of the text, or its beginning if nothing matches. White space becomes spaces. */
export function snippetOf(text: string, matches: readonly Match[]): Marked {
  const best = bestRun(matches)
  const [from, to] = windowAround(text, best)
  const inside = matches.filter(({ start, end }) => start >= from && end <= to)
  return flattened(text, [from, to], markAll(text, inside).marks)
}

type Span = readonly [start: number, end: number]

/**
 * The run of matches that fits into one window and has the most terms; then the most matches; then the first.
 */
function bestRun(matches: readonly Match[]): Span | null {
  const inWindow = new Map<number, number>()
  let best: Span | null = null
  let bestWorth = 0
  let first = 0
  for (const { term, end } of matches) {
    inWindow.set(term, (inWindow.get(term) ?? 0) + 1)
    for (; first < matches.length; first++) {
      const oldest = matches[first]
      if (oldest === undefined || end - oldest.start <= SNIPPET_LENGTH) break
      drop(inWindow, oldest.term)
    }
    const worth = worthOf(inWindow)
    const start = matches[first]?.start
    if (worth <= bestWorth || start === undefined) continue
    bestWorth = worth
    best = [start, Math.max(start, end)]
  }
  return best
}

function drop(counts: Map<number, number>, term: number): void {
  const count = (counts.get(term) ?? 1) - 1
  if (count === 0) counts.delete(term)
  else counts.set(term, count)
}

/** One more term is worth more than any number of repetitions. */
function worthOf(counts: ReadonlyMap<number, number>): number {
  let more = 0
  for (const count of counts.values()) more += Math.min(count, 4) - 1
  return counts.size * 1000 + more
}

function windowAround(text: string, best: Span | null): Span {
  const [start, end] = best ?? [0, 0]
  const lead = Math.max(0, Math.min(LEAD, Math.floor((SNIPPET_LENGTH - (end - start)) / 2)))
  // Near the end of a text, little text can follow, so more text before is shown.
  const latest = Math.max(0, text.length - SNIPPET_LENGTH)
  const from = startOfWord(text, Math.min(Math.max(0, start - lead), latest), start)
  return [from, endOfWord(text, Math.min(text.length, from + SNIPPET_LENGTH), Math.max(end, from))]
}

const SPACE = /\s/

/** The first start of a word at or after `at`, but not after `latest`. */
function startOfWord(text: string, at: number, latest: number): number {
  if (at === 0) return 0
  const last = Math.min(at + MOVE, Math.max(at, latest))
  for (let from = at; from <= last; from++) {
    if (SPACE.test(text.charAt(from - 1)) && !SPACE.test(text.charAt(from))) return from
  }
  return isInside(text, at) ? at + 1 : at
}

function endOfWord(text: string, at: number, earliest: number): number {
  if (at === text.length) return at
  const last = Math.max(at - MOVE, earliest)
  for (let to = at; to >= last; to--) {
    if (SPACE.test(text.charAt(to)) && !SPACE.test(text.charAt(to - 1))) return to
  }
  return isInside(text, at) ? at - 1 : at
}

/** True if a cut here would split a surrogate pair. */
function isInside(text: string, at: number): boolean {
  return (text.codePointAt(at - 1) ?? 0) > 0xffff
}

/** Merges marks that touch or overlap. */
function joined(spans: readonly Span[]): Span[] {
  const marks: Span[] = []
  for (const [start, end] of spans.toSorted(([a], [b]) => a - b)) {
    const last = marks.at(-1)
    if (last !== undefined && start <= last[1]) {
      marks[marks.length - 1] = [last[0], Math.max(last[1], end)]
    } else marks.push([start, end])
  }
  return marks
}

/** White space, control characters and direction marks; each run becomes one space. */
const BLANK = /[\s\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/u

/** Characters that take no room and mean nothing to a reader, such as those in the link beside a heading; left out. */
const UNSEEN = /[\u00ad\u200b\u2060\ufeff]/

/** The window as one line, with the marks moved along. */
function flattened(text: string, [from, to]: Span, marks: readonly Span[]): Marked {
  let line = from > 0 ? ELLIPSIS : ''
  const open = line.length
  const placeOf = new Map<number, number>()
  for (let at = from; at < to; at++) {
    placeOf.set(at, line.length)
    const unit = text.charAt(at)
    if (UNSEEN.test(unit)) continue
    if (!BLANK.test(unit)) line += unit
    else if (line.length > open && !line.endsWith(' ')) line += ' '
  }
  placeOf.set(to, line.length)
  const place = (at: number): number => placeOf.get(at) ?? line.length
  const placed = marks.map(([start, end]): Span => [place(start), place(end)])
  return { text: to < text.length ? line.trimEnd() + ELLIPSIS : line.trimEnd(), marks: placed }
}
