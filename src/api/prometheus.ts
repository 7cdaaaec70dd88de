// What `/metrics` counts itself, and the text format of Prometheus, written by hand: a few lines need no library.
import type { FastifyInstance } from 'fastify'
import type { Done } from '../crawl/run-measures.ts'
import type { Dispatcher } from '../jobs/dispatcher.ts'

export type Metric = {
  readonly name: string
  readonly type: 'counter' | 'gauge'
  readonly help: string
  readonly samples: readonly MetricSample[]
}

type MetricSample = {
  readonly labels?: Readonly<Record<string, string>>
  readonly value: number
}

export const PROMETHEUS_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

export function prometheusText(metrics: readonly Metric[]): string {
  return metrics.map(metricText).join('')
}

function metricText({ name, type, help, samples }: Metric): string {
  const escaped = help.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')
  const lines = samples.map(
    ({ labels, value }) => `${name}${labelsText(labels)} ${numberText(value)}\n`,
  )
  return `# HELP ${name} ${escaped}\n# TYPE ${name} ${type}\n${lines.join('')}`
}

function labelsText(labels: Readonly<Record<string, string>> = {}): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escapedValue(value)}"`)
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`
}

function escapedValue(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
}

function numberText(value: number): string {
  if (Number.isNaN(value)) return 'NaN'
  if (Number.isFinite(value)) return String(value)
  return value > 0 ? '+Inf' : '-Inf'
}

/** Requests by route and status class. A route is a pattern, so the number of counters is small. */
export class RequestCounts {
  readonly #counts = new Map<string, { route: string; answer: string; value: number }>()

  constructor(app: FastifyInstance) {
    app.addHook('onResponse', async ({ routeOptions }, { statusCode }) => {
      const route = routeOptions.url ?? 'unknown'
      const answer = `${Math.floor(statusCode / 100)}xx`
      const key = `${route} ${answer}`
      const count = this.#counts.get(key) ?? { route, answer, value: 0 }
      this.#counts.set(key, count)
      count.value++
    })
  }

  samples(): readonly MetricSample[] {
    return [...this.#counts.values()].map(({ route, answer, value }) => ({
      labels: { route, answer },
      value,
    }))
  }
}

/** Totals of all jobs of this server since it started. The sums only grow, as needed for drawing curves. */
export class WorkDone {
  readonly #dispatcher: Dispatcher
  readonly #unsubscribe: () => void
  /** For running jobs. */
  readonly #seen = new Map<number, Done>()
  #stored = 0
  #bytes = 0

  constructor(dispatcher: Dispatcher) {
    this.#dispatcher = dispatcher
    this.#unsubscribe = dispatcher.subscribe({
      onProgress: (crawlId) => this.#look(crawlId),
      onEvent: ({ crawlId, event }) => {
        this.#look(crawlId)
        if (event.type === 'removed') this.#seen.delete(crawlId)
        else if (event.type === 'status' && event.status !== 'running') this.#seen.delete(crawlId)
      },
    })
  }

  get stored(): number {
    return this.#stored
  }

  get bytes(): number {
    return this.#bytes
  }

  close(): void {
    this.#unsubscribe()
  }

  #look(crawlId: number): void {
    const live = this.#dispatcher.live(crawlId)
    if (live === null || live.progress === null) return
    const { stored, bytes } = live.progress
    const before = this.#seen.get(crawlId) ?? live.before
    this.#stored += Math.max(0, stored - before.stored)
    this.#bytes += Math.max(0, bytes - before.bytes)
    this.#seen.set(crawlId, { stored, bytes })
  }
}
