// The prefixes of a URL as 32-bit numbers, never 0: its host, its first directory and its second one. Pages
// with the same prefix tend to be alike.
import type { CanonicalUrl } from '../core/url.ts'
import { finished, HASH_START, hashUnit } from '../text/hash-text.ts'

const SLASH = 0x2f
const QUESTION_MARK = 0x3f

/** Host, directory and subdirectory; pages outside all directories share a prefix of their own. */
export type UrlPrefixes = readonly [host: number, directory: number, subdirectory: number]

export function placesOf(url: CanonicalUrl): UrlPrefixes {
  const start = url.indexOf('//') + 2
  let hash = HASH_START
  let at = start
  for (; at < url.length && url.charCodeAt(at) !== SLASH; at++) {
    hash = hashUnit(hash, url.charCodeAt(at))
  }
  const host = hash
  const directory = directoryAfter(url, at)
  const subdirectory = directory < 0 ? directory : directoryAfter(url, directory)
  for (; at < directory; at++) hash = hashUnit(hash, url.charCodeAt(at))
  const first = hash
  for (; at < subdirectory; at++) hash = hashUnit(hash, url.charCodeAt(at))
  return [placeOf(host, 0), placeOf(first, 1), placeOf(hash, 2)]
}

/** The end of the directory that starts at a slash: the next slash, or -1. */
function directoryAfter(url: string, slash: number): number {
  for (let at = slash + 1; at < url.length; at++) {
    const code = url.charCodeAt(at)
    if (code === SLASH) return at
    if (code === QUESTION_MARK) return -1
  }
  return -1
}

/** The prefix of a page as a hub, for the pages it links to. */
export function hubOf(pageId: number): number {
  return placeOf(HASH_START, pageId)
}

/** Levels get different numbers, or a page outside all directories would be learned from three times. */
function placeOf(hash: number, level: number): number {
  return finished(hashUnit(hash, level)) >>> 0
}
