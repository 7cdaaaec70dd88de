// One subject in a process of its own: says what loading it took, then does what it is given.
//
//   node --expose-gc runner.ts LIST NAME   with a channel to the parent: Loaded out, Material in, Done out
import { setImmediate } from 'node:timers/promises'
import type { Material } from './material.ts'
import { DETECTORS, READERS, RULES, SRCSETS, STEMMERS, type Tools } from './subjects.ts'

export type Loaded = { readonly loadMs: number; readonly heapMb: number }
/** By what was done: µs of processor time, and what came out. */
export type Done = {
  readonly us: ReadonlyMap<string, number>
  readonly answers: ReadonlyMap<string, readonly string[]>
  readonly languages: readonly string[] | null
}

export const LISTS = {
  stemmers: STEMMERS,
  detectors: DETECTORS,
  srcsets: SRCSETS,
  readers: READERS,
}
export type ListName = keyof typeof LISTS

const ROUNDS = 8
/** One round goes on until it has used this much. */
const MIN_ROUND_US = 150_000

if (process.send !== undefined) await serve(process.argv[2] ?? '', process.argv[3] ?? '')

async function serve(list: string, name: string): Promise<void> {
  const subjects = Object.entries(LISTS).find(([key]) => key === list)?.[1]
  const subject = subjects?.find((one) => one.name === name)
  if (subject === undefined) throw new Error(`there is no ${name} among the ${list}`)
  const heapBefore = await heapMb()
  const before = performance.now()
  const tools = await subject.load()
  // Some load on their first use.
  useOnce(tools)
  const loadMs = performance.now() - before
  process.on('message', (material: Material) => process.send?.(run(tools, material)))
  process.on('disconnect', () => process.exit(0))
  process.send?.({ loadMs, heapMb: (await heapMb()) - heapBefore } satisfies Loaded)
}

function useOnce({ stemmers, detect, readSrcset, readers }: Tools): void {
  for (const stem of Object.values(stemmers ?? {})) stem('words')
  detect?.('What language is this?')
  readSrcset?.('a.png 1x')
  for (const read of Object.values(readers ?? {})) read('A few words.')
}

function run(tools: Tools, material: Material): Done {
  const done = {
    us: new Map<string, number>(),
    answers: new Map<string, readonly string[]>(),
    languages: tools.languages ?? null,
  }
  runStemmers(tools, material, done)
  const { detect, readSrcset, readers } = tools
  if (detect !== undefined) {
    const [sentences, pages] = [textsOf(material.sentences), textsOf(material.pages)]
    done.us.set('sentence', usPer(sentences, detect))
    done.us.set('text', usPer(material.texts, detect))
    done.answers.set('sentences', sentences.map(detect))
    done.answers.set('pages', pages.map(detect))
  }
  if (readSrcset !== undefined) {
    done.us.set('srcset', usPer(material.srcsets, readSrcset))
    done.answers.set('srcset', material.srcsets.map(readSrcset))
  }
  for (const [name, read] of Object.entries(readers ?? {})) {
    done.us.set(name, usPer(material.texts, read))
  }
  return done
}

type Doing = { readonly us: Map<string, number>; readonly answers: Map<string, readonly string[]> }

function runStemmers(tools: Tools, material: Material, { us, answers }: Doing): void {
  const { stemmers = {}, remembering = (stem) => stem } = tools
  for (const rules of RULES) {
    const stem = stemmers[rules]
    if (stem === undefined) continue
    const words = rules === 'indonesian' ? material.indonesian : material.english
    us.set(rules, usPer(words, stem))
    answers.set(rules, words.map(stem))
    if (rules !== 'english') continue
    const eachOf = (each: (word: string) => string) => (words: readonly string[]) => {
      for (const word of words) each(word)
    }
    us.set('text, nothing remembered', usPer(material.tokens, eachOf(stem)))
    us.set('text, words remembered', usPer(material.tokens, eachOf(remembering(stem))))
  }
}

function textsOf(labelled: readonly { readonly text: string }[]): string[] {
  return labelled.map(({ text }) => text)
}

/** In the best of some rounds: with so little to do, the others measure the machine's other work. */
function usPer<T>(list: readonly T[], use: (one: T) => unknown): number {
  return Math.min(...Array.from({ length: ROUNDS }, () => usOfRound(list, use)))
}

function usOfRound<T>(list: readonly T[], use: (one: T) => unknown): number {
  let us = 0
  let uses = 0
  while (us < MIN_ROUND_US) {
    const before = process.cpuUsage()
    for (const one of list) use(one)
    const { user, system } = process.cpuUsage(before)
    us += user + system
    uses += list.length
  }
  return us / uses
}

/** After several collections: one leaves what the last call of it set free. */
async function heapMb(): Promise<number> {
  for (let time = 0; time < 4; time++) {
    globalThis.gc?.()
    await setImmediate()
  }
  const { heapUsed, external } = process.memoryUsage()
  return (heapUsed + external) / 2 ** 20
}
