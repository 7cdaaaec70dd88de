// Matches a program of selectors against the elements of a page.
import type { AttributeTest, PlaceTest } from '../../fields/selector.ts'
import type { ElementTable } from './element-table.ts'
import type { ElementText } from './element-text.ts'
import type { CompiledCompound, CompiledStep, SelectorProgram } from './selector-program.ts'
import type { TagAttributes } from './tag-attributes.ts'

/** Tests of elements, each about 20 ns. Elements beyond it are not matched. */
const MAX_WORK = 40_000_000
/** What a test costs beyond one that only looks at a number. */
const LOOK_UP_WORK = 8
const CHARACTERS_PER_WORK = 32
/** To note that a step was matched, in three lists. */
const NOTE_WORK = 4
/** Elements × words of memory, for each of three lists. */
const MAX_WORDS = 2_000_000
const MAX_MARKS = 20_000_000

type PageElements = {
  readonly table: ElementTable
  readonly attributes: TagAttributes
  readonly text: ElementText
}

export type Matches = {
  /** For each field its elements, in the order of the page. */
  readonly found: readonly (readonly number[])[]
  /** For each field, whether there are more. */
  readonly isFull: readonly boolean[]
  /** Some elements were not matched. */
  readonly isCut: boolean
}

/** `limits`: of each field, how many elements are kept. */
export function matchSelectors(
  program: SelectorProgram,
  page: PageElements,
  limits: readonly number[],
): Matches {
  return new Matcher(program, page).run(limits)
}

class Matcher {
  readonly #program: SelectorProgram
  readonly #page: PageElements
  readonly #count: number
  /** What an element matched; what it or an element around it did; what it or a sibling before it did. */
  readonly #own: Int32Array
  readonly #around: Int32Array
  readonly #beside: Int32Array
  readonly #marks: readonly Uint8Array[]
  #types: Types | null = null
  #work = MAX_WORK
  #isCut = false

  constructor(program: SelectorProgram, page: PageElements) {
    this.#program = program
    this.#page = page
    const { words, has } = program
    this.#count = Math.min(
      page.table.count,
      Math.floor(MAX_WORDS / Math.max(1, words)),
      Math.floor(MAX_MARKS / Math.max(1, has.length)),
    )
    const size = this.#count * words
    this.#own = new Int32Array(size)
    this.#around = new Int32Array(size)
    this.#beside = new Int32Array(size)
    this.#marks = has.map(() => new Uint8Array(this.#count))
    this.#isCut = this.#count < page.table.count
  }

  run(limits: readonly number[]): Matches {
    const { steps } = this.#program
    const found = limits.map((): number[] => [])
    const isFull = limits.map(() => false)
    this.#markHas()
    this.#work = MAX_WORK
    for (let id = 0; id < this.#count && this.#mayGoOn(steps.length); id++) {
      this.#inherit(id)
      for (const step of steps) {
        if (!this.#isReached(step, id) || !this.#matches(step.compound, id)) continue
        if (step.bit >= 0) this.#note(step.bit, id)
        const kept = found[step.field]
        // Several selectors of one field may match the same element.
        if (kept === undefined || kept.at(-1) === id) continue
        if (kept.length < (limits[step.field] ?? 0)) kept.push(id)
        else isFull[step.field] = true
      }
    }
    return { found, isFull, isCut: this.#isCut }
  }

  /** Whether there is time for another element; `tests` are those that are made of each. */
  #mayGoOn(tests: number): boolean {
    this.#work -= tests
    if (this.#work < 0) this.#isCut = true
    return this.#work >= 0
  }

  #inherit(id: number): void {
    const { words } = this.#program
    const { parent, previous } = this.#page.table
    const [above, before] = [parent[id] ?? -1, previous[id] ?? -1]
    for (let word = 0; word < words; word++) {
      if (above >= 0) this.#around[id * words + word] = this.#around[above * words + word] ?? 0
      if (before >= 0) this.#beside[id * words + word] = this.#beside[before * words + word] ?? 0
    }
  }

  #note(bit: number, id: number): void {
    const at = id * this.#program.words + (bit >> 5)
    const mask = 1 << (bit & 31)
    this.#work -= NOTE_WORK
    for (const list of [this.#own, this.#around, this.#beside]) list[at] = (list[at] ?? 0) | mask
  }

  #isReached({ combinator, after }: CompiledStep, id: number): boolean {
    if (combinator === null) return true
    const { parent, previous } = this.#page.table
    const isNested = combinator === ' ' || combinator === '>'
    const from = (isNested ? parent[id] : previous[id]) ?? -1
    if (from < 0) return false
    const isDirect = combinator === '>' || combinator === '+'
    const list = isDirect ? this.#own : isNested ? this.#around : this.#beside
    return ((list[from * this.#program.words + (after >> 5)] ?? 0) & (1 << (after & 31))) !== 0
  }

  #matches(compound: CompiledCompound, id: number): boolean {
    const { table, attributes } = this.#page
    if (compound.nameHash !== null && table.name[id] !== compound.nameHash) return false
    if (compound.isRoot && (table.parent[id] ?? -1) >= 0) return false
    this.#work -= compound.classes.length
    for (const name of compound.classes) if (!attributes.hasClass(id, name)) return false
    for (const wanted of compound.ids) if (this.#value(id, 'id') !== wanted) return false
    for (const test of compound.attributes) {
      if (!holds(test, this.#value(id, test.name))) return false
    }
    for (const test of compound.places) if (!this.#isAt(test, id)) return false
    if (compound.isEmpty && !isEmpty(table, id)) return false
    const fits = (one: CompiledCompound) => {
      this.#work--
      return this.#matches(one, id)
    }
    for (const list of compound.not) if (list.some(fits)) return false
    for (const list of compound.any) if (!list.some(fits)) return false
    for (const list of compound.has) {
      if (!list.some((test) => this.#marks[test]?.[id] === 1)) return false
    }
    this.#work -= LOOK_UP_WORK * compound.contains.length
    return compound.contains.every((text) => this.#page.text.contains(id, text))
  }

  #value(id: number, name: string): string | null {
    const value = this.#page.attributes.value(id, name)
    this.#work -= 1 + Math.ceil((value?.length ?? 0) / CHARACTERS_PER_WORK)
    return value
  }

  #isAt({ a, b, fromEnd, ofType }: PlaceTest, id: number): boolean {
    const { table } = this.#page
    this.#work -= ofType ? LOOK_UP_WORK : 1
    if (ofType) this.#types ??= typesOf(table)
    const parent = table.parent[id] ?? -1
    const place = (ofType ? this.#types?.place[id] : table.place[id]) ?? 1
    const total = ofType ? (this.#types?.total(id) ?? 1) : parent < 0 ? 1 : table.children[parent]
    const at = (fromEnd ? (total ?? 1) - place + 1 : place) - b
    return a === 0 ? at === 0 : at % a === 0 && at / a >= 0
  }

  /** Marks the elements from which something is found. */
  #markHas(): void {
    const { has } = this.#program
    if (has.length === 0) return
    const { parent, previous } = this.#page.table
    for (let id = 0; id < this.#count && this.#mayGoOn(has.length); id++) {
      for (const [test, { combinator, compound }] of has.entries()) {
        const marks = this.#marks[test]
        if (marks === undefined || !this.#matches(compound, id)) continue
        const from = combinator === ' ' || combinator === '>' ? parent : previous
        const isFar = combinator === ' ' || combinator === '~'
        // A marked element has marked all further ones already.
        for (let at = from[id] ?? -1; at >= 0 && marks[at] === 0; at = from[at] ?? -1) {
          marks[at] = 1
          if (!isFar) break
        }
      }
    }
  }
}

function isEmpty(table: ElementTable, id: number): boolean {
  return table.children[id] === 0 && table.textFrom[id] === table.textTo[id]
}

function holds(test: AttributeTest, found: string | null): boolean {
  if (found === null || test.operator === '') return found !== null
  const value = test.ignoresCase ? found.toLowerCase() : found
  const wanted = test.ignoresCase ? test.value.toLowerCase() : test.value
  switch (test.operator) {
    case '=':
      return value === wanted
    case '|=':
      return value === wanted || value.startsWith(`${wanted}-`)
    case '~=':
      return wanted !== '' && !/\s/.test(wanted) && value.split(/[ \t\n\f\r]+/).includes(wanted)
    case '^=':
      return wanted !== '' && value.startsWith(wanted)
    case '$=':
      return wanted !== '' && value.endsWith(wanted)
    case '*=':
      return wanted !== '' && value.includes(wanted)
  }
}

type Types = {
  /** Among siblings of the same name, from 1. */
  readonly place: Int32Array
  readonly total: (id: number) => number
}

function typesOf(table: ElementTable): Types {
  const place = new Int32Array(table.count)
  const totals = new Map<string, number>()
  const keyOf = (id: number) => `${table.parent[id]} ${table.name[id]}`
  for (let id = 0; id < table.count; id++) {
    const key = keyOf(id)
    const next = (totals.get(key) ?? 0) + 1
    totals.set(key, next)
    place[id] = next
  }
  return { place, total: (id) => totals.get(keyOf(id)) ?? 1 }
}
