import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { sampleJob } from '../../test/contract/sample-page.ts'
import { openSqliteJobStore } from '../../test/support/stores.ts'
import { noteOfError } from '../jobs/note-of-error.ts'
import { storePath } from '../workspace/folder/paths.ts'
import { workspaceOf } from '../workspace/open-workspace.ts'
import { verdictOf } from './verdict.ts'

test('a crawl whose frontier was lost while it ended says so, with the cure', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'jelajah-verdict-'))
  try {
    await using jobs = await openSqliteJobStore(storePath(dataDir))
    const { id } = await jobs.create(sampleJob())
    const job = await jobs.get(id)
    assert.ok(job)
    await using workspace = workspaceOf({ dataDir })
    const verdict = verdictOf({ job, workspace, end: 'limit', isRound: false })
    const error: unknown = await verdict.catch((thrown: unknown) => thrown)
    assert.match(String(error), /frontier of crawl 1 is lost .*doctor --rebuild-frontier/)
    // A server would stop at a store that cannot be reached; this concerns one job.
    assert.match(
      noteOfError(error, { data: 'postgres://db/crawls', frontier: null }),
      /^its frontier is lost: run 'jelajah doctor --rebuild-frontier'/,
    )
  } finally {
    rmSync(dataDir, { recursive: true })
  }
})
