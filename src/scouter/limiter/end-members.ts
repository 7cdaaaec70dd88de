// Ends what dead processes left behind, for callers that know that they are dead: others would have to wait.
import { leaveIn } from '../host-limiter-rules.ts'
import { QueueRows } from './queue-rows.ts'
import type { LimiterStorage } from './storage.ts'

/** The caller knows that no process of this crawl is alive. */
export async function endMembersOf(storage: LimiterStorage, crawl: string): Promise<void> {
  await endMembers(storage, await storage.membersOf(crawl))
}

/** What these left at hosts ends now; nothing if none of them is known. */
export async function endMembers(storage: LimiterStorage, names: readonly string[]): Promise<void> {
  const { now, ended } = await storage.end(names)
  if (ended === 0) return
  const hosts = await storage.heldBy(names)
  await new QueueRows(storage).change(hosts, now, (queue) => {
    for (const name of names) leaveIn(queue, name, now)
  })
}
