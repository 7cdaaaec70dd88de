import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { noCrawlError } from './find-crawl.ts'
import { storePath } from './folder/paths.ts'
import { workspaceOf } from './open-workspace.ts'

test('who is one folder too high is told where there is a crawl', () => {
  const folder = mkdtempSync(join(tmpdir(), 'jelajah-nothing-'))
  try {
    mkdirSync(join(folder, 'another'))
    const demo = join(folder, 'demo')
    mkdirSync(demo)
    assert.match(
      noCrawlError(workspaceOf({ dataDir: folder })),
      /there is no crawl in .* yet; 'jelajah crawl <seed>' makes/,
    )
    writeFileSync(storePath(demo), '')
    assert.ok(
      noCrawlError(workspaceOf({ dataDir: folder })).endsWith(`did you mean --data ${demo}?`),
    )
  } finally {
    rmSync(folder, { recursive: true })
  }
  assert.match(noCrawlError(workspaceOf({ dataDir: folder })), /'jelajah crawl <seed>' makes one$/)
})
