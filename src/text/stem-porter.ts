// Porter's first stemmer for English (1980), as defined on its author's site. Kept for comparison with
// published results; stem-english.ts makes fewer mistakes.
import {
  endingOf,
  endings,
  endsInDouble,
  endsInShortSyllable,
  hasVowel,
  markConsonantY,
  regionAfter,
} from './stem-english.ts'

const STEP_2 = endings(`
  tional:tion enci:ence anci:ance abli:able entli:ent eli:e izer:ize ization:ize ational:ate
  ation:ate ator:ate alli:al alism:al aliti:al fulness:ful ousli:ous ousness:ous iveness:ive
  iviti:ive biliti:ble`)
const STEP_3 = endings('alize:al icate:ic iciti:ic ical:ic ative: ful: ness:')
const STEP_4 = endings(`
  al: ance: ence: er: ic: able: ible: ant: ement: ment: ent: ou: ism: ate: iti: ous: ive: ize:
  ion:`)

/** The stem of a lower-cased English word by Porter's first algorithm; "s" becomes ''. */
export function porter(word: string): string {
  let stem = markConsonantY(word)
  const r1 = regionAfter(stem, 0)
  const r2 = regionAfter(stem, r1)
  stem = withoutPlural(stem)
  stem = withoutPast(stem, r1)
  if (/[yY]$/.test(stem) && hasVowel(stem.slice(0, -1))) stem = `${stem.slice(0, -1)}i`
  stem = replaced(stem, STEP_2, r1)
  stem = replaced(stem, STEP_3, r1)
  stem = withoutSuffix(stem, r2)
  return withoutLastE(stem, r1, r2).replaceAll('Y', 'y')
}

function withoutPlural(word: string): string {
  if (word.endsWith('sses') || word.endsWith('ies')) return word.slice(0, -2)
  return word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word
}

function withoutPast(word: string, r1: number): string {
  if (word.endsWith('eed')) return word.length - 3 >= r1 ? word.slice(0, -1) : word
  const length = word.endsWith('ed') ? 2 : word.endsWith('ing') ? 3 : 0
  const stem = word.slice(0, word.length - length)
  if (length === 0 || !hasVowel(stem)) return word
  if (/(?:at|bl|iz)$/.test(stem)) return `${stem}e`
  if (endsInDouble(stem)) return stem.slice(0, -1)
  return stem.length === r1 && endsInShortSyllable(stem) ? `${stem}e` : stem
}

function replaced(word: string, table: typeof STEP_2, region: number): string {
  const found = endingOf(word, table)
  if (!found) return word
  const at = word.length - found[0].length
  return at >= region ? word.slice(0, at) + found[1] : word
}

function withoutSuffix(word: string, r2: number): string {
  const found = endingOf(word, STEP_4)
  if (found?.[0] === 'ion' && !/[st]ion$/.test(word)) return word
  return replaced(word, STEP_4, r2)
}

function withoutLastE(word: string, r1: number, r2: number): string {
  const at = word.length - 1
  const stem = word.slice(0, at)
  const goes = word.endsWith('e') && (at >= r2 || (at >= r1 && !endsInShortSyllable(stem)))
  const rest = goes ? stem : word
  return rest.endsWith('ll') && rest.length - 1 >= r2 ? rest.slice(0, -1) : rest
}
