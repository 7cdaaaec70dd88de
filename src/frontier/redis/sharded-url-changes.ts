// What changed in a frontier that is cut into shards. A page and its links may be in several of them, and a
// URL that is settled in the copy must have its links there: so changes are told in sweeps over all
// shards. First every URL up to some change of each shard, those that are settled as if they were still out;
// then those that were settled before the sweep began, as they are.
import { randomBytes } from 'node:crypto'
import type { FrontierNote, UrlCopy } from '../../core/url-copy.ts'
import type { RedisConnection } from '../../db/redis.ts'
import type { SomeChanges, UrlChanges } from '../url-changes.ts'
import {
  type ChangesBetween,
  createRedisUrlChanges,
  type RedisUrlChanges,
} from './redis-url-changes.ts'

/** In the copy: into how many shards the frontier is cut. */
const SHARDS_NOTE = 'shards'

type Step = ChangesBetween & { readonly shard: number; readonly isFirst: boolean }

export function createWholeUrlChanges(
  connection: RedisConnection,
  crawlId: number,
  shards: number,
): UrlChanges {
  const name = randomBytes(9).toString('base64url')
  const all = Array.from({ length: shards }, (_, shard) =>
    createRedisUrlChanges({ connection, crawlId, shard, shards, name }),
  )
  const [first] = all
  return shards === 1 && first !== undefined ? first : new ShardedUrlChanges(all)
}

/** As a copy has it; 1 when it says nothing. */
export function notedShards(notes: readonly FrontierNote[]): number {
  const note = notes.find(({ name }) => name === SHARDS_NOTE)
  return note === undefined ? 1 : Math.max(1, Number(Buffer.from(note.bytes).toString()) || 1)
}

class ShardedUrlChanges implements UrlChanges {
  readonly #shards: readonly RedisUrlChanges[]
  #steps: Step[] = []
  /** Where to go on once what was taken is copied. */
  #taken: Step | null = null

  constructor(shards: readonly RedisUrlChanges[]) {
    this.#shards = shards
  }

  async take(limit: number): Promise<SomeChanges | null> {
    const isNew = this.#steps.length === 0
    if (isNew) this.#steps = await this.#plan()
    for (let [step] = this.#steps; step !== undefined; [step] = this.#steps) {
      const some = (await this.#shards[step.shard]?.take(limit, step)) ?? null
      if (some === null) {
        this.#steps = []
        this.#taken = null
        return null
      }
      const last = some.marks.at(-1)
      if (last !== undefined) {
        this.#taken = { ...step, after: last }
        return this.#told(some, step.isFirst)
      }
      this.#steps.shift()
    }
    // What changed since the sweep began is told by the next one.
    if (!isNew) return this.take(limit)
    return { urls: [], hosts: [], notes: [], marks: [] }
  }

  /** Those that were told as if they were out are to be told again. */
  async copied({ urls, marks }: SomeChanges): Promise<void> {
    const step = this.#taken
    if (step === null) return
    this.#steps[0] = step
    this.#taken = null
    const pairs = urls.flatMap((url, nth) => {
      const mark = marks[nth] ?? -1
      return mark < 0 ? [] : [{ url, mark }]
    })
    await this.#shards[step.shard]?.copied({
      ...{ urls: pairs.map(({ url }) => url), marks: pairs.map(({ mark }) => mark) },
      ...{ hosts: [], notes: [] },
    })
  }

  async leave(): Promise<void> {
    for (const shard of this.#shards) await shard.leave()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.leave()
  }

  async #plan(): Promise<Step[]> {
    const settledBy = await this.#newest()
    const foundBy = await this.#newest()
    const steps = (upTo: readonly number[], isFirst: boolean): Step[] =>
      upTo.map((newest, shard) => ({ shard, isFirst, after: 0, upTo: newest }))
    return [...steps(foundBy, true), ...steps(settledBy, false)]
  }

  #newest(): Promise<number[]> {
    return Promise.all(this.#shards.map((shard) => shard.newest()))
  }

  #told(some: SomeChanges, isFirst: boolean): SomeChanges {
    const bytes = Buffer.from(String(this.#shards.length))
    const notes = [{ name: SHARDS_NOTE, bytes }]
    if (!isFirst) return { ...some, notes }
    const isOut = some.urls.map(mayHaveLinks)
    return {
      ...some,
      notes,
      urls: some.urls.map((url, nth) =>
        isOut[nth] ? { ...url, state: 'leased', reason: '' } : url,
      ),
      marks: some.marks.map((mark, nth) => (isOut[nth] ? -1 : mark)),
    }
  }
}

/** Whatever was fetched may have led somewhere. */
function mayHaveLinks({ state, tries, outOfReach }: UrlCopy): boolean {
  if (state === 'refused') return tries > 0 && !outOfReach
  return state === 'stored' || state === 'duplicate' || state === 'redirected'
}
