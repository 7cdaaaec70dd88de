// The robots.txt of each origin. The text stays in its row; memory only holds whether it is known, and until
// when.
import type { RobotsRecord } from '../frontier.ts'
import type { Origin } from './host.ts'
import type { Hosts } from './hosts.ts'
import type { RobotsRows } from './rows.ts'

export type RobotsBookOptions = {
  readonly rows: RobotsRows
  readonly hosts: Hosts
  readonly ignore: boolean
  /** The latest time until which any copy may be used, as of the beginning of this run. */
  readonly latestExpiry: number
}

export class RobotsBook {
  readonly #rows: RobotsRows

  constructor({ rows, hosts, ignore, latestExpiry }: RobotsBookOptions) {
    this.#rows = rows
    // Records of an earlier run that obeyed robots.txt must not delay this one.
    if (ignore) return
    const late: string[] = []
    for (const standing of rows.standings()) {
      const expiresAt = Math.min(standing.expiresAt, latestExpiry)
      if (expiresAt < standing.expiresAt) late.push(standing.origin)
      const origin = hosts.originNamed(standing.origin)
      if (origin) note(origin, { ...standing, expiresAt })
    }
    for (const origin of late) rows.update(origin, { expiresAt: latestExpiry })
  }

  read(origin: string): RobotsRecord | null {
    return this.#rows.get(origin) ?? null
  }

  save(origin: Origin, record: RobotsRecord): void {
    const [fetchedAt, expiresAt] = [Math.floor(record.fetchedAt), Math.ceil(record.expiresAt)]
    this.#rows.put({ ...record, origin: origin.name, fetchedAt, expiresAt })
    note(origin, { ...record, expiresAt })
  }
}

function note(
  origin: Origin,
  { status, expiresAt, attempts }: Pick<RobotsRecord, 'status' | 'expiresAt' | 'attempts'>,
): void {
  origin.robots = status === 'unreachable' ? 'unreachable' : 'known'
  origin.robotsUntil = expiresAt
  origin.robotsAttempts = attempts
}
