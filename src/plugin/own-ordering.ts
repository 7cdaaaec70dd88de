// The ordering of a plug-in in the scouter. It is asked for every link and cannot be asked elsewhere, so it runs
// in the scouter itself: what it throws costs a URL its place, and when it hangs, a thread beside it ends the
// process, which its supervisor starts again and reports.
import { Worker } from 'node:worker_threads'
import { CrawlerError } from '../core/errors.ts'
import type { Job } from '../core/job.ts'
import type { PluginRecord } from '../core/plugin.ts'
import { moduleBeside } from '../lib/module-beside.ts'
import type { Ordering, Ranking, Scorer, Signals } from '../ordering/ordering.ts'
import { inWords, isPromise } from './call-hook.ts'
import { MAX_HOOK_MS } from './hanging.ts'
import { HookMark } from './hook-mark.ts'
import { loadRecorded } from './load-plugin.ts'
import type { Watched } from './watchdog-thread.ts'

const WATCHDOG = moduleBeside(import.meta, 'watchdog-thread')
const MAX_SIGNALS = 255
const MAX_STATE_BYTES = 16 * 2 ** 20

type Notice = (text: string) => void

/** The ordering of the crawl, if a plug-in has it; else null, and nothing is loaded. */
export async function openOwnOrdering(
  { settings }: Pick<Job, 'settings'>,
  notice: Notice,
  maxMs = MAX_HOOK_MS,
): Promise<Ordering | null> {
  const record = settings.plugins.find(({ ordering }) => ordering?.name === settings.ordering)
  if (record === undefined) return null
  const ordering = await loadOrdering(record)
  const mark = new HookMark([record.name])
  const watched: Watched = { hookMark: mark.buffer, maxMs }
  const watchdog = new Worker(WATCHDOG, { workerData: watched })
  watchdog.unref()
  forbidExit(mark)
  return guardOrdering(ordering, { mark, plugin: record.name, notice })
}

async function loadOrdering(record: PluginRecord): Promise<Ordering> {
  try {
    const { ordering } = await loadRecorded(record)
    if (ordering !== undefined) return ordering
    throw new Error('it has no ordering any more')
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    const message = `the plug-in ${record.name} cannot be loaded: ${why}`
    throw new CrawlerError('process-died', message, { cause })
  }
}

/** A call of `process.exit` inside of a hook is an error of the hook. */
function forbidExit(mark: HookMark): void {
  const exit = process.exit.bind(process)
  process.exit = (code) => {
    if (mark.call !== null) throw new Error('it calls process.exit')
    return exit(code)
  }
}

type GuardOptions = {
  readonly mark: HookMark
  readonly plugin: string
  /** Hears of the first failure of each method. */
  readonly notice: Notice
}

/** The same ordering, of which nothing is thrown, and every answer has the right form. */
export function guardOrdering(ordering: Ordering, options: GuardOptions): Ordering {
  return {
    ...ordering,
    createScorer: (values, seed) => {
      const scorer = begun(() => ordering.createScorer(values, seed), options)
      return guardedScorer(scorer, new Guard(options))
    },
  }
}

/** Without a scorer there is no crawl: its failure is that of the process. */
function begun(create: () => Scorer, { mark, plugin }: GuardOptions): Scorer {
  mark.enter(plugin, 'ordering')
  try {
    const scorer: unknown = create()
    if (isScorer(scorer)) return scorer
    throw new Error('it has no function score')
  } catch (cause) {
    const message = `createScorer of the ordering of ${plugin} failed: ${oneLine(cause)}`
    throw new CrawlerError('process-died', message, { cause })
  } finally {
    mark.leave()
  }
}

function isScorer(value: unknown): value is Scorer {
  return (
    typeof value === 'object' &&
    value !== null &&
    'score' in value &&
    typeof value.score === 'function'
  )
}

function oneLine(why: unknown): string {
  return inWords(why).slice(0, 200)
}

class Guard {
  readonly #options: GuardOptions
  readonly #told = new Set<string>()

  constructor(options: GuardOptions) {
    this.#options = options
  }

  /** The answer if it fits, else `otherwise`. */
  call<T>(
    method: string,
    work: () => unknown,
    fits: (answer: unknown) => answer is T,
    otherwise: T,
  ) {
    const { mark, plugin } = this.#options
    mark.enter(plugin, 'ordering')
    try {
      const answer = work()
      // It is not awaited; a rejection would end the process.
      if (isPromise(answer)) Promise.resolve(answer).catch(() => {})
      if (fits(answer)) return answer
      this.#tell(method, 'its answer has the wrong form')
    } catch (error) {
      this.#tell(method, error)
    } finally {
      mark.leave()
    }
    return otherwise
  }

  #tell(method: string, why: unknown): void {
    const { plugin, notice } = this.#options
    if (this.#told.has(method)) return
    this.#told.add(method)
    const text = `warning: ${method} of the ordering of ${plugin} failed, perhaps not for the last time`
    notice(`${text}: ${oneLine(why)}`)
  }
}

function guardedScorer(scorer: Scorer, guard: Guard): Scorer {
  const { ranking } = scorer
  const guarded: Scorer = {
    // What has no score comes last.
    score: (candidate) => guard.call('score', () => scorer.score(candidate), isNumber, Number.NaN),
    ...(scorer.pass && {
      pass: (page, link, target) =>
        guard.call('pass', () => scorer.pass?.(page, link, target), isSignalsOrNull, link ?? []),
    }),
    ...(scorer.merge && {
      merge: (known, fresh) =>
        guard.call('merge', () => scorer.merge?.(known, fresh), isSignals, known),
    }),
    ...(scorer.settled && {
      settled: (page) => guard.call('settled', () => scorer.settled?.(page), isAnything, undefined),
    }),
    ...(scorer.save && {
      save: (part) => guard.call('save', () => scorer.save?.(part), isState, null),
    }),
    ...(scorer.load && {
      load: (bytes, part) =>
        guard.call('load', () => scorer.load?.(bytes, part), isAnything, undefined),
    }),
    ...(scorer.leave && {
      leave: (part) => guard.call('leave', () => scorer.leave?.(part), isAnything, undefined),
    }),
    ...(scorer.gist && {
      gist: (part) => guard.call('gist', () => scorer.gist?.(part), isState, null),
    }),
    ...(scorer.hear && {
      hear: (gists) => guard.call('hear', () => scorer.hear?.(gists), isAnything, undefined),
    }),
    ...(ranking && { ranking: guardedRanking(ranking, guard) }),
  }
  return Object.defineProperties(guarded, {
    drifts: { get: () => scorer.drifts === true, enumerable: true },
    renewals: { get: () => numberOr(scorer.renewals, 0), enumerable: true },
  })
}

function guardedRanking(ranking: Ranking, guard: Guard): Ranking {
  return {
    isDue: (settled, since) =>
      guard.call('isDue', () => ranking.isDue(settled, since), isTruth, false),
    rank: (graph) => {
      const fits = (answer: unknown): answer is Float64Array =>
        answer instanceof Float64Array && answer.length === graph.nodes
      return guard.call('rank', () => ranking.rank(graph), fits, new Float64Array(graph.nodes))
    },
  }
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value)
}

function isSignals(value: unknown): value is Signals {
  return Array.isArray(value) && value.length < MAX_SIGNALS && value.every(isNumber)
}

function isSignalsOrNull(value: unknown): value is Signals | null {
  return value === null || isSignals(value)
}

function isState(value: unknown): value is Uint8Array | null {
  return value === null || (value instanceof Uint8Array && value.length <= MAX_STATE_BYTES)
}

function isTruth(value: unknown): value is boolean {
  return typeof value === 'boolean'
}

function isAnything(_value: unknown): _value is undefined {
  return true
}

function numberOr(value: unknown, otherwise: number): number {
  return isNumber(value) ? value : otherwise
}
