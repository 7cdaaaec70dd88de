// Messages for a partition. They are kept with their senders, see keys.ts.
import type { RedisConnection } from '../../db/redis.ts'
import type { Message } from '../storage.ts'
import { unpackMessage } from './commands.ts'
import { partitionTag } from './keys.ts'
import type { OwnedPartition } from './owned-partition.ts'
import { bytesOf } from './reading.ts'

/** The oldest of each sender, about as many of each. */
export async function readInbox(
  connection: RedisConnection,
  own: OwnedPartition,
  { senders, limit }: { readonly senders: readonly number[]; readonly limit: number },
): Promise<readonly Message[]> {
  const { crawlId, partition } = own.ownership
  const tagOf = (from: number) => partitionTag({ prefix: connection.prefix, crawlId }, from)
  const taken = await own.taken()
  const waiting = await Promise.all(
    senders.map(async (from) =>
      Number(await connection.call('HGET', `${tagOf(from)}o`, partition)),
    ),
  )
  const shares = sharesOf(waiting, limit)
  const all = await Promise.all(
    senders.map(async (from, at) => {
      const share = shares[at] ?? 0
      if (share === 0) return []
      const key = `${tagOf(from)}o:${partition}`
      const some = bytesOf(await connection.callBytes('LRANGE', key, 0, share - 1))
      const messages = some.map((bytes) => unpackMessage(bytes, from, partition))
      const last = taken.get(from) ?? 0
      const fresh = messages.filter(({ number }) => number > last)
      // Its last owner died before it deleted them.
      if (fresh.length < messages.length) await own.trim(from, last)
      return fresh
    }),
  )
  return all.flat()
}

/** Divides a limit: nobody gets more than is waiting, and the rest is for those with many. */
function sharesOf(waiting: readonly number[], limit: number): number[] {
  const shares = waiting.map(() => 0)
  const order = waiting.map((count, at) => [count, at] as const).filter(([count]) => count > 0)
  let [left, others] = [limit, order.length]
  for (const [count, at] of order.toSorted(([a], [b]) => a - b)) {
    const share = Math.min(count, Math.ceil(left / others))
    shares[at] = share
    left -= share
    others--
  }
  return shares
}
