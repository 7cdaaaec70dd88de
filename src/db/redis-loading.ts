// A server that was started reads its files first, and may take minutes over it: it answers, but does
// nothing else. Whoever waits for it should neither give up nor wonder.
import type { Cluster, Redis } from 'ioredis'

export type LoadingWatch = {
  readonly everyMs: number
  /** `seconds`: how long it will take by its own estimate; null: it has none. */
  readonly onLoading: (seconds: number | null) => void
}

/** Looks after every connection until the server is ready. */
export function watchLoading(client: Redis | Cluster, watch: LoadingWatch): void {
  // Nodes of a Cluster that load are replaced or waited for as those that are gone.
  if ('nodes' in client) return
  client.on('connect', () => void lookUntilReady(client, watch).catch(() => {}))
}

async function lookUntilReady(client: Redis, { everyMs, onLoading }: LoadingWatch): Promise<void> {
  while (client.status === 'connect') {
    const text = await client.info('persistence')
    if (!/^loading:1/m.test(text)) return
    const seconds = Number(/^loading_eta_seconds:(\d+)/m.exec(text)?.[1] ?? Number.NaN)
    onLoading(Number.isFinite(seconds) ? seconds : null)
    await new Promise((resolve) => setTimeout(resolve, everyMs).unref())
  }
}
