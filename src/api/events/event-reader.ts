// Live events: what happens to jobs, sent to all clients at once and in order. The store is their source, and
// a *cursor* is a position in it. So a client that was away, or reads slower than we write, continues from
// its position and misses nothing.
//
//   store ──reader──▶ channel (one per job and kind) ──the same bytes──▶ clients that are up to date
//     └─────reader──▶ one client that is behind, up to where its channel is ──▶ then with the others
//
// Progress is momentary: it is not stored, and a client that misses one gets the next.
import { isFinal, type JobRecord, jobId } from '../../core/job.ts'
import type { KeptEvent } from '../../store/job-journal.ts'
import type { ApiDeps } from '../api-deps.ts'
import type { JobViews } from '../job-views.ts'

/** The last event and the last page that a client got. */
export type Cursor = { readonly event: number; readonly page: number }

/** What a client subscribes to: one job, with or without its pages; null: all jobs. */
export type Subject = { readonly crawlId: number | null; readonly pages: boolean }

type Batch = {
  /** '' if nothing happened. */
  readonly text: string
  readonly cursor: Cursor
  /** True if more may follow right away. */
  readonly more: boolean
  /** True if the job was removed: no event will follow. */
  readonly gone: boolean
}

/** Pages or events per read. */
const CHUNK = 200

export function frame(name: string, payload: unknown, { event, page }: Cursor): string {
  return `id: ${event}.${page}\nevent: ${name}\ndata: ${JSON.stringify(payload)}\n\n`
}

/**
 * For momentary events, and before anything can be read: a client that reconnects continues from its
 * position.
 */
export function frameWithoutId(name: string, payload: unknown): string {
  return `event: ${name}\ndata: ${JSON.stringify(payload)}\n\n`
}

/** Parses a cursor as written by `frame`; null if it is invalid. */
export function readCursor(text: string): Cursor | null {
  const [, event, page] = /^(\d{1,15})\.(\d{1,15})$/.exec(text) ?? []
  return event === undefined ? null : { event: Number(event), page: Number(page) }
}

type ReaderDeps = Pick<ApiDeps, 'jobs' | 'journal' | 'reads'>

export class EventReader {
  readonly #deps: ReaderDeps
  readonly #views: JobViews

  constructor(deps: ReaderDeps, views: JobViews) {
    this.#deps = deps
    this.#views = views
  }

  /** The current position. */
  async now({ crawlId, pages }: Subject): Promise<Cursor> {
    const { journal, reads } = this.#deps
    const event = await journal.last()
    return { event, page: pages && crawlId !== null ? await reads.lastPageId(crawlId) : 0 }
  }

  /** The events after `from`, and up to `upTo` if that is given. */
  async read(subject: Subject, from: Cursor, upTo: Cursor | null): Promise<Batch> {
    // Events first: all pages stored before one of them are found below, so the end of a job is never sent
    // before its last page.
    const events = await this.#events(subject, from, upTo)
    const pages = await this.#pages(subject, from, upTo)
    if (pages.more) return { ...pages, gone: false }
    const told = await this.#told(events, pages.cursor, subject)
    const more = events.length === CHUNK
    const event = more ? told.cursor.event : (upTo?.event ?? told.cursor.event)
    return {
      text: pages.text + told.text,
      cursor: { ...told.cursor, event },
      more,
      gone: subject.crawlId !== null && events.some(({ event }) => event.type === 'removed'),
    }
  }

  async #events(
    { crawlId }: Subject,
    from: Cursor,
    upTo: Cursor | null,
  ): Promise<readonly KeptEvent[]> {
    if (upTo !== null && upTo.event <= from.event) return []
    const ofJob = crawlId === null ? {} : { crawlId }
    const events = await this.#deps.journal.list({ after: from.event, limit: CHUNK, ...ofJob })
    return upTo === null ? events : events.filter(({ id }) => id <= upTo.event)
  }

  async #pages(
    { crawlId, pages }: Subject,
    from: Cursor,
    upTo: Cursor | null,
  ): Promise<Omit<Batch, 'gone'>> {
    const nothing = { text: '', cursor: from, more: false }
    if (!pages || crawlId === null || (upTo !== null && upTo.page <= from.page)) return nothing
    const asked = { after: from.page, limit: CHUNK, filter: {} }
    const { pages: rows } = await this.#deps.reads.pageRows(crawlId, asked)
    const wanted = upTo === null ? rows : rows.filter(({ id }) => id <= upTo.page)
    const more = wanted.length === CHUNK
    const text = wanted.map((row) => frame('page', row, { ...from, page: row.id })).join('')
    const last = wanted.at(-1)?.id ?? from.page
    return { text, cursor: { ...from, page: more ? last : (upTo?.page ?? last) }, more }
  }

  async #told(
    events: readonly KeptEvent[],
    from: Cursor,
    subject: Subject,
  ): Promise<Pick<Batch, 'text' | 'cursor'>> {
    const jobs = await this.#jobsOf(events)
    const frames: string[] = []
    let cursor = from
    for (const kept of events) {
      cursor = { ...cursor, event: kept.id }
      frames.push(await this.#frameOf(kept, jobs.get(kept.crawlId), cursor, subject))
    }
    return { text: frames.join(''), cursor }
  }

  async #jobsOf(events: readonly KeptEvent[]): Promise<ReadonlyMap<number, JobRecord>> {
    const changed = events.filter(({ event }) => event.type === 'status')
    const jobs = new Map<number, JobRecord>()
    for (const crawlId of new Set(changed.map(({ crawlId }) => crawlId))) {
      const job = await this.#deps.jobs.get(crawlId)
      if (job !== null) jobs.set(crawlId, job)
    }
    return jobs
  }

  /** '' if there is nothing to send: for removed jobs, and for notices that the client did not ask for. */
  async #frameOf(
    { at, crawlId, event }: KeptEvent,
    job: JobRecord | undefined,
    cursor: Cursor,
    subject: Subject,
  ): Promise<string> {
    if (event.type === 'removed') return frame('removed', { id: jobId(crawlId) }, cursor)
    if (event.type === 'notice') {
      return subject.crawlId === null ? '' : frame('notice', { at, text: event.text }, cursor)
    }
    if (job === undefined) return ''
    // With its status at the time, but current figures: several changes at once are sent one by one.
    const { status, note } = event
    const endedAt = isFinal(status) ? at : null
    return frame('job', await this.#views.summary({ ...job, status, note, endedAt }), cursor)
  }
}
