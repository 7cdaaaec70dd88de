// The rows of the host limiter in Redis, all under one hash tag: in a Cluster one node has them.
import type { RedisConnection } from '../../db/redis.ts'
import { decodeQueue, encodeQueue } from '../host-limiter-rules.ts'
import type {
  HostRow,
  HostWrite,
  KnownMember,
  LimiterStorage,
  Member,
  Reported,
} from '../limiter/storage.ts'

/** Rows in one answer. */
const CHUNK = 1000

export type RedisLimiterStorageOptions = {
  readonly connection: Pick<RedisConnection, 'prefix' | 'run' | 'call'>
  /** Epoch ms; default: the server's time. */
  readonly now?: () => number
}

export function createRedisLimiterStorage(options: RedisLimiterStorageOptions): LimiterStorage {
  return new RedisLimiterStorage(options)
}

class RedisLimiterStorage implements LimiterStorage {
  readonly #connection: RedisLimiterStorageOptions['connection']
  readonly #now: () => number | ''
  readonly #members: string
  readonly #hosts: string
  readonly #used: string
  readonly #rests: string

  constructor({ connection, now }: RedisLimiterStorageOptions) {
    this.#connection = connection
    this.#now = now ?? (() => '')
    const tag = `{${connection.prefix}:limiter}`
    this.#members = `${tag}:members`
    this.#hosts = `${tag}:hosts`
    this.#used = `${tag}:used`
    this.#rests = `${tag}:rests`
  }

  async report(member: Member, forMs: number): Promise<Reported> {
    const { name, crawl, shares, isGone, silentSince } = member
    const said = [forMs, Number(shares), Number(isGone), silentSince]
    const answer = await this.#runMembers('report', name, crawl, ...said)
    const [now, wasKnown, ...rows] = answer
    const others = pairsOf(rows).map(([other, row]) => memberOf(other, row))
    return { now: Number(now), wasKnown: wasKnown === '1', others }
  }

  async membersOf(crawl: string): Promise<readonly string[]> {
    const all = textsOf(await this.#connection.call('HGETALL', this.#members))
    const members = pairsOf(all).map(([name, row]) => memberOf(name, row))
    return members.filter((one) => one.crawl === crawl && !one.isGone).map(({ name }) => name)
  }

  async end(names: readonly string[]): Promise<{ readonly now: number; readonly ended: number }> {
    const [now, ended] = await this.#runMembers('end', ...names)
    return { now: Number(now), ended: Number(ended) }
  }

  async read(hosts: readonly string[]): Promise<readonly HostRow[]> {
    const rows: HostRow[] = []
    for (let at = 0; at < hosts.length; at += CHUNK) {
      const some = hosts.slice(at, at + CHUNK)
      const answer = await this.#connection.call('HMGET', this.#hosts, ...some)
      for (const [nth, row] of (Array.isArray(answer) ? answer : []).entries()) {
        if (row !== null) rows.push(hostRowOf(some[nth] ?? '', String(row)))
      }
    }
    return rows
  }

  async readRecent(since: number, now: number): Promise<readonly HostRow[]> {
    const after = (key: string, than: number): Promise<unknown> =>
      this.#connection.call('ZRANGEBYSCORE', key, `(${than}`, '+inf')
    const [used, resting] = [await after(this.#used, since), await after(this.#rests, now)]
    return this.read([...new Set([...textsOf(used), ...textsOf(resting)])])
  }

  async write(rows: readonly HostWrite[]): Promise<ReadonlySet<string>> {
    const texts = rows.flatMap(({ host, previous, version, usedAt, queue }) => [
      ...[host, previous, version, Math.floor(usedAt), Math.ceil(queue.restsUntil)],
      encodeQueue(queue),
    ])
    return new Set(textsOf(await this.#runHosts('write', ...texts)))
  }

  async heldBy(names: readonly string[]): Promise<readonly string[]> {
    const held: string[] = []
    for (let cursor = '0'; ; ) {
      const answer = await this.#connection.call('HSCAN', this.#hosts, cursor, 'COUNT', CHUNK)
      const [next, rows] = Array.isArray(answer) ? answer : ['0', []]
      for (const [host, row] of pairsOf(textsOf(rows))) {
        const { shares } = hostRowOf(host, row).queue
        if (shares.some(({ holder }) => names.includes(holder))) held.push(host)
      }
      cursor = String(next)
      if (cursor === '0') return [...new Set(held)]
    }
  }

  async purge(before: { readonly hosts: number; readonly members: number }): Promise<void> {
    await this.#runHosts('purge', Math.floor(before.hosts))
    const all = textsOf(await this.#connection.call('HGETALL', this.#members))
    const members = pairsOf(all).map(([name, row]) => memberOf(name, row))
    const old = members.filter(({ until }) => until < before.members).map(({ name }) => name)
    if (old.length > 0) await this.#connection.call('HDEL', this.#members, ...old)
  }

  async #runMembers(...words: readonly (string | number)[]): Promise<readonly string[]> {
    const args = [this.#now(), ...words]
    return textsOf(await this.#connection.run('scouter/members', [this.#members], args))
  }

  #runHosts(...words: readonly (string | number)[]): Promise<unknown> {
    const keys = [this.#hosts, this.#used, this.#rests]
    return this.#connection.run('scouter/hosts', keys, words)
  }
}

function textsOf(answer: unknown): readonly string[] {
  return Array.isArray(answer) ? answer.map(String) : []
}

function pairsOf(texts: readonly string[]): readonly (readonly [string, string])[] {
  const pairs: (readonly [string, string])[] = []
  for (let at = 0; at + 1 < texts.length; at += 2)
    pairs.push([texts[at] ?? '', texts[at + 1] ?? ''])
  return pairs
}

function memberOf(name: string, row: string): KnownMember {
  const [crawl = '', numbers = ''] = row.split('\n')
  const [at = 0, until = 0, shares, isGone, silentSince = 0] = numbers.split(' ').map(Number)
  return { name, crawl, at, until, shares: shares === 1, isGone: isGone === 1, silentSince }
}

function hostRowOf(host: string, row: string): HostRow {
  const [, version, usedAt, queue = ''] = /^(\d+) (\d+) (.*)$/s.exec(row) ?? []
  return {
    ...{ host, version: Number(version), usedAt: Number(usedAt), queue: decodeQueue(queue) },
  }
}
