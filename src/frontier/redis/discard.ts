// Deletes a partition. What is left for a day tells a late owner that this was meant.
import type { RedisConnection } from '../../db/redis.ts'
import { RowSet } from './reading.ts'

const DAY_MS = 86_400_000
const FENCE = ['owner', 'epoch', 'made', 'batch', 'summary', 'staged'] as const

/** May be interrupted and done again. */
export async function discardPartition(
  connection: RedisConnection,
  tag: string,
  partitions: number,
): Promise<void> {
  const key = `${tag}p`
  await connection.call('HSET', key, 'gone', 1)
  await connection.call('HDEL', key, ...FENCE)
  const generations = await connection.call('HMGET', key, 'gen', 'restoring')
  for (const gen of Array.isArray(generations) ? generations : []) {
    if (gen !== null) await new RowSet(connection, tag, Number(gen)).remove()
  }
  const outboxes = Array.from({ length: partitions }, (_, to) => `${tag}o:${to}`)
  await connection.call('UNLINK', `${tag}o`, `${tag}t`, `${tag}s`, ...outboxes)
  await connection.call('HDEL', key, 'gen', 'restoring')
  await connection.call('PEXPIRE', key, DAY_MS)
}
