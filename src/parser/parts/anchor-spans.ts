// Where the anchor texts of a page lie in its text. The words themselves, and those around them, are
// cut out once the page was read: then it is known which text is shown and what follows a link.
import type { TextSink } from '../html/text-sink.ts'
import { contextOf } from './link-context.ts'
import type { LinkList } from './link-list.ts'
import type { TextPieces } from './text-pieces.ts'

export const MAX_ANCHOR = 300
/** Of one page, in characters: a page that is all links says little about each. */
const MAX_CONTEXTS = 50_000
const MAX_SPANS = 20_000

/** `place`: of the link in its list. `at`: where it stands in the page. `alt`: if it has no words. */
export type AnchorSpan = {
  readonly place: number
  readonly at: number
  readonly from: number
  readonly to: number
  readonly alt: string
}

export class AnchorSpans {
  readonly #spans: AnchorSpan[] = []
  /** The words of links that are not shown, by their place. */
  readonly #hidden = new Map<number, string>()

  /** A link may have several. */
  add(span: AnchorSpan): void {
    if (this.#spans.length < MAX_SPANS) this.#spans.push(span)
  }

  /** The text of what stands in the page from `at` on is about to be taken back. */
  hideSince(at: number, text: TextSink): void {
    let first = this.#spans.length
    while (first > 0 && (this.#spans[first - 1]?.at ?? 0) >= at) first--
    for (const { place, from, to, alt } of this.#spans.splice(first)) {
      const words = text.lineBetween(from, to, MAX_ANCHOR) || alt
      if (words !== '' && !this.#hidden.has(place)) this.#hidden.set(place, words)
    }
  }

  /** Gives each link its first anchor text, if possible one that is shown, and its first context. */
  describe(links: LinkList, text: TextPieces): void {
    let room = MAX_CONTEXTS
    for (const { place, from, to, alt } of this.#spans) {
      if (links.lacksAnchor(place)) links.setAnchor(place, text.line(from, to, MAX_ANCHOR) || alt)
      if (room <= 0 || !links.lacksContext(place)) continue
      const context = contextOf(text, from, to)
      links.setContext(place, context)
      room -= context.length
    }
    for (const [place, words] of this.#hidden) {
      if (links.lacksAnchor(place)) links.setAnchor(place, words)
    }
  }
}
