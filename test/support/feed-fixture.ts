// A store with pages and a feed of its changes on a socket, and listeners that speak by hand.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { JobRecord } from '../../src/core/job.ts'
import { feedSocketAt } from '../../src/feed/feed-protocol.ts'
import type { ChangeFeed } from '../../src/store/change-feed.ts'
import { openSqlitePageStore } from '../../src/store/sqlite/sqlite-page-store.ts'
import { sample, sampleJob } from '../contract/sample-page.ts'
import { openSqliteChangeFeed, openSqliteJobStore } from './stores.ts'

const PATIENCE_MS = 60_000

export class FeedFixture implements AsyncDisposable {
  readonly dir: string
  readonly path: string
  readonly job: JobRecord
  readonly changes: ChangeFeed
  #saved = 0

  private constructor(dir: string, job: JobRecord, changes: ChangeFeed) {
    this.dir = dir
    this.path = join(dir, 'run', 'feed.sock')
    this.job = job
    this.changes = changes
  }

  static async open(pages = 0): Promise<FeedFixture> {
    const dir = mkdtempSync(join(tmpdir(), 'jelajah-feed-place-'))
    const path = join(dir, 'jelajah.db')
    mkdirSync(join(dir, 'run'))
    await using jobs = await openSqliteJobStore(path)
    const wanted = sampleJob()
    const job = await jobs.create({ ...wanted, settings: { ...wanted.settings, maxPages: 1e6 } })
    const changes = await openSqliteChangeFeed(path)
    assert.ok(changes)
    const fixture = new FeedFixture(dir, job, changes)
    if (pages > 0) await fixture.save(pages)
    return fixture
  }

  /** Ids and cursors go on from 1. */
  async save(pages: number): Promise<void> {
    await using store = await openSqlitePageStore({
      path: join(this.dir, 'jelajah.db'),
      job: this.job,
    })
    await store.save(
      Array.from({ length: pages }, () => {
        const nth = ++this.#saved
        return sample(`a.test/${nth}`, { contentHash: `${nth}` })
      }),
    )
  }

  listen(request?: string): Promise<ByHand> {
    return ByHand.open(feedSocketAt(this.path), request)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.changes[Symbol.asyncDispose]()
    rmSync(this.dir, { recursive: true })
  }
}

/** A listener that keeps every line, until it is told to read no more. */
export class ByHand implements Disposable {
  readonly socket: Socket
  /** The other side ended it. */
  readonly closed: Promise<void>
  #text = ''

  private constructor(socket: Socket) {
    this.socket = socket
    socket.setEncoding('utf8')
    socket.on('data', (text) => {
      this.#text += text
    })
    socket.on('error', () => {})
    this.closed = new Promise((resolve) => {
      socket.once('end', () => resolve())
      socket.once('close', () => resolve())
    })
  }

  static async open(path: string, request?: string): Promise<ByHand> {
    const socket = connect({ path, allowHalfOpen: true })
    await once(socket, 'connect')
    const listener = new ByHand(socket)
    if (request !== undefined) socket.write(request)
    return listener
  }

  get lines(): string[] {
    return this.#text.split('\n').slice(0, -1)
  }

  get cursors(): number[] {
    return this.lines.map((line) => Number(JSON.parse(line).cursor))
  }

  /** Waits until there are so many lines. */
  async until(count: number): Promise<void> {
    await eventually(() => this.lines.length >= count, `${count} lines`)
  }

  [Symbol.dispose](): void {
    this.socket.destroy()
  }
}

export async function eventually(
  holds: () => boolean | Promise<boolean>,
  what: string,
): Promise<void> {
  const until = performance.now() + PATIENCE_MS
  while (!(await holds())) {
    assert.ok(performance.now() < until, `waited in vain for ${what}`)
    await pause(5)
  }
}

export function upTo(count: number, from = 1): number[] {
  return Array.from({ length: count - from + 1 }, (_, at) => from + at)
}
