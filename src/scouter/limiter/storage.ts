// Where processes on many machines share the slots at hosts: the rows behind `SharedHostLimiter`. The storage
// knows no rule. It keeps a row for each process that sends requests (a member) and a row for each host, and
// it refuses to overwrite a host's row that its writer has not seen.
//
// Nothing here needs to be durable: what is lost is written again a second later.
import type { HostQueue } from '../host-limiter-rules.ts'

export type Member = {
  /** Used by one process at a time. */
  readonly name: string
  /** Members of one crawl do not wait for each other. */
  readonly crawl: string
  /** It takes its slots by the rows of hosts; false: it knows of no other crawl, and writes none. */
  readonly shares: boolean
  /** It has closed, and its rows are written. */
  readonly isGone: boolean
  /** Its last request to a host that has no row went out before this. */
  readonly silentSince: number
}

export type KnownMember = Member & {
  /** Epoch ms by the server's clock: its last report, and when it counts as dead without another one. */
  readonly at: number
  readonly until: number
}

export type HostRow = {
  readonly host: string
  /** Another one with every write; 0: there is no row. */
  readonly version: number
  /** Epoch ms by the server's clock. */
  readonly usedAt: number
  readonly queue: HostQueue
}

/** `previous`: the version that its writer has read. */
export type HostWrite = HostRow & { readonly previous: number }

export type Reported = {
  /** Epoch ms of the server's clock. */
  readonly now: number
  /** There was a row of this name. */
  readonly wasKnown: boolean
  /** Members of other crawls, also those that are gone or dead, until they are removed. */
  readonly others: readonly KnownMember[]
}

export interface LimiterStorage {
  /**
   * Writes the row of a member, which counts for `forMs`, and then reads the others: of two that report at
   * the same time, at least one sees the other.
   */
  report(member: Member, forMs: number): Promise<Reported>
  /** Names of the members of one crawl that are not gone. */
  membersOf(crawl: string): Promise<readonly string[]>
  /** Members that the caller knows to be dead are gone now; returns the time and how many there were. */
  end(names: readonly string[]): Promise<{ readonly now: number; readonly ended: number }>
  read(hosts: readonly string[]): Promise<readonly HostRow[]>
  /** Rows used since `since`, and of hosts that still rest at `now`. */
  readRecent(since: number, now: number): Promise<readonly HostRow[]>
  /** Writes each row unless another process has written it since `previous`; returns the hosts written. */
  write(rows: readonly HostWrite[]): Promise<ReadonlySet<string>>
  /** Hosts in whose rows one of these members has a slot or a place in line. */
  heldBy(names: readonly string[]): Promise<readonly string[]>
  /** Removes rows of hosts not used since, and members that counted as dead by then. */
  purge(before: { readonly hosts: number; readonly members: number }): Promise<void>
}
