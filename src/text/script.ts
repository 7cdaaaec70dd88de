// The script of a letter, as far as it distinguishes languages.

/** First code unit of each run of letters and its script, in order; '' for runs without letters. */
const RUNS: readonly (readonly [first: number, script: string])[] = [
  [0, ''],
  [0x41, 'Latin'],
  [0x5b, ''],
  [0x61, 'Latin'],
  [0x7b, ''],
  [0xc0, 'Latin'],
  [0x2b0, ''],
  [0x370, 'el'],
  [0x400, 'Cyrillic'],
  [0x530, 'hy'],
  [0x590, 'he'],
  [0x600, 'Arabic'],
  [0x660, ''],
  [0x66e, 'Arabic'],
  [0x6f0, ''],
  [0x6fa, 'Arabic'],
  [0x780, ''],
  [0x900, 'Devanagari'],
  [0x964, ''],
  [0x980, 'bn'],
  [0xa00, 'pa'],
  [0xa80, 'gu'],
  [0xb00, 'or'],
  [0xb80, 'ta'],
  [0xc00, 'te'],
  [0xc80, 'kn'],
  [0xd00, 'ml'],
  [0xd80, 'si'],
  [0xe00, 'th'],
  [0xe80, 'lo'],
  [0xf00, 'bo'],
  [0x1000, 'my'],
  [0x10a0, 'ka'],
  [0x1100, 'ko'],
  [0x1200, 'am'],
  [0x13a0, ''],
  [0x1780, 'km'],
  [0x1800, ''],
  [0x1e00, 'Latin'],
  [0x1f00, 'el'],
  [0x2000, ''],
  [0x3041, 'Kana'],
  [0x3100, ''],
  [0x3400, 'Han'],
  [0xa000, ''],
  [0xac00, 'ko'],
  [0xd7b0, ''],
  [0xf900, 'Han'],
  [0xfb00, ''],
]

/** Names of scripts that many languages share, and tags of languages with a script of their own. */
export const SCRIPTS: readonly string[] = [...new Set(RUNS.map(([, script]) => script))]

const firsts = Int32Array.from(RUNS, ([first]) => first)
const indexes = Int32Array.from(RUNS, ([, script]) => SCRIPTS.indexOf(script))
const LATIN = SCRIPTS.indexOf('Latin')

/** The script of a letter as an index in SCRIPTS; 0 for none. */
export function scriptOf(code: number): number {
  if (code >= 0x61 && code <= 0x7a) return LATIN
  let low = 0
  let high = firsts.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((firsts[middle] ?? 0) <= code) low = middle
    else high = middle - 1
  }
  return indexes[low] ?? 0
}
