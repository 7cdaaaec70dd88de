// While the database is away, clients are told so at once instead of waiting for it. Routes that need no
// database answer as usual. A restart is shorter than that: requests wait for it.
import type { FastifyInstance } from 'fastify'
import type { ApiDeps } from './api-deps.ts'
import { Refusal } from './errors.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Answers whether the database is there or not. */
    withoutStore?: boolean
  }
}

const WAITED_MS = 5000
const RETRY_S = '5'

export function refuseWhileAway(app: FastifyInstance, deps: ApiDeps): void {
  if (deps.fleet === undefined) return
  app.addHook('onRequest', async ({ routeOptions }) => {
    const { open, withoutStore } = routeOptions.config ?? {}
    if (open === true || withoutStore === true || !isAway(deps)) return
    const message = 'PostgreSQL cannot be reached; crawls go on when it is back'
    throw new Refusal(503, message, {
      code: 'store-unreachable',
      headers: { 'retry-after': RETRY_S },
    })
  })
}

function isAway({ fleet, clock }: ApiDeps): boolean {
  const store = fleet?.stores.find((one) => one.store === 'postgres')
  return store !== undefined && !store.isUp && clock.now() - store.since >= WAITED_MS
}
