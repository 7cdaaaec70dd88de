// A store with pages and a folder to export them into, without the command line. An export can be cut off
// at any page, as by `kill -9`: what was not noted before is lost to the next run.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import type { JobRecord } from '../../src/core/job.ts'
import { type ExportNote, newState } from '../../src/export/export-state.ts'
import type { ExportChoices, Exporter, OpenStep } from '../../src/export/exporter.ts'
import { openPartTarget } from '../../src/export/part-target.ts'
import { runExport } from '../../src/export/run-export.ts'
import type { PageOutcome, PageToSave } from '../../src/store/page-store.ts'
import { openSqlitePageStore } from '../../src/store/sqlite/sqlite-page-store.ts'
import { sampleJob } from '../contract/sample-page.ts'
import { openSqliteGraphReader, openSqliteJobStore, openSqlitePageReader } from './stores.ts'

export const BEGUN_AT = Date.UTC(2026, 10, 15, 12, 30, 45)

const CHOICES: ExportChoices = {
  ...{ what: 'pages', gzip: false, per: 'page', ids: false, outside: false },
  ...{ formulaGuard: true, duplicates: false },
}

export type RunOptions = {
  readonly choices?: Partial<ExportChoices>
  readonly steps?: readonly OpenStep[]
  /** Where it goes; another one for another export. */
  readonly name?: string
  /** How often a note is taken; after every page when it is left out. */
  readonly noteEvery?: { readonly pages: number; readonly bytes: number }
  /** Cut off after so many pages, each time a run comes so far; the last run is not. */
  readonly cutOffAfter?: readonly number[]
}

class CutOff extends Error {}

export class ExportFixture implements AsyncDisposable {
  readonly dir = mkdtempSync(join(tmpdir(), 'jelajah-export-place-'))
  readonly path = join(this.dir, 'jelajah.db')

  /** Saves pages of a new crawl. */
  async save(
    pages: readonly PageToSave[],
  ): Promise<{ job: JobRecord; saved: readonly PageOutcome[] }> {
    await using jobs = await openSqliteJobStore(this.path)
    const job = await jobs.create(sampleJob())
    await using store = await openSqlitePageStore({ path: this.path, job })
    return { job, saved: await store.save(pages) }
  }

  /** Where the result is, and the last note. */
  async run(exporter: Exporter, options: RunOptions = {}): Promise<[string, ExportNote]> {
    const { choices, steps = [], name = 'out', cutOffAfter = [] } = options
    const { noteEvery = { pages: 1, bytes: 1 } } = options
    await using store = await openSqlitePageReader(this.path)
    const out = join(this.dir, name)
    const asked = { ...CHOICES, what: exporter.whats[0] ?? 'pages', ...choices }
    let state = newState({
      ...{ asked: {}, mark: await store.mark(), filter: { duplicates: asked.duplicates } },
      ...{ upTo: await store.lastId(), begunAt: BEGUN_AT },
    })
    for (const cut of [...cutOffAfter, Number.POSITIVE_INFINITY]) {
      const { files } = state.note
      const kind = exporter.output(asked)
      await using target = await openPartTarget({ out, kind, gzip: asked.gzip, files })
      try {
        const note = await runExport({
          ...{ exporter, choices: asked, state, store, steps, target },
          limit: Number.POSITIVE_INFINITY,
          names: async (crawlId) => {
            await using graph = await openSqliteGraphReader(this.path)
            return await graph.names(crawlId)
          },
          noteEvery,
          signal: new AbortController().signal,
          onNote: async (made) => {
            state = { ...state, note: made }
          },
          onProgress: ({ pages }) => {
            if (pages > cut) throw new CutOff()
          },
        })
        await target.complete()
        return [out, note]
      } catch (error) {
        if (!(error instanceof CutOff)) throw error
      }
    }
    assert.fail('every run was cut off')
  }

  async [Symbol.asyncDispose](): Promise<void> {
    rmSync(this.dir, { recursive: true })
  }
}

/** The files of a folder by name, also of those in it. */
export async function filesIn(folder: string): Promise<ReadonlyMap<string, Buffer>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  const names = files.map((file) => relative(folder, join(file.parentPath, file.name))).sort()
  const read = names.map(async (name): Promise<[string, Buffer]> => {
    return [name, await readFile(join(folder, name))]
  })
  return new Map(await Promise.all(read))
}
