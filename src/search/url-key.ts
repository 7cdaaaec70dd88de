// By which the same URL is known in several crawls.
import { createUrlHasher } from '../lib/url-hash.ts'

const hashUrl = createUrlHasher(0)

/** 52 bits of a hash. Two URLs that share them by bad luck would be one hit, in one of 10,000 indexes. */
export function urlKey(url: string): number {
  const { hi, lo } = hashUrl(url)
  return (hi >>> 12) * 2 ** 32 + lo
}
