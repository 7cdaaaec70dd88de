// The pages of an export, one by one, after all steps.
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { PageNeeds, PageReader, WholePage, WholePageRange } from '../store/page-reader.ts'
import type { PageStep } from './exporter.ts'

/** Pages per read: mostly some hundred kilobytes, and never many megabytes (page-reader.ts). */
const CHUNK = 100

export type PassedPage = {
  /** Null if a step left it out. */
  readonly page: WholePage | null
  readonly counts: Readonly<Record<string, number>>
}

export type StreamOptions = {
  readonly store: Pick<PageReader, 'wholePages'>
  readonly range: WholePageRange
  readonly needs: PageNeeds
  readonly steps: readonly PageStep[]
}

/** Every page of the range, including those left out. */
export async function* pageStream(options: StreamOptions): AsyncGenerator<PassedPage> {
  const { store, needs, steps } = options
  let { range } = options
  for (;;) {
    // Lets signals be handled even if nothing else waits.
    await nextTurn()
    const chunk = await store.wholePages(range, needs, CHUNK)
    const last = chunk.at(-1)
    if (last === undefined) return
    yield* await stepped(chunk, steps)
    range = { ...range, after: last.id }
  }
}

async function stepped(
  pages: readonly WholePage[],
  steps: readonly PageStep[],
): Promise<readonly PassedPage[]> {
  let passed: PassedPage[] = pages.map((page) => ({ page, counts: {} }))
  for (const step of steps) {
    const left = passed.map(({ page }) => page).filter((page) => page !== null)
    const answers = await step.apply(left)
    let next = 0
    passed = passed.map((before) => {
      if (before.page === null) return before
      const { page, counts = {} } = answers[next++] ?? before
      return { page, counts: sum(before.counts, counts) }
    })
  }
  return passed
}

export function sum(
  one: Readonly<Record<string, number>>,
  other: Readonly<Record<string, number>>,
): Record<string, number> {
  const all: Record<string, number> = { ...one }
  for (const [name, count] of Object.entries(other)) all[name] = (all[name] ?? 0) + count
  return all
}
