// The images of a page: collected as written, made absolute at the end like links. Lazy loading scripts
// keep the true address in an attribute of their own; `srcset` offers several sizes of one image.
import { ATTRIBUTE } from '../html/html-names.ts'
import type { HtmlScanner } from '../html/html-scanner.ts'
import { AddressBudget, type Cells, type LinkResolver, trimNulls } from './link-resolver.ts'

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

/** One of the images to choose from; without a width or density it counts as 1x. */
export type SrcsetCandidate = {
  readonly url: string
  /** In pixels, from a `w` descriptor. */
  readonly width: number | null
  /** From an `x` descriptor. */
  readonly density: number | null
}

const MAX_CANDIDATES = 64
const MAX_LENGTH = 1 << 16

const WIDTH_OR_HEIGHT = /^\d+[wh]$/
const DENSITY = /^-?(?:\d+|\d*\.\d+)(?:[eE][+-]?\d+)?x$/
const URL_START = /[^\t\n\f\r ,]/g
const BLANK = /[\t\n\f\r ]/g
const DESCRIPTOR_END = /[\t\n\f\r ,()]/g

/**
 * Parses the `srcset` attribute as the HTML standard says ("parsing a srcset attribute"), with one
 * difference: the number of candidates is limited.
 */
export function parseSrcset(value: string): readonly SrcsetCandidate[] {
  const text = value.length > MAX_LENGTH ? value.slice(0, MAX_LENGTH) : value
  const candidates: SrcsetCandidate[] = []
  let at = find(URL_START, text, 0)
  while (at < text.length && candidates.length < MAX_CANDIDATES) {
    const end = find(BLANK, text, at)
    const written = text.slice(at, end)
    const descriptors: string[] = []
    const next = written.endsWith(',') ? end : readDescriptors(text, end, descriptors)
    const candidate = candidateOf(withoutCommas(written), descriptors)
    if (candidate !== null) candidates.push(candidate)
    at = find(URL_START, text, next)
  }
  return candidates
}

/** The widest, otherwise the densest; the first of equals; null when there is none. */
export function bestCandidate(candidates: readonly SrcsetCandidate[]): SrcsetCandidate | null {
  let best: SrcsetCandidate | null = null
  for (const candidate of candidates) {
    if (best === null || rank(candidate) > rank(best)) best = candidate
  }
  return best
}

/** Any width beats any density: authors who give widths give them for all. */
function rank({ width, density }: SrcsetCandidate): number {
  return width === null ? Math.min(density ?? 1, 1000) : 1000 + width
}

/** Adds the descriptors from `from` to the comma that ends them; returns the offset of the comma. */
function readDescriptors(text: string, from: number, descriptors: string[]): number {
  let current = ''
  let at = from
  for (;;) {
    const end = find(DESCRIPTOR_END, text, at)
    current += text.slice(at, end)
    if (text[end] === '(') {
      // In parentheses neither spaces nor commas end anything.
      const close = text.indexOf(')', end)
      at = close < 0 ? text.length : close + 1
      current += text.slice(end, at)
    } else if (text[end] === ')') {
      current += ')'
      at = end + 1
    } else {
      if (current !== '') descriptors.push(current)
      if (end >= text.length || text[end] === ',') return end
      current = ''
      at = end + 1
    }
  }
}

/** Null when the standard calls it an error. */
function candidateOf(url: string, descriptors: readonly string[]): SrcsetCandidate | null {
  let width: number | null = null
  let density: number | null = null
  let height: number | null = null
  for (const descriptor of descriptors) {
    const value = Number(descriptor.slice(0, -1))
    if (DENSITY.test(descriptor)) {
      if (width !== null || density !== null || height !== null || value < 0) return null
      density = value
    } else if (!WIDTH_OR_HEIGHT.test(descriptor) || value === 0) return null
    else if (descriptor.endsWith('w')) {
      if (width !== null || density !== null) return null
      width = value
    } else {
      if (height !== null || density !== null) return null
      height = value
    }
  }
  return height !== null && width === null ? null : { url, width, density }
}

/** The first match from an offset on; the text's end without one. */
function find(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from
  return pattern.test(text) ? pattern.lastIndex - 1 : text.length
}

function withoutCommas(url: string): string {
  let end = url.length
  while (end > 0 && url.charCodeAt(end - 1) === 44) end--
  return url.slice(0, end)
}
