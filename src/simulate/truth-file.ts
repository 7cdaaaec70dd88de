// The topics of pages, as decided by people: JSON lines {"url": …, "topics": ["a", "b"]}. Pages that are not
// in the file have none of its topics.
import { InvalidInput, shown } from '../core/errors.ts'
import { canonicalise } from '../core/url.ts'
import type { Graph } from '../graph/graph.ts'
import type { Truth } from './replay-result.ts'
import type { ReplayWorld } from './replay-world.ts'

export type TruthFile = {
  /** Number of lines, and of those that name a page of this web. */
  readonly lines: number
  readonly known: number
  /** The first few URLs that are no pages of this web. */
  readonly unknown: readonly string[]
  readonly topics: TopicMarks
}

type Line = { readonly url: string; readonly topics: readonly string[] }

const PROBLEMS_SHOWN = 5
const UNKNOWN_SHOWN = 3

/**
 * Topic → 1 for each of its pages. A file may name any number of topics, but a run uses few: each topic
 * stores only its pages, and marks for all pages of the web are created on request.
 */
class TopicMarks {
  readonly #webPages: number
  readonly #pagesOf = new Map<string, number[]>()

  constructor(webPages: number) {
    this.#webPages = webPages
  }

  get size(): number {
    return this.#pagesOf.size
  }

  keys(): MapIterator<string> {
    return this.#pagesOf.keys()
  }

  get(topic: string): Uint8Array | undefined {
    const pages = this.#pagesOf.get(topic)
    if (pages === undefined) return undefined
    const marks = new Uint8Array(this.#webPages)
    for (const page of pages) marks[page] = 1
    return marks
  }

  /** `page` undefined: the topic exists, but the page is not in this web. */
  mark(topic: string, page: number | undefined): void {
    const pages = this.#pagesOf.get(topic) ?? []
    this.#pagesOf.set(topic, pages)
    if (page !== undefined) pages.push(page)
  }
}

export function readTruth(
  file: string,
  name: string,
  world: Pick<ReplayWorld, 'find' | 'pages'>,
): TruthFile {
  const topics = new TopicMarks(world.pages)
  const problems: string[] = []
  let lines = 0
  let known = 0
  const unknown: string[] = []
  for (const [at, text] of file
    .replace(/^\ufeff/, '')
    .split('\n')
    .entries()) {
    if (text.trim() === '') continue
    const line = lineOf(text)
    if (typeof line === 'string') {
      problems.push(`${name} line ${at + 1}: ${line}`)
      if (problems.length >= PROBLEMS_SHOWN) break
      continue
    }
    lines++
    const page = world.find(canonicalise(line.url) ?? line.url)
    if (page !== undefined) known++
    else if (unknown.length < UNKNOWN_SHOWN) unknown.push(line.url)
    for (const topic of line.topics) topics.mark(topic, page)
  }
  if (problems.length > 0) throw new InvalidInput('--truth', problems.join('\n--truth: '))
  if (lines === 0) throw new InvalidInput('--truth', `${name} is empty`)
  return { lines, known, unknown, topics }
}

/** The parsed line, or its problem in words. */
function lineOf(text: string): Line | string {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    return `is not valid JSON: ${shown(text)}`
  }
  const fields: Readonly<Record<string, unknown>> = { ...Object(json) }
  const { url, topics } = fields
  if (typeof url !== 'string') return 'needs a field "url" with the address of a page'
  if (!Array.isArray(topics)) return 'needs a field "topics" with an array of names'
  const names = topics.filter((topic: unknown) => typeof topic === 'string')
  return names.length === topics.length ? { url, topics: names } : 'has a topic that is not a text'
}

type TruthOptions = {
  readonly topic: string
  readonly world: ReplayWorld
  readonly seeds: readonly number[]
  /** Example pages. */
  readonly examples: readonly number[]
  /** 1 for each relevant page; null: the replay has no topic. */
  readonly relevant: Uint8Array | null
}

/**
 * The pages that count as relevant for a topic, and those left out because they were its examples.
 * InvalidInput at `--truth` if a topic has no reachable relevant page.
 */
export function truthFor({ topic, world, seeds, examples, relevant }: TruthOptions): Truth {
  const reachable = reachableFrom(seeds, world.links).fill(0, world.alive)
  const leftOut = new Uint8Array(world.pages)
  for (const page of examples) leftOut[page] = 1
  const counted = (page: number) => reachable[page] === 1 && leftOut[page] === 0
  if (relevant !== null && !relevant.some((mark, page) => mark === 1 && counted(page))) {
    throw new InvalidInput(
      '--truth',
      `${topic}: no relevant page can be reached from the seeds, examples not counted`,
    )
  }
  return { topic, relevant: relevant ?? new Uint8Array(world.pages), leftOut, reachable }
}

/** Marks everything reachable by links from the seeds, the seeds included; 1 is yes. */
export function reachableFrom(seeds: readonly number[], { nodes, offsets, targets }: Graph) {
  const marks = new Uint8Array(nodes)
  const found = new Uint32Array(nodes)
  let end = 0
  const note = (node: number) => {
    if (marks[node] !== 0) return
    marks[node] = 1
    found[end++] = node
  }
  for (const seed of seeds) note(seed)
  for (let next = 0; next < end; next++) {
    const node = found[next] ?? 0
    for (let at = offsets[node] ?? 0; at < (offsets[node + 1] ?? 0); at++) note(targets[at] ?? 0)
  }
  return marks
}
