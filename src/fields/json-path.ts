// Paths in the JSON-LD of a page: `Product.offers.price`, `author.name`, `image[0].url`. A first step with a capital
// letter is a type: the path then begins at every object of that type, however deep it is. Other paths begin at
// the objects at the top, those of an `@graph` included. Arrays are walked through.
import { Refused, shown } from '../core/errors.ts'

export type JsonPath = {
  /** Without `schema.org/`; null: from the top. */
  readonly type: string | null
  /** Names of properties, and numbers of entries. */
  readonly steps: readonly (string | number)[]
}

const MAX_PATH = 200
const MAX_STEPS = 12
const STEP = /^([^.[\]\s]+)((?:\[\d{1,4}\])*)$/

/** Throws `Refused` for a text that is no path. */
export function readJsonPath(text: string): JsonPath {
  if (text.length > MAX_PATH) throw new Refused(`has more than ${MAX_PATH} characters`)
  const steps: (string | number)[] = []
  let type: string | null = null
  for (const [at, part] of text.trim().split('.').entries()) {
    const match = STEP.exec(part)
    if (match === null) {
      throw new Refused(`${shown(part)} is not a step of a path such as Product.offers.price`)
    }
    const [, name = '', places = ''] = match
    if (at === 0 && /^[A-Z]/.test(name)) type = name
    else steps.push(name)
    for (const [, place] of places.matchAll(/\[(\d+)\]/g)) steps.push(Number(place))
  }
  if (steps.length === 0) throw new Refused(`${shown(text)} names a type; add what to take of it`)
  if (steps.length > MAX_STEPS) throw new Refused(`has more than ${MAX_STEPS} steps`)
  return { type, steps }
}

type Node = { readonly [key: string]: unknown }

/** Objects and arrays that are looked at, for all texts of a page together. */
const MAX_VISITED = 20_000
const MAX_DEPTH = 16

/** All objects in the JSON-LD of a page, with their types; made once for all paths. */
export class JsonLdNodes {
  readonly #top: Node[] = []
  readonly #typed: { readonly node: Node; readonly types: readonly string[] }[] = []
  #visited = 0

  /** `roots`: the texts, parsed. */
  constructor(roots: readonly unknown[]) {
    for (const root of roots) this.#add(root)
  }

  /** What the path leads to, in order; at most `limit`. */
  find({ type, steps }: JsonPath, limit: number): readonly unknown[] {
    const starts =
      type === null
        ? this.#top
        : this.#typed.filter(({ types }) => types.includes(type)).map(({ node }) => node)
    let found: readonly unknown[] = starts
    for (const step of steps) {
      found = found.flatMap((value) => follow(value, step)).slice(0, Math.max(limit, MAX_WIDTH))
    }
    return found.flatMap((value) => (Array.isArray(value) ? value : [value])).slice(0, limit)
  }

  #add(root: unknown): void {
    const queue: [value: unknown, depth: number, isTop: boolean][] = [[root, 0, true]]
    for (const [value, depth, isTop] of queue) {
      if (++this.#visited > MAX_VISITED) return
      if (depth > MAX_DEPTH) continue
      if (Array.isArray(value)) {
        for (const part of value) if (isObject(part)) queue.push([part, depth + 1, isTop])
      } else if (isNode(value)) {
        if (isTop) this.#top.push(value)
        const types = typesOf(value)
        if (types.length > 0) this.#typed.push({ node: value, types })
        for (const [key, part] of Object.entries(value)) {
          if (isObject(part)) queue.push([part, depth + 1, isTop && key === '@graph'])
        }
      }
    }
  }
}

const MAX_WIDTH = 2000

function follow(value: unknown, step: string | number): readonly unknown[] {
  if (typeof step === 'number') {
    const entry: unknown = Array.isArray(value) ? value[step] : step === 0 ? value : undefined
    return entry === undefined || entry === null ? [] : [entry]
  }
  const nodes: readonly unknown[] = Array.isArray(value) ? value.slice(0, MAX_WIDTH) : [value]
  return nodes.flatMap((node) => {
    const next = isNode(node) && Object.hasOwn(node, step) ? node[step] : null
    return next === null || next === undefined ? [] : [next]
  })
}

function typesOf(node: Node): readonly string[] {
  const given = node['@type']
  const names: readonly unknown[] = Array.isArray(given) ? given.slice(0, 8) : [given]
  return names.flatMap((name) =>
    typeof name === 'string' ? [name.replace(/^(?:https?:\/\/)?schema\.org\/|^schema:/, '')] : [],
  )
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

function isNode(value: unknown): value is Node {
  return isObject(value) && !Array.isArray(value)
}
