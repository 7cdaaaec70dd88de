// All selectors of some fields as one list of steps, which are matched together: each element is looked at once, in
// the order of the page, with what its parent and its siblings matched. So the time is in proportion to elements ×
// tests, whatever the selectors and the page.
import type { Compound, HasTest, Selector, Step } from '../../fields/selector.ts'
import { hashOf } from '../html/html-names.ts'

export type CompiledCompound = Omit<Compound, 'name' | 'not' | 'any' | 'has'> & {
  /** The hash of the name; null: any. */
  readonly nameHash: number | null
  readonly not: readonly (readonly CompiledCompound[])[]
  readonly any: readonly (readonly CompiledCompound[])[]
  /** Numbers of tests, one of each list must hold. */
  readonly has: readonly (readonly number[])[]
}

export type CompiledStep = {
  readonly combinator: Step['combinator']
  readonly compound: CompiledCompound
  /** The bit of the step before it; -1 for a first step. */
  readonly after: number
  /** Its own bit; -1 for a last step, which nothing follows. */
  readonly bit: number
  /** The field whose element this is; -1 if it is no last step. */
  readonly field: number
}

type CompiledHas = Pick<HasTest, 'combinator'> & { readonly compound: CompiledCompound }

export class SelectorProgram {
  readonly steps: readonly CompiledStep[]
  readonly has: readonly CompiledHas[]
  /** Words of 32 bits that remember what an element matched. */
  readonly words: number

  /** `selectors`: of each field, those of its list. */
  constructor(selectors: readonly (readonly Selector[])[]) {
    const has: CompiledHas[] = []
    const steps: CompiledStep[] = []
    let bits = 0
    for (const [field, list] of selectors.entries()) {
      for (const selector of list) {
        let after = -1
        for (const [at, { combinator, compound }] of selector.entries()) {
          const isLast = at === selector.length - 1
          const bit = isLast ? -1 : bits++
          const compiled = compile(compound, has)
          steps.push({ combinator, compound: compiled, after, bit, field: isLast ? field : -1 })
          after = bit
        }
      }
    }
    this.steps = steps
    this.has = has
    this.words = Math.ceil(bits / 32)
  }
}

function compile(compound: Compound, has: CompiledHas[]): CompiledCompound {
  const { name, not, any, has: relatives, ...rest } = compound
  const all = (list: readonly Compound[]) => list.map((one) => compile(one, has))
  return {
    ...rest,
    nameHash: name === null ? null : hashOf(name),
    not: not.map(all),
    any: any.map(all),
    has: relatives.map((tests) =>
      tests.map(({ combinator, compound: wanted }) => {
        const compiled = compile(wanted, has)
        return has.push({ combinator, compound: compiled }) - 1
      }),
    ),
  }
}
