// How much a piece of the program does, counted instead of timed: how often each block of its code ran.
// The same on any machine, however busy. What the engine does by itself (finding a character in a
// string, a regular expression, a sort) counts as nothing.
import { Session } from 'node:inspector'

type Range = { readonly count: number }
type Script = { readonly url: string; readonly functions: readonly { ranges: readonly Range[] }[] }

export class WorkCounter implements Disposable {
  readonly #session = new Session()

  constructor() {
    this.#session.connect()
    this.#session.post('Profiler.enable')
    this.#session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
  }

  /** Blocks of code under `src/` that ran meanwhile. */
  count(run: () => void): number {
    this.#take()
    run()
    let total = 0
    for (const { url, functions } of this.#take()) {
      if (!url.includes('/src/')) continue
      for (const { ranges } of functions) for (const { count } of ranges) total += count
    }
    return total
  }

  [Symbol.dispose](): void {
    this.#session.disconnect()
  }

  /** Since it was last called. */
  #take(): readonly Script[] {
    let scripts: readonly Script[] = []
    this.#session.post('Profiler.takePreciseCoverage', (error, { result }) => {
      if (error !== null) throw error
      scripts = result
    })
    return scripts
  }
}
