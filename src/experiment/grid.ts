// The cells of a plan: every combination of levels, and every repeat of it.
import { createHash } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { VERSION } from '../core/version.ts'
import type { Cell, Choices, Factor, Plan } from './experiment.ts'

/** More would run for weeks. */
export const MAX_CELLS = 10_000
/** Changes when results of older versions cannot be used. */
const RESULT_FORMAT = 1

export function countCells({ factors, repeats }: Pick<Plan, 'factors' | 'repeats'>): number {
  return factors.reduce((count, { levels }) => count * levels.length, repeats)
}

/**
 * All repeats of a combination stand together, so that a table has whole rows early. `cwd`: where the files are
 * that options name. `web`: what the web of the plan depends on beside the plan.
 */
export function cellsOf(plan: Plan, { cwd, web = '' }: { cwd: string; web?: string }): Cell[] {
  const files = new NamedFiles(cwd)
  return combinations(plan.factors).flatMap(({ labels, set }, at) =>
    Array.from({ length: plan.repeats }, (_, repeat) => {
      const options = { ...plan.options, ...set }
      const number = at * plan.repeats + repeat + 1
      const seed = plan.seed + repeat
      const key = keyOf(plan, options, { seed, files: files.in(options), web })
      return { number, key, labels, options, repeat, seed }
    }),
  )
}

type Combination = { readonly labels: Readonly<Record<string, string>>; readonly set: Choices }

function combinations(factors: readonly Factor[]): Combination[] {
  let found: Combination[] = [{ labels: {}, set: {} }]
  for (const { name, levels } of factors) {
    found = found.flatMap(({ labels, set }) =>
      levels.map((level) => ({
        labels: { ...labels, [name]: level.label },
        set: { ...set, ...level.set },
      })),
    )
  }
  return found
}

type Around = {
  readonly seed: number
  readonly files: readonly string[]
  readonly web: string
}

function keyOf({ kind, web, models, maps }: Plan, options: Choices, around: Around): string {
  const { seed, files } = around
  const parts: unknown[] = [RESULT_FORMAT, VERSION, kind, web, models, maps, sorted(options), seed]
  if (files.length > 0) parts.push({ files })
  if (around.web !== '') parts.push({ web: around.web })
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 24)
}

/** The order in which options were written says nothing. */
function sorted(options: Choices): readonly (readonly [string, unknown])[] {
  return Object.entries(options).sort(([a], [b]) => (a < b ? -1 : 1))
}

/** Files that options name: examples, models, rules, modules. Another content gives another result. */
class NamedFiles {
  readonly #cwd: string
  readonly #hashes = new Map<string, string | null>()

  constructor(cwd: string) {
    this.#cwd = cwd
  }

  /** Hashes of their contents, in the order of the options. */
  in(options: Choices): string[] {
    const texts = sorted(options).flatMap(([, value]) => value)
    return texts.flatMap((text) => (typeof text === 'string' ? (this.#hashOf(text) ?? []) : []))
  }

  #hashOf(name: string): string | null {
    const path = resolve(this.#cwd, name)
    const known = this.#hashes.get(path)
    if (known !== undefined) return known
    const hash = hashOf(path)
    this.#hashes.set(path, hash)
    return hash
  }
}

/** Null if it is no file that can be read: most texts of options are no names. */
function hashOf(path: string): string | null {
  try {
    if (!statSync(path).isFile()) return null
    return createHash('sha256').update(readFileSync(path)).digest('hex')
  } catch {
    return null
  }
}
