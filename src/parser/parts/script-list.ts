// The scripts of one page: where they come from, and how long those in the page itself are. Their
// code is not kept. JSON-LD is: it is no code but what the page says about itself.
import { ATTRIBUTE } from '../html/html-names.ts'
import type { HtmlScanner } from '../html/html-scanner.ts'
import { shortened } from '../html/text-sink.ts'
import type { LinkResolver } from './link-resolver.ts'
import { AddressRoom, type Cells, withoutEmptyEnd } from './rows.ts'

const MAX_SCRIPTS = 500
const MAX_TYPE = 100
/** In characters; a longer one is left out, since half a JSON text is none. */
const MAX_JSON_LD = 1 << 15
const JSON_LD = 'application/ld+json'

type Written = readonly [
  src: string | null,
  type: string,
  load: string | null,
  length: number | null,
  text: string | null,
]

export class ScriptList {
  readonly #written: Written[] = []
  #jsonLdRoom = 2 * MAX_JSON_LD
  /** The page had more scripts than are kept of one. */
  cut = false

  /** A `<script>`, whose text lies between the two places of the page. */
  add(tag: HtmlScanner, from: number, to: number): void {
    if (this.#written.length >= MAX_SCRIPTS) {
      this.cut = true
      return
    }
    const type = shortened(tag.value(ATTRIBUTE.type), MAX_TYPE).trim().toLowerCase()
    if (tag.has(ATTRIBUTE.src)) {
      const load = tag.has(ATTRIBUTE.async) ? 'async' : tag.has(ATTRIBUTE.defer) ? 'defer' : null
      this.#written.push([tag.value(ATTRIBUTE.src), type, load, null, null])
    } else {
      const text = type === JSON_LD ? this.#jsonLd(tag, from, to) : null
      this.#written.push([null, type, null, to - from, text])
    }
  }

  /**
   * A row is address, type ('' for JavaScript), `async` or `defer`, the length in bytes of a script
   * that stands in the page, and the text of JSON-LD.
   */
  resolve(resolver: LinkResolver): readonly Cells[] {
    const room = new AddressRoom()
    const rows: Cells[] = []
    for (const [src, ...rest] of this.#written) {
      const url = src === null ? null : resolver.resolve(src)
      if (room.take(url)) rows.push(withoutEmptyEnd([url, ...rest], 2))
      else this.cut = true
    }
    return rows
  }

  #jsonLd(tag: HtmlScanner, from: number, to: number): string | null {
    if (to - from > MAX_JSON_LD || to - from > this.#jsonLdRoom) {
      this.cut = true
      return null
    }
    this.#jsonLdRoom -= to - from
    return tag.slice(from, to).trim()
  }
}
