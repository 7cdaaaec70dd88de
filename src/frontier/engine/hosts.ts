// All hosts of the crawl that ever had a URL queued, and their rows. Hosts with something to do are in
// memory, and so are some that were just done; the others are parked.
import { NO_COSTS } from '../../core/budget.ts'
import type { HostState } from '../../core/host.ts'
import type { Job } from '../../core/job.ts'
import { type CanonicalUrl, hostOf, siteOf } from '../../core/url.ts'
import { Host, Origin, Site } from './host.ts'
import { type Parked, ParkedHosts, restore } from './parked-hosts.ts'
import type { Queues } from './queues.ts'
import type { HostRow, Rows } from './rows.ts'

/** Idle hosts that stay in memory, some 5 MB. Most are needed again soon, or never. */
const IDLE_IN_MEMORY = 5000
/** When all scores have changed, this many hosts are updated with every page, until all were. */
const LOOKED_AT_IN_TURN = 16

type HostsOptions = {
  readonly rows: Pick<Rows, 'host' | 'parked'>
  readonly job: Job
  /** The end of a host's rest, as of the beginning of this run. */
  readonly restOf: (row: HostRow) => number
  readonly queues: Pick<Queues, 'create'>
  readonly partition: number
  /** Whether a URL belongs to this partition. */
  readonly isHere: (url: CanonicalUrl) => boolean
  /** Default: {@link IDLE_IN_MEMORY}. */
  readonly idleInMemory?: number | undefined
}

export class Hosts {
  readonly #queues: HostsOptions['queues']
  readonly #delayMs: number
  readonly #byName = new Map<string, Host>()
  readonly #byId: (Host | undefined)[] = []
  /** Hosts that were idle when last placed, the longest idle first. */
  readonly #idle = new Set<Host>()
  readonly #idleInMemory: number
  readonly #parked: ParkedHosts
  #lastId = 0
  readonly #sites = new Map<string, Site>()
  readonly #seedSites: Site[] = []
  readonly #dirty: Host[] = []
  readonly #touched = new Set<Host>()
  readonly #learnedOf = new Set<Host>()
  readonly #rows: HostsOptions['rows']
  readonly #partition: number
  #turn = 0
  #toLookAt = 0
  #renewals = 0

  constructor(options: HostsOptions) {
    const { rows, job, queues, restOf, partition, isHere } = options
    const { idleInMemory = IDLE_IN_MEMORY } = options
    this.#rows = rows
    this.#partition = partition
    this.#queues = queues
    this.#idleInMemory = idleInMemory
    this.#parked = new ParkedHosts(rows)
    this.#delayMs = Math.ceil(job.settings.delayMs)
    for (const seed of job.seeds) if (isHere(seed)) this.#siteNamed(siteOf(hostOf(seed)), true)
    this.#load(restOf)
  }

  /** Number of all hosts, in memory or not. */
  get size(): number {
    return this.#lastId
  }

  get seedSites(): readonly Site[] {
    return this.#seedSites
  }

  /** All hosts with something to do, and the others that are in memory. */
  all(): Iterable<Host> {
    return this.#byName.values()
  }

  /** Hosts that are not in memory, for display: the largest, unless many are wanted. */
  parkedStates(limit: number): Iterable<HostState> {
    return this.#parked.states(limit)
  }

  /** The gap between requests to a host. */
  delayOf(host: Host): number {
    return Math.max(this.#delayMs, host.ownDelayMs)
  }

  /** The origin of a URL; adds it if it is unknown. */
  originFor(url: CanonicalUrl, hostName: string): Origin {
    const host = this.#named(hostName) ?? this.#newHost(hostName)
    return this.#originIn(host, url.startsWith('https:'))
  }

  /** Undefined if no URL of that host was ever queued. */
  originWithId(id: number): Origin | undefined {
    const host = this.#byId[id >> 1] ?? this.#unparked(this.#parked.nameOf(id >> 1))
    return host && this.#originIn(host, (id & 1) === 1)
  }

  /** Undefined if no URL of that host was ever queued. */
  originNamed(name: string): Origin | undefined {
    const host = this.#named(name.slice(name.indexOf('//') + 2))
    return host && this.#originIn(host, name.startsWith('https:'))
  }

  markDirty(host: Host): void {
    if (host.dirty) return
    host.dirty = true
    this.#dirty.push(host)
  }

  /** Its queue has changed: its row must be written, and the schedule must place it again. */
  touch(host: Host): void {
    this.markDirty(host)
    this.#touched.add(host)
  }

  /** The order of its queue has changed: the schedule must rank it again. */
  moved(host: Host): void {
    this.#touched.add(host)
  }

  /** The scores of everything that waits there may have changed. */
  learnedOf(host: Host): void {
    this.#touched.add(host)
    this.#learnedOf.add(host)
  }

  /** `renewals` grows when all scores may have changed. Then every host is updated, a few at a time. */
  renewed(renewals: number): void {
    if (renewals !== this.#renewals) this.#toLookAt = this.#lastId
    this.#renewals = renewals
    const some = Math.min(LOOKED_AT_IN_TURN, this.#toLookAt)
    this.#toLookAt -= some
    for (let count = 0; count < some; count += 1) {
      this.#turn = (this.#turn % this.#lastId) + 1
      const host = this.#byId[this.#turn]
      if (host !== undefined && !host.isIdle) this.learnedOf(host)
    }
  }

  /** Rows of hosts are still to be written. */
  get areDirty(): boolean {
    return this.#dirty.length > 0
  }

  /** Hosts touched since the last call. */
  takeTouched(): readonly Host[] {
    for (const host of this.#learnedOf) host.look()
    this.#learnedOf.clear()
    const touched = [...this.#touched]
    this.#touched.clear()
    return touched
  }

  /** Writes the rows of hosts that changed; call before a transaction ends. */
  write(): void {
    for (const host of this.#dirty) {
      host.dirty = false
      this.#saveOne(host)
    }
    this.#dirty.length = 0
    this.#parkIdle()
  }

  /** Called for every host that was placed, with whether it is idle. */
  noteIdle(host: Host, isIdle: boolean): void {
    if (!isIdle) this.#idle.delete(host)
    else if (this.#byId[host.id] === host) this.#idle.add(host)
  }

  #parkIdle(): void {
    for (const host of this.#idle) {
      if (this.#idle.size <= this.#idleInMemory) return
      this.#idle.delete(host)
      // Hosts touched in this transaction are placed after it, and noted again.
      if (host.dirty || this.#touched.has(host) || !host.isIdle) continue
      this.#parked.park(host, host.stateWith(this.delayOf(host)))
      this.#byName.delete(host.name)
      this.#byId[host.id] = undefined
    }
  }

  #named(name: string): Host | undefined {
    return this.#byName.get(name) ?? this.#unparked(name)
  }

  #unparked(name: string | undefined): Host | undefined {
    const parked = name === undefined ? undefined : this.#parked.take(name)
    if (name === undefined || parked === undefined) return undefined
    return this.#takeBack(name, parked)
  }

  #takeBack(name: string, { id, facts, origins }: Parked): Host {
    const host = this.#keep(id, name, siteOf(name))
    restore(host, facts)
    for (const { id, facts } of origins) restore(this.#newOrigin(host, (id & 1) === 1, 0), facts)
    // Until it is placed again. Most are taken because a URL is added.
    this.#idle.add(host)
    return host
  }

  #saveOne(host: Host): void {
    const open = [0, 0]
    for (const { id, queue, held } of host.origins) open[id & 1] = queue.size + held
    this.#rows.host.put({
      id: host.id,
      name: host.name,
      site: host.site.name,
      openHttp: open[0] ?? 0,
      openHttps: open[1] ?? 0,
      delayed: host.delayed,
      stored: host.stored,
      failures: host.failures,
      trouble: host.trouble,
      ownDelayMs: host.ownDelayMs,
      delayMs: this.delayOf(host),
      restsUntil: host.restsUntil,
      requests: host.spent?.requests ?? 0,
      bytes: host.spent?.bytes ?? 0,
      cpuMs: Math.round(host.spent?.cpu ?? 0),
      answered: host.answered,
      restMs: host.restMs,
    })
  }

  #newHost(name: string): Host {
    const host = this.#keep(this.#lastId + 1, name, siteOf(name))
    this.markDirty(host)
    return host
  }

  #keep(id: number, name: string, siteName: string): Host {
    const site = this.#siteNamed(siteName, false)
    const host = new Host(id, name, site)
    host.partition = this.#partition
    this.#byName.set(name, host)
    this.#byId[id] = host
    this.#lastId = Math.max(this.#lastId, id)
    return host
  }

  #originIn(host: Host, isHttps: boolean): Origin {
    const id = originId(host.id, isHttps)
    for (const origin of host.origins) if (origin.id === id) return origin
    return this.#newOrigin(host, isHttps, 0)
  }

  #newOrigin(host: Host, isHttps: boolean, size: number): Origin {
    const id = originId(host.id, isHttps)
    const origin = new Origin(id, host, this.#queues.create(id, size))
    // A new array each time: one that grows by push reserves room for sixteen more, for every host.
    host.origins = [...host.origins, origin]
    return origin
  }

  #siteNamed(name: string, isSeed: boolean): Site {
    const known = this.#sites.get(name)
    if (known) return known
    const site = new Site(name, isSeed)
    this.#sites.set(name, site)
    if (isSeed) this.#seedSites.push(site)
    return site
  }

  #load(restOf: HostsOptions['restOf']): void {
    const changed: [id: number, restsUntil: number][] = []
    for (const row of this.#rows.host.all()) {
      const host = this.#keep(row.id, row.name, row.site)
      host.stored = row.stored
      host.site.stored += host.stored
      host.ownDelayMs = row.ownDelayMs
      host.restsUntil = restOf(row)
      if (host.restsUntil !== row.restsUntil) changed.push([row.id, host.restsUntil])
      host.answered = row.answered
      host.restMs = row.restMs
      const { requests, bytes, cpuMs: cpu } = row
      if (requests > 0) host.spent = { ...NO_COSTS, requests, bytes, cpu }
      if (row.openHttp > 0) this.#newOrigin(host, false, row.openHttp)
      if (row.openHttps > 0) this.#newOrigin(host, true, row.openHttps)
    }
    for (const [id, restsUntil] of changed) this.#rows.host.update(id, { restsUntil })
  }
}

function originId(hostId: number, isHttps: boolean): number {
  return hostId * 2 + (isHttps ? 1 : 0)
}
