// A cache of results for short texts: the same words repeat in every text, and the same anchors on every page
// of a site. Two generations bound it without a list of recent use: a full young generation becomes the old
// one, and texts that are found in the old one move to the young one.

/** Texts of both generations together; about 4 MB. */
const KEPT_TEXTS = 32_768
/** Longer anchors are sentences, and hardly any of them repeats. */
const LONGEST = 60
/** V8 copies a substring up to this length; a longer one would keep its whole page alive. */
const COPIED_LENGTH = 12

/** The same function with a cache of `kept` texts of at most `longest` characters. */
export function remembering<Text extends string, Value extends number | string>(
  answer: (text: Text) => Value,
  { kept = KEPT_TEXTS, longest = LONGEST }: { kept?: number; longest?: number } = {},
): (text: Text) => Value {
  const generation = Math.max(1, kept >> 1)
  let young = new Map<string, Value>()
  let old = new Map<string, Value>()
  return (text) => {
    if (text.length > longest) return answer(text)
    const known = young.get(text)
    if (known !== undefined) return known
    const value = old.get(text) ?? answer(text)
    if (young.size >= generation) {
      old = young
      young = new Map()
    }
    young.set(ownCopy(text), value)
    return value
  }
}

/** The same text, not as a part of a longer one. */
export function ownCopy(text: string): string {
  if (text.length <= COPIED_LENGTH) return text
  return Buffer.from(text, 'utf16le').toString('utf16le')
}
