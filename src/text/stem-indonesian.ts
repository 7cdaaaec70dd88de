// The Indonesian stemmer: by dictionary and rules of word formation (indonesian/), because rules alone cannot
// distinguish "pemain" (a player, from "main") from "pesan" (a message, a root).
import {
  hasLoanSuffix,
  isRare,
  type Prefix,
  type PrefixCut,
  rareReadings,
  withoutLoanSuffix,
  withoutPrefix,
  withoutSuffix,
} from './indonesian/affixes.ts'
import { STEMS } from './indonesian/corrections.ts'
import { ROOT_WORDS } from './indonesian/roots.ts'

/** Shorter words have no affixes. */
const MIN_LENGTH = 4
const PLAIN = /^[a-z]+$/

let roots: ReadonlySet<string> | null = null

// Loaded on first use: only crawls that meet the language pay for the list.
function knownRoots(): ReadonlySet<string> {
  roots ??= new Set(ROOT_WORDS.split(' '))
  return roots
}

/** The stem of a lower-cased Indonesian word. */
export function indonesian(word: string): string {
  if (word.length < MIN_LENGTH || !PLAIN.test(word)) return word
  return STEMS.get(word) ?? stemWith(word, knownRoots())
}

/** Whether a lower-cased word is an Indonesian root or derived from one. Many are English words, too. */
export function isIndonesian(word: string): boolean {
  return STEMS.has(word) || knownRoots().has(indonesian(word))
}

type Roots = { has(word: string): boolean }

/** One way to read a word. */
export type Reading = {
  readonly root: string
  /** The outermost prefix; null if there is none. */
  readonly prefix: Prefix | null
  readonly hasSuffix: boolean
}

const PARTICLES = ['lah', 'kah', 'tah', 'pun']
const POSSESSIVES = ['nya', 'ku', 'mu']
const MAX_PREFIXES = 3
/** Prefixes that cannot follow another one. */
const OUTERMOST: ReadonlySet<Prefix> = new Set(['di', 'me'])
const VOWEL = /[aeiou]/g
const LOAN = /^[a-z]{3,}(?:[aiu]si|isme|itas|logi|grafi)$/
const WITH_LOAN = /^(?:di|me|be|te|pe|ke|se).*(?:[aiu]si|isme|itas|logi|grafi)/

/**
 * The stem of a lower-cased word. It reads Indonesian words by dictionary, after Nazief and Adriani with
 * the later corrections: a word is a root, or becomes one without its clitics, a suffix and up to three
 * prefixes. As little as possible is removed, so that "memakan" is "makan" and not something shorter. A
 * word without a known root stays whole, except for the clitic "-nya".
 */
export function stemWith(word: string, roots: Roots): string {
  for (const form of withoutClitics(word)) {
    const own = rootIn(form, roots)
    if (own !== null) return own
    for (const { root } of readings(form)) {
      const found = rootIn(root, roots)
      if (found !== null) return found
    }
  }
  const rare = isRare(word) ? rareIn(word, roots) : null
  const loan = WITH_LOAN.test(word) ? loanIn(word) : null
  return rare ?? loan ?? withoutNya(word)
}

function withoutNya(word: string): string {
  return word.endsWith('nya') && syllables(word) > 2 ? word.slice(0, -3) : word
}

/** The root itself, or the root below a suffix of loan words; null if there is none. */
function rootIn(form: string, roots: Roots): string | null {
  if (roots.has(form)) return form
  if (!hasLoanSuffix(form)) return null
  return withoutLoanSuffix(form).find((root) => roots.has(root)) ?? null
}

/** The root by the rules for spoken, literary and doubled words; null if there is none. */
function rareIn(word: string, roots: Roots): string | null {
  for (const form of withoutClitics(word)) {
    for (const root of rareReadings(form)) if (roots.has(root)) return root
  }
  return null
}

/** A loan word under Indonesian affixes, "bersertifikasi": recognised by its ending. */
function loanIn(word: string): string | null {
  for (const form of withoutClitics(word)) {
    const found = [...readings(form)].filter(({ root }) => LOAN.test(root))
    const best = found.find(({ prefix }) => prefix !== null) ?? found[0]
    if (best !== undefined) return best.root
  }
  return null
}

/**
 * Every way to read a word as more than a root, those that remove least first: among those with as many
 * prefixes, the ones without a suffix.
 */
export function* readings(word: string): Generator<Reading> {
  yield* endings({ rest: word, prefix: null, short: 'no' })
  let layer: readonly Peeled[] = [{ rest: word, prefix: null, short: 'no' }]
  for (let depth = 1; depth <= MAX_PREFIXES && layer.length > 0; depth++) {
    layer = layer.flatMap(withOneLess)
    for (const { rest, prefix, short } of layer) {
      if (isWhole(rest, short)) yield { root: rest, prefix, hasSuffix: false }
    }
    for (const peeled of layer) yield* endings(peeled)
  }
}

type Short = 'no' | NonNullable<PrefixCut['short']>

/** The rest of a word without some prefixes. */
type Peeled = {
  readonly rest: string
  /** The outermost of them. */
  readonly prefix: Prefix | null
  readonly short: Short
}

function withOneLess({ rest, prefix }: Peeled): Peeled[] {
  return withoutPrefix(rest)
    .filter((cut) => prefix === null || !OUTERMOST.has(cut.prefix))
    .map((cut) => ({ rest: cut.rest, prefix: prefix ?? cut.prefix, short: cut.short ?? 'no' }))
}

function* endings({ rest, prefix, short }: Peeled): Generator<Reading> {
  for (const root of withoutSuffix(rest, prefix)) {
    if (isWhole(root, short)) yield { root, prefix, hasSuffix: true }
  }
}

/** Roots of one syllable are rare; an apparent one is mostly the rest of a longer root. */
function isWhole(root: string, short: Short): boolean {
  const count = syllables(root)
  if (count === 1) return short !== 'no' && root.length > 2
  return count > 1 && short !== 'must'
}

/** The word, then without its particle, its possessive, both. */
function withoutClitics(word: string): string[] {
  const bare = without(word, PARTICLES)
  return [word, bare, without(word, POSSESSIVES), without(bare, POSSESSIVES)].filter(
    (form) => form.length > 1,
  )
}

/** Empty if it has none of the endings. */
function without(word: string, endings: readonly string[]): string {
  const ending = endings.find((each) => word.endsWith(each))
  return ending === undefined ? '' : word.slice(0, -ending.length)
}

function syllables(word: string): number {
  return word.match(VOWEL)?.length ?? 0
}
