// A connection for checks. Other connections wait for a server that is away; this one detects that it is, and
// when it is back. A connection without an answer is replaced by a new one, since it may be dead.
import { CrawlerError } from '../../core/errors.ts'

/** Longer than a healthy server under load takes for a trivial request. */
export const ANSWER_MS = 3000

type CheckedOptions<T> = {
  /** The name of the server in errors. */
  readonly shown: string
  readonly open: () => Promise<T>
  /** At once, whatever is under way. */
  readonly close: (connection: T) => Promise<void>
}

export class CheckedConnection<T> implements AsyncDisposable {
  readonly #options: CheckedOptions<T>
  #opened: Promise<T> | null = null
  #isClosed = false

  constructor(options: CheckedOptions<T>) {
    this.#options = options
  }

  /** Rejects if the work takes longer than {@link ANSWER_MS}. */
  async over<R>(work: (connection: T) => Promise<R>): Promise<R> {
    const { shown, open } = this.#options
    if (this.#isClosed) throw new CrawlerError('store-unreachable', `${shown} is no longer checked`)
    this.#opened ??= open()
    const opened = this.#opened
    try {
      return await inTime(opened.then(work), shown)
    } catch (error) {
      if (this.#opened === opened) this.#opened = null
      void this.#close(opened)
      throw error
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true
    const opened = this.#opened
    this.#opened = null
    if (opened !== null) await this.#close(opened)
  }

  /** Also one that is still being opened. */
  async #close(opened: Promise<T>): Promise<void> {
    await opened.then((connection) => this.#options.close(connection)).catch(() => {})
  }
}

async function inTime<T>(work: Promise<T>, shown: string): Promise<T> {
  const late = Promise.withResolvers<never>()
  const message = `${shown} did not answer within ${ANSWER_MS / 1000} s`
  const timer = setTimeout(
    () => late.reject(new CrawlerError('store-unreachable', message)),
    ANSWER_MS,
  )
  // The result that comes second is ignored.
  work.catch(() => {})
  return Promise.race([work, late.promise]).finally(() => clearTimeout(timer))
}
