// The kind of a character for a tokeniser. The Unicode properties of each code unit are looked up once and
// cached: building the whole table at start would cost 10 ms per thread.

export const BREAK = 1
/** A letter or digit that is the same after NFKC. */
export const PLAIN = 2
/** A letter or digit that NFKC may change, alone or with its neighbours. */
export const ODD = 3
/** A combining mark: continues a word, never starts one. */
export const MARK = 4
/** A letter of a script written without spaces between words. */
export const DENSE = 5
export const APOSTROPHE = 6
/** Invisible inside a word: soft hyphen, joiners. */
export const SILENT = 7
/** The first half of a character beyond 16 bits; its kind depends on the second half. */
export const HIGH = 8

const WORD = /^[\p{L}\p{N}]$/u
const MARKS = /^\p{M}$/u
// By script extensions: the long-vowel mark of Japanese belongs to two scripts.
const UNSPACED =
  /^[\p{scx=Hani}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}\p{scx=Tibt}]$/u
const DIGIT = /^\p{Nd}$/u

/** Kinds by code unit, 0 if not looked up yet; read directly by loops that cannot afford a call. */
export const KINDS = new Uint8Array(0x10000)

export function kindOf(code: number): number {
  const kind = KINDS[code] ?? 0
  return kind === 0 ? learn(code) : kind
}

/** The kind of a character given by its two halves; never HIGH, and BREAK for a half alone. */
export function kindOfPair(high: number, low: number): number {
  if (!(low >= 0xdc00 && low <= 0xdfff)) return BREAK
  const kind = kindOfText(String.fromCharCode(high, low))
  return kind === PLAIN ? ODD : kind
}

function learn(code: number): number {
  const kind = kindOfCode(code)
  KINDS[code] = kind
  return kind
}

function kindOfCode(code: number): number {
  if (code === 0x27 || code === 0x2019 || code === 0x02bc) return APOSTROPHE
  if (code === 0xad || (code >= 0x200b && code <= 0x200d) || code === 0x2060) return SILENT
  if (code >= 0xd800 && code <= 0xdbff) return HIGH
  return kindOfText(String.fromCharCode(code))
}

function kindOfText(character: string): number {
  if (MARKS.test(character)) return MARK
  if (!WORD.test(character)) return BREAK
  if (UNSPACED.test(character) && !DIGIT.test(character)) return DENSE
  // Parts of Hangul syllables are stable alone but not in a row.
  const code = character.charCodeAt(0)
  if (code >= 0x1100 && code <= 0x11ff) return ODD
  return character.normalize('NFKC') === character ? PLAIN : ODD
}
