import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { sampleJob } from '../../../test/contract/sample-page.ts'
import { InvalidInput } from '../../core/errors.ts'
import type { CrawlSettings } from '../../core/job.ts'
import { frontierNeeds } from '../../crawl/frontier-needs.ts'
import { ManualClock } from '../../lib/clock.ts'
import { LocalWorkspace } from './local-workspace.ts'

async function begun(workspace: LocalWorkspace, changes: Partial<CrawlSettings>) {
  const { settings, ...job } = sampleJob()
  const own = { ...job, id: 1, salt: 1, settings: { ...settings, ...changes } }
  return workspace.beginRun(frontierNeeds(own, new ManualClock()))
}

test('what a crawl with several scouters cannot do is refused as bad input, and a depth limit is not', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'jelajah-divided-'))
  await using workspace = new LocalWorkspace({ data: join(folder, 'data'), frontier: null })
  await workspace.make()
  assert.deepEqual(await begun(workspace, { scouters: 2 }), { pairs: 2, notices: [] })
  assert.deepEqual(await begun(workspace, { scouters: 2, maxDepth: 3 }), { pairs: 2, notices: [] })
  await assert.rejects(begun(workspace, { scouters: 2, buffer: 9 }), (error) => {
    assert.ok(error instanceof InvalidInput)
    assert.equal(error.at, '--buffer')
    assert.match(error.message, /change the settings back, or use --fresh/)
    return true
  })
  rmSync(folder, { recursive: true })
})

test('fewer scouters than were asked for are reported, with the reason', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'jelajah-divided-'))
  await using workspace = new LocalWorkspace({ data: join(folder, 'data'), frontier: null })
  await workspace.make()
  const one = await begun(workspace, { scouters: 3, concurrency: 1 })
  const why = 'one scouter works on this crawl, not 3, because of --concurrency 1'
  assert.deepEqual(one, { pairs: 1, notices: [why] })
  const two = await begun(workspace, { scouters: 3, perIp: 2 })
  const perIp = '2 scouters work on this crawl, not 3, because of --per-ip 2'
  assert.deepEqual(two, { pairs: 2, notices: [perIp] })
  rmSync(folder, { recursive: true })
})
