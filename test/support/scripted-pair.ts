// A pair of processes that does nothing but what a test says, and how to wait for others.
import assert from 'node:assert/strict'
import { setTimeout as wait } from 'node:timers/promises'
import type { Job } from '../../src/core/job.ts'
import { NO_PROGRESS, type Progress } from '../../src/crawl/progress.ts'
import type { CrawlEnd, CrawlProcesses, DrainReason } from '../../src/crawl/supervisor.ts'

export class ScriptedPair implements CrawlProcesses {
  readonly job: Job
  progress: Progress = { ...NO_PROGRESS, scouterPid: 1, parserPid: 2 }
  drained: DrainReason | null = null
  readonly #ended = Promise.withResolvers<CrawlEnd>()
  #onProgress: () => void = () => {}

  constructor(job: Job) {
    this.job = job
    this.#ended.promise.catch(() => {})
  }

  heardBy(onProgress: () => void): this {
    this.#onProgress = onProgress
    return this
  }

  say(progress: Partial<Progress>): void {
    this.progress = { ...this.progress, ...progress }
    this.#onProgress()
  }

  end(end: CrawlEnd): void {
    this.#ended.resolve(end)
  }

  fail(error: Error): void {
    this.#ended.reject(error)
  }

  run(): Promise<CrawlEnd> {
    return this.#ended.promise
  }

  drain(why: DrainReason): void {
    this.drained ??= why
  }

  enough(): void {}

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ended.resolve('interrupted')
  }
}

/** Programs that share a crawl speak once a second; a slow machine may need several of them. */
const PATIENCE_MS = 30_000

export async function until(holds: () => boolean | Promise<boolean>, what: string): Promise<void> {
  for (const end = performance.now() + PATIENCE_MS; performance.now() < end; ) {
    if (await holds()) return
    await wait(5)
  }
  assert.fail(`it never came to this: ${what}`)
}
