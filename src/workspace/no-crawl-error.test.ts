import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { DEFAULT_DATA } from '../core/workspace-url.ts'
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
      /there is no crawl in .* yet; 'jelajah crawl <seed> --data .*' makes one$/,
    )
    writeFileSync(storePath(demo), '')
    assert.ok(
      noCrawlError(workspaceOf({ dataDir: folder })).endsWith(`did you mean --data ${demo}?`),
    )
  } finally {
    rmSync(folder, { recursive: true })
  }
  assert.equal(
    noCrawlError(workspaceOf({ dataDir: folder })),
    `there is no folder ${folder}; 'jelajah crawl <seed> --data ${folder}' makes one`,
  )
})

test('the folder that is meant where none is named need not be named', () => {
  assert.match(
    noCrawlError(workspaceOf({ dataDir: resolve(DEFAULT_DATA, 'x', '..') })),
    /there is no crawl in .* yet; 'jelajah crawl <seed>' makes one$/,
  )
})
