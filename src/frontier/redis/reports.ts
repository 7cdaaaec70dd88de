// What programs see of the partitions of a crawl.
import type { RedisConnection } from '../../db/redis.ts'
import type { PartitionView } from '../storage.ts'
import { REPORT } from './commands.ts'
import { type CrawlMade, partitionTag } from './keys.ts'
import type { OwnedPartition } from './owned-partition.ts'
import { textsOf } from './reading.ts'

/** Partitions that one call looks at, where they may be on one server. */
const AT_ONCE = 64

export type SeenPartition = {
  readonly made: string
  /** 0: no rows are valid. */
  readonly gen: number
  readonly owner: string
  readonly epoch: number
  readonly summary: string
  readonly batch: string
  /** Receivers with the number of messages that wait for them. */
  readonly waiting: ReadonlyMap<number, number>
}

/** Renews what this owner has. `lost`: the server knows nothing of it, `gone`: it was discarded. */
export async function readReports(
  connection: RedisConnection,
  {
    crawlId,
    crawl,
    ...asked
  }: { crawlId: number; crawl: CrawlMade | null; owner: string; forMs: number },
): Promise<readonly (SeenPartition | 'lost' | 'gone')[]> {
  const keys = Array.from(
    { length: crawl?.partitions ?? 0 },
    (_, partition) => `${partitionTag({ prefix: connection.prefix, crawlId }, partition)}p`,
  )
  const atOnce = connection.isCluster ? 1 : AT_ONCE
  const answers: Promise<unknown>[] = []
  for (let at = 0; at < keys.length; at += atOnce) {
    const some = keys.slice(at, at + atOnce)
    answers.push(connection.run(REPORT, some, [asked.owner, asked.forMs]))
  }
  return (await Promise.all(answers)).flat().map(decodeSeen)
}

function decodeSeen(reply: unknown): SeenPartition | 'lost' | 'gone' {
  const [made, ...rest] = Array.isArray(reply) ? reply : []
  if (made === '') return Number(rest[0]) === 1 ? 'gone' : 'lost'
  const [gen, owner, epoch, summary, batch, waiting] = rest
  const numbers = textsOf(waiting).map(Number)
  const pairs = numbers.flatMap((number, at): [number, number][] =>
    at % 2 === 0 ? [[number, numbers[at + 1] ?? 0]] : [],
  )
  return {
    ...{ made: String(made), gen: Number(gen), owner: String(owner), epoch: Number(epoch) },
    ...{ summary: String(summary), batch: String(batch), waiting: new Map(pairs) },
  }
}

/** `ownOf`: a partition of this program, if what was seen of it must be as it was written. */
export function viewOf(
  seen: readonly (SeenPartition | 'lost' | 'gone')[],
  ownOf: (partition: number) => OwnedPartition | null,
): PartitionView[] {
  return seen.map((each, partition): PartitionView => {
    const messages = seen.reduce(
      (sum, from) => sum + (typeof from === 'object' ? (from.waiting.get(partition) ?? 0) : 0),
      0,
    )
    const own = ownOf(partition)
    const isThere = typeof each === 'object'
    const { owner, epoch, summary } = isThere ? each : { owner: '', epoch: 0, summary: '' }
    const view = { partition, owner, epoch, summary, messages }
    if (own !== null && !(isThere && own.isAsWritten(each))) {
      const { ownership } = own
      return { ...view, owner: ownership.owner, epoch: ownership.epoch, lost: true }
    }
    return isThere && each.gen > 0 ? view : { ...view, lost: true }
  })
}
