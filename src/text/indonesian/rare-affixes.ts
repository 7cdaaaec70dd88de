// Affixes that dictionaries omit or hardly cover: spoken forms ("ngambil", "mikirin"), the actor before the
// verb ("kubaca"), a doubled first syllable ("bebatuan"), negation in a noun ("ketidakadilan"). They are
// tried last, so the usual rules take precedence. The suffixes of loan words ("imunisasi") are here, too:
// they may occur under any other affix.

/** Shorter rests are mostly coincidence: "kutai" is a place, not "ku" and "tai". */
const MIN_ROOT = 4
const ACTOR = /^(?:ku|kau)(?=(?:n[gy]|[^aeiou])?[aeiou].{2})/
const DOUBLED = /^([^aeiou])e(?=\1[aeiou])/
/** Suffixes of loan words, which may follow others: "nasionalisme", "imunisasi". */
const OF_LOANS = /^(.{4,})is(?:me|asi)$|^(.{2,}al)is$/
const NEGATED = /^ketidak(.{4,})an$/
const NASAL = /^(?:nge|(?:ng|ny|n|m)(?=[aeiou]))/
/** Too many words start with the other nasals by coincidence: "ninja" is no "tinja". */
const CLEAR_NASAL = /^n[gy]/

/** Any of these, with any clitic behind. Most words have none, and a closer look costs more. */
const RARE = /^(?:ku|kau|n[gy]|ketidak|([^aeiou])e\1)|in(?:lah|kah|tah|pun|nya|[km]u)*$/

export function isRare(word: string): boolean {
  return RARE.test(word)
}

/** Possible bases of a word, likelier ones first. */
export function rareReadings(word: string): string[] {
  const roots = [
    ...afterActor(word),
    ...undoubled(word),
    ...(NEGATED.exec(word)?.slice(1) ?? []),
    ...spoken(word),
  ]
  return roots.filter((root) => root.length >= MIN_ROOT)
}

/** Called for every form of every word, so it must be cheap. */
export function hasLoanSuffix(word: string): boolean {
  switch (word[word.length - 1]) {
    case 'i':
      return word.endsWith('isasi')
    case 'e':
      return word.endsWith('isme')
    case 's':
      return word.endsWith('alis')
    default:
      return false
  }
}

/** "ideal" for "idealisme", "idealisasi" and "idealis". */
export function withoutLoanSuffix(word: string): string[] {
  const [, before, adjective] = OF_LOANS.exec(word) ?? []
  return [before, adjective].filter((root) => root !== undefined)
}

/** The same as after "di-". */
function afterActor(word: string): string[] {
  if (!ACTOR.test(word)) return []
  const verb = word.replace(ACTOR, '')
  return [verb, ...withoutAny(verb, ['kan', 'i'])]
}

function undoubled(word: string): string[] {
  if (!DOUBLED.test(word)) return []
  const rest = word.replace(DOUBLED, '')
  return [rest, ...withoutAny(rest, ['an'])]
}

/**
 * The nasal of "me-" without its "me", and "-in" for "-kan" and "-i": both together, or one that is clear.
 */
function spoken(word: string): string[] {
  const alone = CLEAR_NASAL.test(word) ? withoutNasal(word) : []
  return [...alone, ...withoutAny(word, ['in']).flatMap(spokenVerb)]
}

/** Roots that end in a consonant and "in" are mostly names of substances: "heparin". */
function spokenVerb(verb: string): string[] {
  return /[aiueo]$/.test(verb) ? [verb, ...withoutNasal(verb)] : withoutNasal(verb)
}

function withoutNasal(word: string): string[] {
  const [nasal] = NASAL.exec(word) ?? []
  if (nasal === undefined) return []
  const rest = word.slice(nasal.length)
  switch (nasal) {
    case 'nge':
      return [rest, `e${rest}`, `ke${rest}`]
    case 'ng':
      return [rest, `k${rest}`]
    case 'ny':
      return [`c${rest}`, `s${rest}`]
    case 'n':
      return [`t${rest}`]
    default:
      return [`p${rest}`]
  }
}

function withoutAny(word: string, suffixes: readonly string[]): string[] {
  return suffixes
    .filter((suffix) => word.endsWith(suffix))
    .map((suffix) => word.slice(0, -suffix.length))
}
