// 64-bit keyed hashes of URLs as two 32-bit lanes: no BigInt lives longer than this function.
import xxhash from 'xxhash-wasm'

export type Hash64 = { readonly hi: number; readonly lo: number }
export type UrlHasher = (url: string) => Hash64

const { h64 } = await xxhash()
const wide = new BigUint64Array(1)
const lanes = new Uint32Array(wide.buffer)

/** A hasher for one crawl. The salt keeps outsiders from preparing URLs that collide. */
export function createUrlHasher(salt: number): UrlHasher {
  const seed = BigInt(salt)
  return (url) => {
    wide[0] = h64(url, seed)
    return { hi: lanes[1] ?? 0, lo: lanes[0] ?? 0 }
  }
}
