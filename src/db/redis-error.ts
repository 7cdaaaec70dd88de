// Translates errors of Redis and of the connection to it into ours. They never contain a password.
import { setTimeout as pause } from 'node:timers/promises'
import { CrawlerError, type CrawlerErrorCode } from '../core/errors.ts'

const MEANINGS: readonly (readonly [RegExp, CrawlerErrorCode, string])[] = [
  [
    /^WRONGPASS|invalid username-password|invalid password/,
    'store-unreachable',
    'refuses the user or password',
  ],
  [/^NOAUTH/, 'store-unreachable', 'wants a password: redis://:PASSWORD@host'],
  [/^NOPERM/, 'store-unreachable', 'does not allow this user what is needed'],
  [/^READONLY/, 'store-unreachable', 'is a replica that takes no writes: name its master'],
  [/^OOM/, 'disk-full', 'has no memory left: raise maxmemory'],
  [/^MISCONF/, 'disk-full', 'cannot save to its disk and takes no writes'],
  [/^BUSY\b/, 'store-busy', 'is busy with a script that does not end'],
  [/^NOREPLICAS/, 'store-unreachable', 'takes no writes without its replicas'],
  [/^LOADING/, 'store-busy', 'is still loading its data'],
  [
    /CLUSTERDOWN|^MASTERDOWN|^TRYAGAIN|Too many Cluster redirections/,
    'store-unreachable',
    'is a Cluster that is not whole',
  ],
  [/ECONNREFUSED/, 'store-unreachable', 'does not answer: is it running?'],
  [/ENOTFOUND|EAI_AGAIN/, 'store-unreachable', 'has a name that leads nowhere'],
  [/ETIMEDOUT|timed? ?out/i, 'store-unreachable', 'does not answer in time'],
  [/ERR DB index|invalid DB index/, 'store-unreachable', 'has no database of that number'],
]

export function redisError(error: unknown, shownUrl: string): unknown {
  if (error instanceof CrawlerError || !(error instanceof Error)) return error
  const { message } = error
  for (const [form, code, meaning] of MEANINGS) {
    if (form.test(message)) {
      return new CrawlerError(code, `the Redis at ${shownUrl} ${meaning}`, { cause: error })
    }
  }
  if (
    /Connection is closed|ECONN|EPIPE|EHOST|ENETUNREACH|slots cache|socket|MOVED/i.test(message)
  ) {
    const text = `the Redis at ${shownUrl} cannot be reached`
    return new CrawlerError('store-unreachable', text, { cause: error })
  }
  return error
}

const PASSING =
  /^(?:BUSY|NOREPLICAS|MASTERDOWN|TRYAGAIN|LOADING|OOM|MISCONF|READONLY|CLUSTERDOWN)\b/
const SHORTEST_MS = 20
const LONGEST_MS = 1000

/**
 * Errors of a server that cannot run a command at the moment: the command was not run and may be repeated.
 */
export function isPassing(error: unknown): boolean {
  return error instanceof Error && PASSING.test(error.message)
}

/** The server is alive and will answer when it has read its files, however long that takes. */
export function isLoading(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('LOADING')
}

/**
 * One pause for all callers, longer each time if nothing was answered since the last one. Callers continue in
 * the order in which they came, so that commands keep their order.
 */
export class SharedPause {
  #current: Promise<void> | null = null
  #times = 0

  get current(): Promise<void> | null {
    return this.#current
  }

  begin(): Promise<void> {
    this.#current ??= this.#wait()
    return this.#current
  }

  /** The server ran a command. */
  answered(): void {
    this.#times = 0
  }

  async #wait(): Promise<void> {
    const forMs = Math.min(LONGEST_MS, SHORTEST_MS * 2 ** this.#times)
    this.#times = Math.min(this.#times + 1, 10)
    await pause(forMs)
    this.#current = null
  }
}
