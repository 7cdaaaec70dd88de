import type { FastifyInstance } from 'fastify'
import type { MetricSample } from './prometheus.ts'

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
