// The style sheets of one page: where they come from, and how long those in the page itself are.
import { ATTRIBUTE } from '../html/html-names.ts'
import type { HtmlScanner } from '../html/html-scanner.ts'
import { shortened } from '../html/text-sink.ts'
import type { LinkResolver } from './link-resolver.ts'
import { AddressRoom, type Cells, withoutEmptyEnd } from './rows.ts'

const MAX_STYLES = 500
const MAX_MEDIA = 200
const STYLESHEET = /(?:^|\s)stylesheet(?:\s|$)/i

type Written = readonly [href: string | null, media: string | null, length: number | null]

export class StyleList {
  readonly #written: Written[] = []
  /** The page had more style sheets than are kept of one. */
  cut = false

  /** A `<link>`, if it is one to a style sheet. */
  addLink(tag: HtmlScanner): void {
    const rel = tag.value(ATTRIBUTE.rel)
    if (rel.length > MAX_MEDIA || !STYLESHEET.test(rel) || !tag.has(ATTRIBUTE.href)) return
    this.#add([tag.value(ATTRIBUTE.href), mediaOf(tag), null])
  }

  /** A `<style>`, whose text lies between the two places of the page. */
  add(tag: HtmlScanner, from: number, to: number): void {
    this.#add([null, mediaOf(tag), to - from])
  }

  /** A row is address, media query, and the length in bytes of one that stands in the page. */
  resolve(resolver: LinkResolver): readonly Cells[] {
    const room = new AddressRoom()
    const rows: Cells[] = []
    for (const [href, ...rest] of this.#written) {
      const url = href === null ? null : resolver.resolve(href)
      if (room.take(url)) rows.push(withoutEmptyEnd([url, ...rest], 1))
      else this.cut = true
    }
    return rows
  }

  #add(row: Written): void {
    if (this.#written.length < MAX_STYLES) this.#written.push(row)
    else this.cut = true
  }
}

function mediaOf(tag: HtmlScanner): string | null {
  const media = shortened(tag.value(ATTRIBUTE.media), MAX_MEDIA).trim()
  return media === '' ? null : media
}
