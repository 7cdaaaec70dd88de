// Scripts that only read, for those who look at a frontier without having it open.
import type { RedisConnection } from '../../db/redis.ts'
import { composeScript, type RedisScript } from '../../db/redis-script.ts'
import { frontierError } from './frontier-error.ts'
import { metaKey, type ShardName } from './keys.ts'
import { HEAD } from './scripts.ts'

const ROWS = ['prelude', 'known', 'rows']
const HOSTS = [...ROWS, 'hosts']
const PIECES = {
  list: [...ROWS, 'records', 'list'],
  find: [...ROWS, 'records', 'find'],
  outcomes: [...ROWS, 'records', 'outcomes'],
  ahead: [...ROWS, 'ahead'],
  hosts: [...HOSTS, 'shown-hosts', 'host-list'],
  held: [...HOSTS, 'holds', 'held'],
  changes: [...HOSTS, 'records', 'shown-hosts', 'changes'],
  copied: ['prelude', 'known', 'copied'],
  'map-levels': ['prelude', 'known', 'map-levels'],
} as const satisfies Record<string, readonly string[]>

export type ReadScriptName = keyof typeof PIECES

const composed = new Map<ReadScriptName, RedisScript>()

function scriptNamed(name: ReadScriptName): RedisScript {
  const known = composed.get(name) ?? composeScript(name, PIECES[name], HEAD)
  composed.set(name, known)
  return known
}

/** Runs one on a shard; nobody's session is renewed by it. */
export async function runReading(
  connection: RedisConnection,
  shard: ShardName,
  name: ReadScriptName,
  ...args: readonly (string | number)[]
): Promise<unknown> {
  try {
    return await connection.run(scriptNamed(name), [metaKey(shard)], ['', '', '', ...args])
  } catch (error) {
    throw frontierError(error, shard, connection.shownUrl)
  }
}
