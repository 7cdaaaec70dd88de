// How scripts are called: what every one of them needs, in the order of the calls, with what requests
// did in between going first.
import type { RedisConnection } from '../../db/redis.ts'
import type { Clock } from '../../lib/clock.ts'
import { newOwner } from '../partitions/owner-name.ts'
import { frontierError } from './frontier-error.ts'
import { metaKey, type ShardName } from './keys.ts'
import { type Moment, momentOf } from './moment.ts'
import { parseReply } from './reply.ts'
import { type ScriptName, scriptNamed } from './scripts.ts'

export type Word = string | number

export type CallsOptions = {
  readonly connection: RedisConnection
  readonly name: ShardName
  readonly clock: Clock
  readonly clockIsShared: boolean
  readonly sessionMs: number
  /** Left out: a new one. */
  readonly session?: string | undefined
}

/** What a script answered, which call it was, and when it went out. */
export type Answer = {
  readonly call: number
  readonly sentAt: Moment
  readonly reply: readonly unknown[]
}

export class Calls {
  readonly session: string
  readonly #options: CallsOptions
  readonly #keys: readonly string[]
  #count = 0
  #marks: Word[] = []
  #marksWaiting = 0
  #onMarks: (answer: Answer) => void = () => {}
  #broken: unknown = null
  #timer: NodeJS.Immediate | null = null

  constructor(options: CallsOptions) {
    this.#options = options
    this.session = options.session ?? newOwner()
    this.#keys = [metaKey(options.name)]
  }

  /** The number of the next call: what happens now is told with it or before. */
  get next(): number {
    return this.#count + 1
  }

  /** Who hears what the server answers to marks. */
  onMarks(heard: (answer: Answer) => void): void {
    this.#onMarks = heard
  }

  /** Something about a request, told at the end of this turn of the event loop or with the next call. */
  mark(words: readonly Word[]): void {
    for (const word of words) this.#marks.push(word)
    this.#marksWaiting += 1
    this.#timer ??= setImmediate(() => this.#sendMarks())
  }

  /** Runs a script; `call` is its number. */
  async run(name: ScriptName, words: readonly Word[]): Promise<Answer> {
    if (this.#broken !== null) throw this.#broken
    this.#sendMarks()
    this.#count += 1
    const call = this.#count
    const sentAt = this.#now()
    return { call, sentAt, reply: parseReply(await this.#send(name, words)) }
  }

  /** Marks are told without waiting: a script the server must ask for would come after the next call. */
  async loadMarks(): Promise<void> {
    await this.run('marks', [0])
  }

  /** Until what was marked so far has been told. */
  async flush(): Promise<void> {
    await this.#sendMarks()
    if (this.#broken !== null) throw this.#broken
  }

  #sendMarks(): Promise<void> {
    if (this.#timer !== null) clearImmediate(this.#timer)
    this.#timer = null
    if (this.#marksWaiting === 0) return Promise.resolve()
    const words = [this.#marksWaiting, ...this.#marks]
    this.#marks = []
    this.#marksWaiting = 0
    this.#count += 1
    const call = this.#count
    const sentAt = this.#now()
    return this.#send('marks', words).then(
      (reply) => this.#onMarks({ call, sentAt, reply: parseReply(reply) }),
      (error: unknown) => {
        this.#broken ??= error
      },
    )
  }

  async #send(name: ScriptName, words: readonly Word[]): Promise<unknown> {
    try {
      return await this.#options.connection.run(scriptNamed(name), this.#keys, this.#head(words))
    } catch (error) {
      throw this.#asOurs(error)
    }
  }

  #now(): Moment {
    const { clock, clockIsShared } = this.#options
    return momentOf(clock, clockIsShared)
  }

  #head(words: readonly Word[]): Word[] {
    const { clock, clockIsShared, sessionMs } = this.#options
    return [clockIsShared ? clock.now() : '', this.session, sessionMs, ...words]
  }

  #asOurs(error: unknown): unknown {
    const { name, connection } = this.#options
    return frontierError(error, name, connection.shownUrl)
  }
}
