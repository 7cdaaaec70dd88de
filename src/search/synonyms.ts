// Words that stand for each other, from a file of the user:
//
//   car, auto, motor car     searching one of them finds the others, too
//   colour => color, hue     searching the left one finds the right ones instead
//   # a remark
//
// Words are cut as those of pages are. They are matched as they are typed, not in other forms.
import { areEqual } from '../lib/present.ts'
import type { Query, Term } from './query.ts'
import { wordsOf } from './words.ts'

export type SynonymRule = {
  readonly from: readonly string[]
  readonly to: readonly (readonly string[])[]
  /** False: `to` is searched instead of `from`. */
  readonly keeps: boolean
}

type BadLine = { readonly line: number; readonly message: string }

const MAX_LINES = 20_000
const MAX_ENTRIES = 32
const MAX_ENTRY_WORDS = 8

/** Reports every line that cannot be used. */
export function parseSynonyms(text: string): { rules: SynonymRule[]; bad: BadLine[] } {
  const rules: SynonymRule[] = []
  const bad: BadLine[] = []
  for (const [at, written] of text.split(/\r?\n/).entries()) {
    const line = at + 1
    if (line > MAX_LINES) {
      bad.push({ line, message: `there may be at most ${MAX_LINES} lines` })
      break
    }
    const content = written.replace(/^\s*#.*$/, '').trim()
    if (content === '') continue
    const read = rulesOf(content)
    if (typeof read === 'string') bad.push({ line, message: read })
    else rules.push(...read)
  }
  return { rules, bad }
}

/** The rules of a line, or what is wrong with it. */
function rulesOf(line: string): SynonymRule[] | string {
  const [left = '', right, ...more] = line.split('=>')
  if (more.length > 0) return 'has more than one =>'
  const [one, other] = [entriesOf(left), right === undefined ? null : entriesOf(right)]
  if (typeof one === 'string') return one
  if (typeof other === 'string') return other
  if (other !== null) return one.map((from) => ({ from, to: other, keeps: false }))
  if (one.length < 2) return 'needs two words at least, such as "car, auto" or "colour => color"'
  return one.map((from, at) => ({ from, to: one.filter((_, nth) => nth !== at), keeps: true }))
}

function entriesOf(list: string): string[][] | string {
  const entries = list.split(',').map((entry) => [...wordsOf(entry)])
  if (entries.some((words) => words.length === 0)) return 'has no word beside a comma or an =>'
  if (entries.length > MAX_ENTRIES) return `has more than ${MAX_ENTRIES} entries`
  const isLong = entries.some((words) => words.length > MAX_ENTRY_WORDS)
  return isLong ? `has an entry of more than ${MAX_ENTRY_WORDS} words` : entries
}

/** The rules of a file. */
export class Synonyms {
  readonly #byFirst = new Map<string, SynonymRule[]>()

  constructor(rules: readonly SynonymRule[]) {
    for (const rule of rules) {
      const [first = ''] = rule.from
      const known = this.#byFirst.get(first)
      if (known === undefined) this.#byFirst.set(first, [rule])
      else known.push(rule)
    }
  }

  /** The rules that a query may need. */
  for(text: string): readonly SynonymRule[] {
    return [...new Set(wordsOf(text))].flatMap((word) => this.#byFirst.get(word) ?? [])
  }
}

/**
 * A query with its synonyms. (a OR c) AND (b OR c) is the same as (a AND b) OR c, so synonyms of several
 * words are added to each of them.
 */
export function withSynonyms(query: Query, rules: readonly SynonymRule[]): Query {
  if (rules.length === 0) return query
  const all: (readonly Term[])[] = []
  for (let at = 0; at < query.all.length; ) {
    const rule = longest(rules.filter((each) => startsAt(query, at, each.from)))
    const groups = query.all.slice(at, at + spanOf(query, at, rule))
    all.push(...(rule === null ? groups : replaced(groups, rule)))
    at += groups.length
  }
  return { ...query, all }
}

/** All rules of the longest match, as one. */
function longest(rules: readonly SynonymRule[]): SynonymRule | null {
  const length = Math.max(0, ...rules.map(({ from }) => from.length))
  const [first, ...others] = rules.filter(({ from }) => from.length === length)
  if (first === undefined) return null
  const keeps = first.keeps || others.some((each) => each.keeps)
  return { from: first.from, to: [first, ...others].flatMap(({ to }) => to), keeps }
}

/** True if these words stand here, as one term or as one term each. */
function startsAt({ all }: Query, at: number, from: readonly string[]): boolean {
  const term = plainTerm(all[at])
  if (term === null) return false
  if (areEqual(term.words, from)) return true
  return from.every((word, nth) => areEqual(plainTerm(all[at + nth])?.words ?? [], [word]))
}

/** The number of terms that a rule replaces. */
function spanOf({ all }: Query, at: number, rule: SynonymRule | null): number {
  if (rule === null) return 1
  return areEqual(all[at]?.[0]?.words ?? [], rule.from) ? 1 : rule.from.length
}

/** The term that was typed here, unless it was quoted, begins words or has other ways beside it. */
function plainTerm(terms: readonly Term[] | undefined): Term | null {
  const [term, other] = terms ?? []
  if (term === undefined || term.prefix || term.phrase) return null
  return other === undefined || other.added === true ? term : null
}

function replaced(
  groups: readonly (readonly Term[])[],
  { to, keeps }: SynonymRule,
): (readonly Term[])[] {
  const [first] = groups[0] ?? []
  if (first === undefined) return [...groups]
  const { written: _, ...bare } = first
  const others = to.map((words) => {
    return { ...bare, words, anyForm: words.length === 1 && groups.every(hasForms), added: true }
  })
  return keeps ? groups.map((terms) => [...terms, ...others]) : [others]
}

function hasForms(terms: readonly Term[]): boolean {
  return terms.every(({ anyForm, words }) => anyForm || words.length > 1)
}
