// Sketches a text in 128 bytes, from which its overlap with another text can be estimated: MinHash over runs
// of four words, with one hash that distributes them over 128 bins (one permutation hashing). Each bin keeps
// eight bits of its smallest hash. The share of bins in which two texts agree is about the share of runs that
// both have. docs/decisions/011-near-duplicates.md has the measurements, and says why it is not SimHash.
import { finished, HASH_START, hashUnit, mixed } from '../text/text.ts'

const BINS = 128
/** The high bits of a hash select its bin. */
const BIN_SHIFT = 32 - Math.log2(BINS)
const EMPTY = 0xffffffff
/** Shorter texts say too little: they are alike only if they are equal. */
const MIN_WORDS = 20
/** The number of bins in a band, which must all agree, and the number of bands. */
const BAND_BINS = 8
const BANDS = 8
const SPACE = 32

/**
 * `words` are separated by single spaces. A short text gets a short sketch of all its words and its title; an
 * empty text gets null.
 */
export function sketchOf(words: string, title: string): Uint8Array | null {
  if (words === '') return null
  const mins = new Uint32Array(BINS).fill(EMPTY)
  if (dealOut(words, mins) < MIN_WORDS) return sameOnly(`${title}\n${words}`)
  const sketch = new Uint8Array(BINS)
  for (let bin = 0; bin < BINS; bin++) {
    const min = mins[bin] ?? EMPTY
    sketch[bin] = min === EMPTY ? borrowed(mins, bin) : min
  }
  return sketch
}

/** 0 to 1: about the share of runs of words that both texts have. */
export function likeness(a: Uint8Array, b: Uint8Array): number {
  if (a.length !== b.length) return 0
  let same = 0
  for (let at = 0; at < a.length; at++) if (a[at] === b[at]) same++
  if (a.length < BINS) return same === a.length ? 1 : 0
  return same / BINS
}

/**
 * Band numbers, by which a text is found. Two texts that have nine tenths in common share one of them in 99
 * of 100 cases, two that have half in common in 3.
 */
export function bandsOf(sketch: Uint8Array): number[] {
  if (sketch.length < BINS) return [bandNumber(sketch, BANDS)]
  return Array.from({ length: BANDS }, (_, band) => {
    const start = band * BAND_BINS
    return bandNumber(sketch.subarray(start, start + BAND_BINS), band)
  })
}

/** Stores the smallest hash of each bin and returns the number of words. */
function dealOut(words: string, mins: Uint32Array): number {
  let [first, second, third, last] = [0, 0, 0, 0]
  let count = 0
  let hash = HASH_START
  for (let at = 0; at <= words.length; at++) {
    const code = at < words.length ? words.charCodeAt(at) : SPACE
    if (code !== SPACE) {
      hash = hashUnit(hash, code)
      continue
    }
    first = second
    second = third
    third = last
    last = finished(hash)
    hash = HASH_START
    if (++count >= 4) keepRun(first, second, third, last, mins)
  }
  return count
}

function keepRun(a: number, b: number, c: number, d: number, mins: Uint32Array): void {
  // Odd factors without a pattern, so that the same words in another order make another run.
  const run = Math.imul(a, 0x9e3779b1) + Math.imul(b, 0x85ebca77) + Math.imul(c, 0xc2b2ae3d) + d
  const bin = mixed(run) >>> BIN_SHIFT
  const value = mixed(run ^ 0x5bd1e995) >>> 0
  if (value < (mins[bin] ?? 0)) mins[bin] = value
}

/** An empty bin takes the value of another bin, the same one in every text. */
function borrowed(mins: Uint32Array, bin: number): number {
  for (let step = 1; ; step++) {
    const min = mins[mixed(bin * 0x10001 + step) >>> BIN_SHIFT] ?? EMPTY
    if (min !== EMPTY) return min
  }
}

function sameOnly(text: string): Uint8Array {
  let hash = HASH_START
  for (let at = 0; at < text.length; at++) hash = hashUnit(hash, text.charCodeAt(at))
  const lanes = Uint32Array.of(mixed(hash), mixed(Math.imul(hash, 0x9e3779b1) + text.length))
  return new Uint8Array(lanes.buffer)
}

/** 52 bits: more would not fit a number. */
function bandNumber(bytes: Uint8Array, band: number): number {
  let [high, low] = [mixed(band + 1), mixed(band + 101)]
  for (const byte of bytes) {
    high = mixed(Math.imul(high, 31) + byte)
    low = mixed(Math.imul(low, 37) + byte)
  }
  return (high >>> 12) * 2 ** 32 + (low >>> 0)
}
