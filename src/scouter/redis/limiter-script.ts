// One call of turns.lua: steps at one host, and what the server says to them.
import type { RedisConnection } from '../../db/redis.ts'
import type { Clock } from '../../lib/clock.ts'

/** Verb, turn, number, text: see turns.lua. */
export type LimiterStep = readonly [
  verb: 'start' | 'hold' | 'end' | 'rest' | 'leave' | 'ask',
  turn: string,
  number: number,
  text: string,
]

export type AskAnswer = {
  /** By our clock; null: the turn is given. */
  readonly at: number | null
  readonly waitMs: number
  readonly trouble: string
}

export type LimiterScriptOptions = {
  readonly connection: RedisConnection
  readonly holder: string
  readonly clock: Clock
  readonly clockIsShared?: boolean
}

export class LimiterScript {
  readonly #options: LimiterScriptOptions

  constructor(options: LimiterScriptOptions) {
    this.#options = options
  }

  async run(
    host: string,
    steps: readonly LimiterStep[],
  ): Promise<{ readonly others: number; readonly answers: readonly AskAnswer[] }> {
    const { connection, holder, clock, clockIsShared } = this.#options
    const now = clockIsShared ? clock.now() : ''
    const reply = await connection.run(
      'scouter/turns',
      [`{${connection.prefix}:turn:${host}}`],
      [now, holder, ...steps.flat()],
    )
    const [serverNow, others, ...answers] = Array.isArray(reply) ? reply : []
    const ours = clockIsShared ? 0 : clock.now() - Number(serverNow)
    return {
      others: Number(others),
      answers: answers.map((answer) => decodeAnswer(answer, Number(serverNow), ours)),
    }
  }
}

function decodeAnswer(answer: unknown, now: number, ours: number): AskAnswer {
  const [at, trouble] = Array.isArray(answer) ? answer : []
  if (Number(at) < 0) return { at: null, waitMs: 0, trouble: '' }
  return { at: Number(at) + ours, waitMs: Number(at) - now, trouble: String(trouble) }
}
