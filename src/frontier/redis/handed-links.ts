// What shards have given each other of late. A server that dies may lose its last second, or what it had
// not told its replica; the page that brought the links is safely settled on another one meanwhile. So
// every settlement notes in its own shard what it gave away, in a stream `handed:SHARD`, and who
// notices that a shard's server is another one gives it all of that once more.
//
// A note goes when the shard it speaks of has been up for long enough since. No clock is asked: whoever
// looks remembers how far a stream came, and trims it that far when it looks the next time.
import type { RedisConnection } from '../../db/redis.ts'
import type { Word } from './calls.ts'
import { keyPrefix, type ShardName } from './keys.ts'
import { listOf } from './reply.ts'

const AT_ONCE = 50

export class HandedLinks {
  readonly #connection: RedisConnection
  readonly #names: readonly ShardName[]
  readonly #seen = new Map<string, string>()

  constructor(connection: RedisConnection, names: readonly ShardName[]) {
    this.#connection = connection
    this.#names = names
  }

  /** What a shard was given, the oldest first. */
  async *givenTo(to: number): AsyncIterable<readonly Word[]> {
    for (const key of this.#keysTo(to)) {
      for (let after = '-'; ; ) {
        const some = listOf(
          await this.#connection.call('XRANGE', key, after, '+', 'COUNT', AT_ONCE),
        )
        for (const entry of some) {
          const [, fields] = listOf(entry)
          yield wordsOf(listOf(fields)[1])
        }
        if (some.length < AT_ONCE) break
        after = `(${listOf(some.at(-1))[0]}`
      }
    }
  }

  /** For what is settled by itself: a note of what it gave away, made after it was given. */
  async note(from: ShardName, to: number, words: readonly Word[]): Promise<void> {
    const key = `${keyPrefix(from)}handed:${to}`
    await this.#connection.call('XADD', key, '*', 'words', JSON.stringify(words))
  }

  /** Drops what was there at the last look; to be called when the shard is known to be up, not too often. */
  async trim(to: number): Promise<void> {
    for (const key of this.#keysTo(to)) {
      const seen = this.#seen.get(key)
      if (seen !== undefined) await this.#connection.call('XTRIM', key, 'MINID', seen)
      const [last] = listOf(await this.#connection.call('XREVRANGE', key, '+', '-', 'COUNT', 1))
      const [id] = listOf(last)
      if (id === undefined) this.#seen.delete(key)
      else this.#seen.set(key, after(String(id)))
    }
  }

  #keysTo(to: number): readonly string[] {
    const others = this.#names.filter(({ shard }) => shard !== to)
    return others.map((name) => `${keyPrefix(name)}handed:${to}`)
  }
}

/** The first id that could follow. */
function after(id: string): string {
  const [ms, nth] = id.split('-')
  return `${ms}-${Number(nth) + 1}`
}

function wordsOf(text: unknown): readonly Word[] {
  const words: unknown = JSON.parse(String(text))
  return listOf(words).map((word) => (typeof word === 'number' ? word : String(word)))
}
