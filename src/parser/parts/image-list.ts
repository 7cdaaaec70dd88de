// The images of one page: gathered as written, made absolute at the end like links.
import { ATTRIBUTE } from '../html/html-names.ts'
import type { HtmlScanner } from '../html/html-scanner.ts'
import type { LinkResolver } from './link-resolver.ts'

const MAX_IMAGES = 2000

/** A row of the `images` part: source, alternative text, width and height where given in pixels. */
export type ImageRow = readonly [string, string, number | null, number | null]

export class ImageList {
  readonly #written = new Map<string, ImageRow>()

  /** Adds the image whose tag was just read. */
  add(tag: HtmlScanner, alt: string): void {
    if (this.#written.size >= MAX_IMAGES) return
    const src = tag.value(ATTRIBUTE.src)
    if (src === '' || this.#written.has(src)) return
    const width = pixels(tag.value(ATTRIBUTE.width))
    const height = pixels(tag.value(ATTRIBUTE.height))
    this.#written.set(src, [src, alt, width, height])
  }

  /** Those on the web, each once; an image inside the page itself has no address. */
  resolve(resolver: LinkResolver): readonly ImageRow[] {
    const rows = new Map<string, ImageRow>()
    for (const [src, alt, width, height] of this.#written.values()) {
      const url = resolver.resolve(src)
      if (url !== null && !rows.has(url)) rows.set(url, [url, alt, width, height])
    }
    return [...rows.values()]
  }
}

const PIXELS = /^\s*(\d{1,6})(?:\.\d*)?(?:px)?\s*$/i

function pixels(value: string): number | null {
  if (value === '') return null
  const digits = PIXELS.exec(value.slice(0, 20))?.[1]
  return digits === undefined ? null : Number(digits)
}
