// A partition that this program owns: the engine at work on a copy of its rows, and what is still to be
// written to the storage.
import type { UrlHasher } from '../../lib/url-hash.ts'
import type { ForeignLinks, Nearer, RedirectWay } from '../engine/foreign-links.ts'
import type { Partition } from '../engine/partition.ts'
import type { ChangedKeys, Rows } from '../engine/rows.ts'
import {
  type Batch,
  type FrontierStorage,
  type Message,
  type Ownership,
  type Row,
  type RowsOfTable,
  TABLES,
  type TableChanges,
  type TableName,
} from '../storage.ts'
import { decodeMail, encodeMail, type Mail, type TurnMail } from './mail.ts'
import type { WrittenPartition } from './partition-writer.ts'
import { encodeSummary, type PartitionSummary } from './summary.ts'

/** A copy of a partition's rows on this machine. It survives nothing; the storage has the rows. */
export interface WorkingCopy extends Rows {
  readonly changes: ChangedKeys
  /** Rows that exist, in any order. */
  readRows(table: TableName, keys: readonly Row[]): readonly Row[]
  loadRows(table: TableName, rows: readonly Row[]): void
  /** All rows, some at a time. */
  allRows(): Iterable<RowsOfTable>
  /** It is no copy: these are the rows of the storage, and a batch makes their changes durable. */
  readonly isStorage?: true
  /** For rows of the storage: something has changed since the last batch. */
  readonly isChanged?: boolean
}

/** Reads the rows of a partition into a copy. */
export async function fillCopy(
  storage: Pick<FrontierStorage, 'load'>,
  ownership: Ownership,
  copy: WorkingCopy,
): Promise<void> {
  if (copy.isStorage) return
  for await (const { table, rows } of storage.load(ownership)) copy.loadRows(table, rows)
}

/** Between two summaries of a partition at work. */
const SUMMARY_MS = 500
/** Links of one message. More would keep the receiver's other work waiting. */
const MAX_LINKS = 2000

type OwnedPartitionOptions = {
  readonly ownership: Ownership
  readonly rows: WorkingCopy
  readonly partition: Partition
  readonly hashUrl: UrlHasher
  /** A message about a turn at a host came to this partition. */
  readonly onTurn: (mail: TurnMail, to: OwnedPartition) => void
  /** Everything but what is counted here. */
  readonly summarise: (partition: Partition) => Omit<PartitionSummary, 'writes' | 'epoch'>
}

export class OwnedPartition implements WrittenPartition {
  readonly ownership: Ownership
  readonly engine: Partition
  readonly #rows: WorkingCopy
  readonly #hashUrl: UrlHasher
  readonly #summarise: OwnedPartitionOptions['summarise']
  readonly #onTurn: OwnedPartitionOptions['onTurn']
  #links = new Map<number, ForeignLinks[]>()
  /** By partition: the depths of pages that became nearer. */
  #nearer = new Map<number, Map<number, number>>()
  #mail: { readonly to: number; readonly mail: Mail }[] = []
  #taken = new Map<number, number>()
  #summary = ''
  #summarisedAt = Number.NEGATIVE_INFINITY
  #wasIdle = false
  /** As last written. */
  #hasReserved = false
  #writes = 0
  /** Messages that are not durable yet. */
  #inTransit = 0
  #isAtWork = false
  /** It is to be released as soon as nothing is under way. */
  isLeaving = false

  constructor(options: OwnedPartitionOptions) {
    this.ownership = options.ownership
    this.engine = options.partition
    this.#rows = options.rows
    this.#hashUrl = options.hashUrl
    this.#summarise = options.summarise
    this.#onTurn = options.onTurn
  }

  get number(): number {
    return this.ownership.partition
  }

  /** As last written. */
  get summary(): string {
    return this.#summary
  }

  /**
   * Others would see something else now: a part of what was written, or what changed without a row. What an idle
   * partition shows was written with its last batch, unless its owner has reserved pages.
   */
  get isBehind(): boolean {
    if (this.engine.isIdle && !this.#hasReserved) return false
    return this.#summaryOf(this.#summarise(this.engine)) !== this.#summary
  }

  /** Grows with every batch. */
  get writes(): number {
    return this.#writes
  }

  /** Messages to others are not durable yet. */
  get hasMail(): boolean {
    return this.#hasMail || this.#inTransit > 0
  }

  /** Nothing waits and nothing is under way, messages included. */
  get isIdle(): boolean {
    return this.#isAtWork && this.engine.status().isIdle && !this.hasMail
  }

  /** False until its messages were read and its seeds added: before that it only looks idle. */
  get isAtWork(): boolean {
    return this.#isAtWork
  }

  begin(): void {
    this.#isAtWork = true
    this.summariseAgain()
  }

  get #hasMail(): boolean {
    return this.#links.size + this.#nearer.size + this.#mail.length > 0
  }

  /** Links that lead to another partition. They are sent with the rows of the page they were found on. */
  sendLinks(to: number, links: ForeignLinks): void {
    const known = this.#links.get(to)
    if (known === undefined) this.#links.set(to, [links])
    else known.push(links)
  }

  /** Later than the links of that page. */
  lower(to: number, { page, depth }: Nearer): void {
    const known = this.#nearer.get(to)
    if (known === undefined) this.#nearer.set(to, new Map([[page, depth]]))
    else known.set(page, depth)
  }

  send(to: number, mail: Mail): void {
    this.#mail.push({ to, mail })
  }

  /**
   * Takes messages, those of one sender in order; those that were taken before are ignored. Numbers may leave
   * gaps, and then only the inbox knows that nothing is missing: a message that did not come from there is
   * left to it. One that is in the inbox though it was taken was sent twice: the next batch deletes it again.
   */
  receive(messages: readonly Message[], isFromInbox: boolean): void {
    const { taken } = this.#rows
    this.engine.change(() => {
      for (const { from, number, body } of messages) {
        const last = taken.get(from)?.number ?? 0
        if (isFromInbox ? number <= last : number !== last + 1) {
          if (isFromInbox) this.#taken.set(from, last)
          continue
        }
        this.#take(decodeMail(body, this.#hashUrl))
        taken.put({ fromPartition: from, number })
        this.#taken.set(from, number)
      }
    })
  }

  /** The number of the last message taken from a partition. */
  takenFrom(from: number): number {
    return this.#rows.taken.get(from)?.number ?? 0
  }

  takeBatch(): Batch | null {
    const messages = this.#takeMessages()
    const changes = takeChanges(this.#rows)
    const hasChanged = changes.length + this.#taken.size > 0 || this.#rows.isChanged === true
    const facts = this.#isSummaryDue(hasChanged) ? this.#summarise(this.engine) : null
    const isSame = facts === null || this.#summaryOf(facts) === this.#summary
    if (!hasChanged && isSame) return null
    this.#writes += 1
    const summary = facts === null ? null : this.#summaryOf(facts)
    this.#summary = summary ?? this.#summary
    if (facts !== null) this.#hasReserved = facts.reserved > 0
    const taken = this.#taken
    this.#taken = new Map()
    return { ownership: this.ownership, changes, messages, taken, summary }
  }

  /**
   * Others look about once a second. At once they have to know only what the end of the crawl depends on: a
   * partition that is idle, or was, has a new summary with every batch.
   */
  #isSummaryDue(hasChanged: boolean): boolean {
    const { isIdle } = this.engine
    const now = this.engine.parts.clock.now()
    const mayWait = isIdle ? this.#wasIdle && !hasChanged : !this.#wasIdle
    if (mayWait && Math.abs(now - this.#summarisedAt) < SUMMARY_MS) return false
    this.#wasIdle = isIdle
    this.#summarisedAt = now
    return true
  }

  /** The last change before it is released. */
  saveAll(): void {
    this.engine.saveAll()
    this.summariseAgain()
  }

  /** Something that is not in its rows has changed its summary. */
  summariseAgain(): void {
    this.#summarisedAt = Number.NEGATIVE_INFINITY
  }

  /** All rows as they are now. Rows that change meanwhile are part of a later batch. */
  async *allRows(): AsyncGenerator<RowsOfTable> {
    yield* this.#rows.allRows()
  }

  #summaryOf(facts: Omit<PartitionSummary, 'writes' | 'epoch'>): string {
    const isIdle = facts.isIdle && this.#isAtWork
    return encodeSummary({ ...facts, isIdle, writes: this.#writes, epoch: this.ownership.epoch })
  }

  /** So many of its messages are durable. */
  delivered(messages: number): void {
    this.#inTransit -= messages
  }

  close(): void {
    this.#rows.close()
  }

  #take(mail: Mail): void {
    const { settling } = this.engine.parts
    if (mail.kind === 'links') for (const links of mail.links) this.#takeLinks(links)
    else if (mail.kind === 'settled') settling.settle(mail.update)
    else if (mail.kind === 'nearer') this.#takeNearer(mail.pages)
    else if (mail.kind === 'way') this.#follow(mail.way)
    else if (mail.kind === 'loop') settling.breakLoop(mail.id)
    else if (mail.kind !== 'moved') this.#onTurn(mail, this)
    else for (const moved of mail.moved) settling.restate(moved)
  }

  #takeLinks(links: ForeignLinks): void {
    const { intake, sitemaps } = this.engine.parts
    intake.receive(links)
    for (const { url, level, hops } of links.sitemaps) sitemaps.add([url], { level, hops })
    const { via, foundOn } = links
    if (via !== 'redirect' || foundOn === null) return
    for (const { url } of links.links) {
      this.#follow({ from: foundOn, at: url, steps: 1, highest: foundOn })
    }
  }

  #takeNearer(pages: readonly Nearer[]): void {
    for (const nearer of pages) this.engine.parts.intake.lower(nearer)
  }

  #follow(way: RedirectWay): void {
    const loop = this.engine.parts.loops.follow(way)
    if (loop === null) return
    const { partition, id } = loop
    if (partition === this.number) this.engine.parts.settling.breakLoop(id)
    else this.send(partition, { kind: 'loop', id })
  }

  #takeMessages(): readonly Message[] {
    if (!this.#hasMail) return []
    const from = this.number
    const messages: Message[] = []
    this.#rows.transaction(() => {
      for (const { to, mail } of this.#allMail()) {
        const number = (this.#rows.sent.get(to)?.number ?? 0) + 1
        this.#rows.sent.put({ toPartition: to, number })
        messages.push({ from, to, number, body: encodeMail(mail) })
      }
    })
    this.#links = new Map()
    this.#nearer = new Map()
    this.#mail = []
    this.#inTransit += messages.length
    return messages
  }

  *#allMail(): Iterable<{ readonly to: number; readonly mail: Mail }> {
    for (const [to, all] of this.#links) {
      for (const links of inPortions(all)) yield { to, mail: { kind: 'links', links } }
    }
    for (const [to, depths] of this.#nearer) {
      const pages = Array.from(depths, ([page, depth]) => ({ page, depth }))
      yield { to, mail: { kind: 'nearer', pages } }
    }
    yield* this.#mail
  }
}

/** Everything that changed in a working copy since the last call. */
export function takeChanges(rows: WorkingCopy): readonly TableChanges[] {
  return [...rows.changes.take()].map(([table, noted]) => {
    const width = TABLES[table].key
    const keys = noted.filter(({ length }) => length === width)
    if (keys.length === 0) return { table, rows: noted, dropped: [] }
    const found = rows.readRows(table, keys)
    const dropped = found.length === keys.length ? [] : missing(table, keys, found)
    const known = noted.filter(({ length }) => length > width)
    return { table, rows: known.length === 0 ? found : [...known, ...found], dropped }
  })
}

function* inPortions(all: readonly ForeignLinks[]): Iterable<readonly ForeignLinks[]> {
  let portion: ForeignLinks[] = []
  let size = 0
  for (const links of all) {
    portion.push(links)
    size += links.links.length
    if (size < MAX_LINKS) continue
    yield portion
    portion = []
    size = 0
  }
  if (portion.length > 0) yield portion
}

/** The keys that no row has any more. */
function missing(table: TableName, keys: readonly Row[], rows: readonly Row[]): readonly Row[] {
  const width = TABLES[table].key
  const there = new Set(rows.map((row) => row.slice(0, width).join(' ')))
  return keys.filter((key) => !there.has(key.join(' ')))
}
