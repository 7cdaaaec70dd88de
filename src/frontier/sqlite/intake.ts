// How URLs come in: new ones are judged, scored and written; known ones may have become nearer,
// better linked, or allowed after all.
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { type Found, VIAS, type Via } from '../../core/link.ts'
import { type Refusal, reasonCode } from '../../core/visit.ts'
import type { ChangingFact } from '../../ordering/ordering.ts'
import { type Admission, NOT_FOLLOWED, TOO_DEEP, type Verdict } from './admission.ts'
import type { Depths } from './depths.ts'
import type { Hosts } from './hosts.ts'
import { packIds } from './packing.ts'
import type { Rescoring } from './rescoring.ts'
import { NO_DEPTH, type SeenUrls } from './seen-urls.ts'
import { QUEUED, REFUSED } from './states.ts'
import type { Tally } from './tally.ts'
import type { UrlRow, UrlTable } from './url-table.ts'

const EXEMPT: readonly string[] = [
  'depth',
  'nofollow',
  'trap',
  'filter',
  'scope',
] satisfies Refusal[]

/** What found a batch of URLs, and what they get from it. */
export type Source = {
  /** Id of the page; negative: of the sitemap; null: from outside. */
  readonly foundOn: number | null
  readonly via: Via
  /** Of the URLs found. */
  readonly depth: number
  readonly hops: number
}

export type IntakeOptions = {
  readonly db: DatabaseSync
  readonly urls: UrlTable
  readonly seen: SeenUrls
  readonly hosts: Hosts
  readonly tally: Tally
  readonly admission: Admission
  readonly depths: Depths
  readonly rescoring: Rescoring
  readonly rescoreOn: readonly ChangingFact[]
  /** With a depth limit depths must be exact, whatever the ordering weighs. */
  readonly exactDepth: boolean
}

export class Intake {
  readonly #parts: IntakeOptions
  readonly #saveEdges: StatementSync
  readonly #weighs: {
    readonly depth: boolean
    readonly inLinks: boolean
    readonly signals: boolean
  }

  constructor(options: IntakeOptions) {
    this.#parts = options
    this.#saveEdges = options.db.prepare(
      'INSERT OR REPLACE INTO edge (from_id, step, to_ids) VALUES (?, ?, ?)',
    )
    const { rescoreOn, exactDepth } = options
    this.#weighs = {
      depth: exactDepth || rescoreOn.includes('depth'),
      inLinks: rescoreOn.includes('inLinks'),
      signals: rescoreOn.includes('signals'),
    }
  }

  /** Returns how many were new. */
  add(found: readonly Found[], source: Source): number {
    const { seen } = this.#parts
    const foundAt = seen.lastId + 1
    for (const link of found) {
      const known = seen.claim(link.hash)
      if (known === 0) this.#addNew(link, source, foundAt)
      else if (source.via === 'seed') this.#nameAsSeed(known)
      else if (!link.nofollow) this.#addKnown(known, link, source)
    }
    if (this.#parts.exactDepth) this.#keepEdges(found, source)
    return seen.lastId + 1 - foundAt
  }

  /** A refused URL that a better path now leads to: queued when nothing else speaks against it. */
  reconsider(row: UrlRow, depth: number, isSeed = false): void {
    const { urls, seen, tally, admission } = this.#parts
    const verdict = admission.judge(row.url, { depth, nofollow: false, isSeed })
    if (verdict.reason === row.reason && depth === row.depth) return
    const priority = verdict.reason === null ? admission.score({ ...row, depth }) : row.priority
    const state = verdict.reason === null ? QUEUED : REFUSED
    urls.judge({
      ...{ id: row.id, depth, priority, state },
      ...{ originId: verdict.origin?.id ?? row.originId, reason: verdict.reason ?? '' },
    })
    seen.setDepth(row.id, depth)
    seen.setClosed(row.id, isFinal(verdict))
    tally.move(row.state, state)
    this.#enqueue(verdict, row.id, priority)
  }

  #addNew(link: Found, { foundOn, via, depth, hops }: Source, foundAt: number): void {
    const { urls, seen, tally, admission } = this.#parts
    const { url, signals, nofollow } = link
    const id = seen.lastId
    const inLinks = via === 'link' && !nofollow ? 1 : 0
    const verdict = admission.judge(url, { depth, nofollow, isSeed: via === 'seed' })
    const isQueued = verdict.reason === null
    const priority = isQueued ? admission.score({ url, depth, foundAt, inLinks, signals }) : 0
    const state = isQueued ? QUEUED : REFUSED
    urls.insert({
      ...{ id, url, state, depth, hops, foundOn, foundAt, inLinks, signals, priority },
      ...{
        originId: verdict.origin?.id ?? 0,
        reason: verdict.reason ?? '',
        via: VIAS.indexOf(via),
      },
    })
    seen.setDepth(id, verdict.reason === NOT_FOLLOWED ? NO_DEPTH : depth)
    if (isFinal(verdict)) seen.setClosed(id, true)
    tally.move(null, state)
    this.#enqueue(verdict, id, priority)
  }

  /** The user asks for what links had led to before: whatever came of it stays, rules do not. */
  #nameAsSeed(id: number): void {
    const { depths, urls } = this.#parts
    depths.lower(id, 0, this)
    const row = urls.read(id)
    if (row.state === REFUSED && isUndoneForSeeds(row)) this.reconsider(row, 0, true)
  }

  #addKnown(id: number, link: Found, source: Source): void {
    const { seen, depths, rescoring } = this.#parts
    const depth = seen.depthOf(id)
    if (depth > source.depth && (this.#weighs.depth || depth === NO_DEPTH)) {
      depths.lower(id, source.depth, this)
    }
    if (seen.isClosed(id)) return
    if (this.#weighs.inLinks && source.via === 'link') rescoring.noteLink(id)
    if (this.#weighs.signals && link.signals !== null) rescoring.noteSignals(id, link.signals)
  }

  #keepEdges(found: readonly Found[], { foundOn, via }: Source): void {
    if (foundOn === null || foundOn < 0) return
    const followed: number[] = []
    for (const { nofollow, hash } of found)
      if (!nofollow) followed.push(this.#parts.seen.find(hash))
    if (followed.length === 0) return
    this.#saveEdges.run(foundOn, via === 'redirect' ? 0 : 1, packIds(followed))
  }

  #enqueue(verdict: Verdict, id: number, priority: number): void {
    if (verdict.origin === null) return
    verdict.origin.queue.add(id, priority)
    this.#parts.hosts.touch(verdict.origin.host)
  }
}

/** Rules that seeds are exempt from. A type that a fetch has shown stays what it is. */
function isUndoneForSeeds({ reason, tries }: UrlRow): boolean {
  const code = reasonCode(reason)
  return EXEMPT.includes(code) || (code === 'type' && tries === 0)
}

/** True when no better path can take the verdict back. */
function isFinal({ reason }: Verdict): boolean {
  return reason !== null && reason !== NOT_FOLLOWED && reason !== TOO_DEEP
}
