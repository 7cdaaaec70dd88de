// Makes src/text/indonesian/roots.ts from a list of Indonesian lemmas, one a line, in which roots and words
// derived from them stand side by side (Wordnet Bahasa, MIT). A lemma is a root when it cannot be read as
// another one with affixes. Verbs whose root is no lemma of its own ("melipat" without "lipat") tell it.
// Run it: sh scripts/node training/indonesian/make-roots.ts LEMMAS LICENSE
import { readFileSync, writeFileSync } from 'node:fs'
import { InvalidInput } from '../../src/core/errors.ts'
import { withoutLoanSuffix } from '../../src/text/indonesian/affixes.ts'
import { MORE_ROOTS, NO_ROOTS, WHOLE_WORDS } from '../../src/text/indonesian/corrections.ts'
import { type Reading, readings, stemWith } from '../../src/text/stem-indonesian.ts'

const TABLE = new URL('../../src/text/indonesian/roots.ts', import.meta.url)
const LEMMA = /^[a-z]{2,}$/
/** How a root may begin: with none, one, or one of the few pairs of consonants. */
const ONSET =
  /^(?:[bcdfghjklmnpqrstvwyz]|[bcdfgkpt]r|[bfgkp]l|s[kptlmnrw]|str|skr|ny|ng|sy|kh|dw)?[aeiou]/
/** Two syllables of native sounds that end in a consonant, as most roots of verbs do. */
const NATIVE = /^[^aeiou]{0,2}[aeiou](?:n|m|ng|r)?[^aeiouxqvzf]y?[aeiou][bdgklmnprst][gh]?$/
/** After these the next letter is the root's own. */
const CLEAR = /^(?:me[lrwy]|mem[bf]|men[cdj]|meng[gh])[aeioulr]/
const VOWEL = /[aeiou]/g

function main([lemmaFile, licenceFile]: readonly string[]): void {
  if (lemmaFile === undefined || licenceFile === undefined) {
    throw new InvalidInput('LEMMAS LICENSE', 'two files are needed')
  }
  const lemmas = readFileSync(lemmaFile, 'utf8')
    .split('\n')
    .filter((word) => LEMMA.test(word))
  const roots = rootsOf(lemmas)
  writeFileSync(TABLE, tableOf(roots, readFileSync(licenceFile, 'utf8')))
  console.log(`${roots.length} roots of ${lemmas.length} lemmas`)
}

function rootsOf(lemmas: readonly string[]): string[] {
  const whole = new Set(WHOLE_WORDS)
  const known = new Set([...lemmas, ...MORE_ROOTS].filter((word) => !NO_ROOTS.includes(word)))
  const readingsOf = (word: string) => [...readings(word)].filter((each) => isLikely(word, each))
  for (const root of untoldRoots(lemmas, known, readingsOf)) {
    if (!NO_ROOTS.includes(root)) known.add(root)
  }
  const isDerived = (word: string) =>
    !whole.has(word) &&
    [word, withoutNya(word)].some(
      (form) =>
        (form !== word && known.has(form)) ||
        readingsOf(form).some(({ root }) => known.has(root)) ||
        withoutLoanSuffix(form).some((root) => known.has(root)),
    )
  const roots = new Set([...known].filter((word) => !isDerived(word)))
  // What was derived from a word that is no root itself, by affixes that do not go together.
  for (const word of lemmas)
    if (!NO_ROOTS.includes(word) && stemWith(word, roots) === word) roots.add(word)
  return [...roots].sort()
}

/** Lemmas are stricter than words of a text: "kepala" is no "pala", "permata" no "mata". */
function isLikely(word: string, { root, prefix, hasSuffix }: Reading): boolean {
  if (!ONSET.test(root)) return false
  if (prefix === 'ke' || prefix === 'per') return hasSuffix
  if (prefix === 'di') return (root.match(VOWEL)?.length ?? 0) > 1
  return prefix !== null || !word.endsWith('i')
}

function withoutNya(word: string): string {
  return word.endsWith('nya') && word.length > 6 ? word.slice(0, -3) : ''
}

/** Roots of verbs whose root is not in the list, where other lemmas or the letters leave little doubt. */
function untoldRoots(
  lemmas: readonly string[],
  known: ReadonlySet<string>,
  readingsOf: (word: string) => readonly Reading[],
): string[] {
  const families = new Map<string, number>()
  for (const word of lemmas) {
    for (const root of new Set(readingsOf(word).map((each) => each.root))) {
      families.set(root, (families.get(root) ?? 0) + 1)
    }
  }
  const family = ({ root }: Reading) => families.get(root) ?? 0
  return lemmas.flatMap((word) => {
    const found = readingsOf(word)
    if (!word.startsWith('me') || found.some(({ root }) => known.has(root))) return []
    const score = (each: Reading) =>
      family(each) * 2 + Number(each.hasSuffix) + swallowed(word, each)
    const [best] = found.filter(({ prefix }) => prefix === 'me').sort((a, b) => score(b) - score(a))
    if (best === undefined) return []
    const isClear = CLEAR.test(word) && NATIVE.test(best.root)
    return isClear || family(best) > 1 ? [best.root] : []
  })
}

/** A nasal before a vowel has mostly swallowed the root's first letter. */
function swallowed(word: string, { root }: Reading): number {
  return /^me[mn][aeiouy]/.test(word) && /^[kpst]/.test(root) ? 3 : 0
}

function tableOf(roots: readonly string[], licence: string): string {
  const notice = licence
    .trim()
    .split('\n')
    .map((line) => `// ${line}`.trimEnd())
  return `// Made by training/indonesian/make-roots.ts: roots of Indonesian words, from the lemmas of Wordnet Bahasa.
//
${notice.join('\n')}

export const ROOT_WORDS: string =
  // biome-ignore format: a table
  '${roots.join(' ')}'
`
}

main(process.argv.slice(2))
