// Records of a registry as its adapters keep them: JSON, read back, and in words.
import { CrawlerError } from '../core/errors.ts'
import type { Announcement, Program, ProgressSnapshot, WorkerRecord } from './worker-registry.ts'

/** A worker that is silent for this long is gone: some fifteen reports were missed. */
export const WORKER_MS = 15_000
/** In units of a worker's lifetime, during which workers continue: a restarted master is back by then. */
export const OWNER_LIVES = 2

/** A program, for the user of another one. */
export function programText({
  name,
  machine,
  pid,
  version,
}: Program & { readonly name?: string }): string {
  const called = name === undefined || name === machine ? '' : ` (${name})`
  return `Jelajah ${version} on ${machine}${called}, process ${pid}`
}

/** `who`: a program of another protocol, in words. */
export function otherProtocol(who: string, own: string): CrawlerError {
  const message = `this is Jelajah ${own}, but ${who} is at work here, and the two cannot share crawls`
  return new CrawlerError('store-newer', `${message}. Let all machines run the same version.`)
}

export function readAnnouncements(records: readonly string[]): readonly Announcement[] {
  return records.map((record): unknown => JSON.parse(record)).filter(isAnnouncement)
}

export function readWorkers(records: readonly string[]): readonly WorkerRecord[] {
  return records.map((record): unknown => JSON.parse(record)).filter(isWorker)
}

export function byArrival(workers: readonly WorkerRecord[]): readonly WorkerRecord[] {
  return workers.toSorted((a, b) => a.since - b.since || (a.id < b.id ? -1 : 1))
}

export function readSnapshot(text: string): ProgressSnapshot | null {
  const snapshot: unknown = text === '' ? null : JSON.parse(text)
  return isSnapshot(snapshot) ? snapshot : null
}

/** Programs of another protocol are never let in, so a check of one field is enough. */
function isAnnouncement(record: unknown): record is Announcement {
  return typeof record === 'object' && record !== null && 'run' in record && 'phase' in record
}

function isWorker(record: unknown): record is WorkerRecord {
  return typeof record === 'object' && record !== null && 'id' in record && 'shares' in record
}

function isSnapshot(snapshot: unknown): snapshot is ProgressSnapshot {
  return (
    typeof snapshot === 'object' && snapshot !== null && 'counts' in snapshot && 'hosts' in snapshot
  )
}

/** Up to this number, an owner reads the workers every time; if there are more, the pause grows with them. */
const FEW_WORKERS = 100
const MS_PER_WORKER = 4

type LastRead = Pick<Announcement, 'phase'> & {
  readonly at: number
  readonly workers: readonly WorkerRecord[]
}

/**
 * The workers as an owner last read them. With many workers, reading all of them every second would cost
 * more than their news are worth.
 */
export class WorkerCache {
  readonly #read = new Map<number, LastRead>()

  /** The workers of a moment ago, if there are many and the crawl just continues; null: read them. */
  recent({ crawl, phase }: Announcement): readonly WorkerRecord[] | null {
    const last = this.#read.get(crawl)
    if (phase !== 'running' || last?.phase !== 'running') return null
    const { workers, at } = last
    if (workers.length <= FEW_WORKERS) return null
    return performance.now() - at < workers.length * MS_PER_WORKER ? workers : null
  }

  keep({ crawl, phase }: Announcement, workers: readonly WorkerRecord[]): void {
    if (phase === 'over') this.#read.delete(crawl)
    else this.#read.set(crawl, { phase, at: performance.now(), workers })
  }
}
