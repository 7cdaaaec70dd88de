// The images of a page: collected as written, made absolute at the end like links. Lazy loading scripts
// keep the true address in an attribute of their own; `srcset` offers several sizes of one image.
import { ATTRIBUTE } from '../html/html-names.ts'
import type { HtmlScanner } from '../html/html-scanner.ts'
import type { LinkResolver } from './link-resolver.ts'
import { AddressBudget, type Cells, trimNulls } from './link-resolver.ts'
import { bestCandidate, parseSrcset, type SrcsetCandidate } from './srcset.ts'

const MAX_IMAGES = 2000
/** An inline address, often a blank placeholder for the true image. */
const INLINE = /^\s*(?:data|blob|about):/i

type Written = {
  readonly src: string
  readonly best: string
  readonly alt: string
  readonly width: number | null
  readonly height: number | null
}

export class ImageList {
  readonly #written = new Map<string, Written>()
  #inPicture = false
  /** The best source of the open `<picture>`. */
  #pictureBest: SrcsetCandidate | null = null
  /** The page had more images than the limit. */
  cut = false

  startPicture(): void {
    this.#inPicture = true
    this.#pictureBest = null
  }

  endPicture(): void {
    this.#inPicture = false
    this.#pictureBest = null
  }

  /** A `<source>`; those of audio and video are not images. */
  addSource(tag: HtmlScanner): void {
    if (!this.#inPicture) return
    const best = bestOf(tag)
    if (best !== null) this.#pictureBest = better(this.#pictureBest, best)
  }

  add(tag: HtmlScanner, alt: string): void {
    const own = tag.value(ATTRIBUTE.src)
    const late = lazySource(tag)
    const best = better(bestOf(tag), this.#pictureBest)?.url ?? late
    const isOwn = own !== '' && !INLINE.test(own.slice(0, 32))
    const src = isOwn ? own : late || best
    if (src === '' || this.#written.has(src)) return
    if (this.#written.size >= MAX_IMAGES) {
      this.cut = true
      return
    }
    const width = pixels(tag.value(ATTRIBUTE.width))
    const height = pixels(tag.value(ATTRIBUTE.height))
    this.#written.set(src, { src, best, alt, width, height })
  }

  /**
   * The images with an address, each once; inline images have none. A row is source, alternative
   * text, width and height if given in pixels, and the largest version if it has another address.
   */
  resolve(resolver: LinkResolver): readonly Cells[] {
    const rows = new Map<string, Cells>()
    const room = new AddressBudget()
    for (const { src, best, alt, width, height } of this.#written.values()) {
      const url = resolver.resolve(src)
      if (url === null || rows.has(url)) continue
      const bestUrl = best === '' || best === src ? null : resolver.resolve(best)
      const other = bestUrl === url ? null : bestUrl
      if (!room.take(url) || !room.take(other)) {
        this.cut = true
        break
      }
      rows.set(url, trimNulls([url, alt, width, height, other], 2))
    }
    return [...rows.values()]
  }
}

/** The address of an image as written; '' for an inline image. */
export function imageSource(tag: HtmlScanner): string {
  const own = tag.value(ATTRIBUTE.src)
  if (own !== '' && !INLINE.test(own.slice(0, 32))) return own
  return lazySource(tag) || (bestOf(tag)?.url ?? '')
}

/** The address for lazy loading scripts. */
function lazySource(tag: HtmlScanner): string {
  return (
    tag.value(ATTRIBUTE['data-src']) ||
    tag.value(ATTRIBUTE['data-original']) ||
    tag.value(ATTRIBUTE['data-lazy-src'])
  )
}

function bestOf(tag: HtmlScanner): SrcsetCandidate | null {
  const late = bestIn(tag, ATTRIBUTE['data-srcset'])
  return late ?? bestIn(tag, ATTRIBUTE.srcset)
}

function bestIn(tag: HtmlScanner, attribute: number): SrcsetCandidate | null {
  if (!tag.has(attribute)) return null
  const candidates = parseSrcset(tag.value(attribute))
  return bestCandidate(candidates.filter(({ url }) => !INLINE.test(url.slice(0, 32))))
}

function better(first: SrcsetCandidate | null, second: SrcsetCandidate | null) {
  if (first === null || second === null) return first ?? second
  return bestCandidate([first, second])
}

const PIXELS = /^\s*(\d{1,6})(?:\.\d*)?(?:px)?\s*$/i

function pixels(value: string): number | null {
  if (value === '') return null
  const digits = PIXELS.exec(value.slice(0, 20))?.[1]
  return digits === undefined ? null : Number(digits)
}
