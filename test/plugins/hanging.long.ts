// Plug-ins that hang or take all memory, in real crawls. It takes two minutes of CPU time and three gigabytes, so it
// is run by hand: sh scripts/node --test test/plugins/hanging.long.ts
import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { test } from 'node:test'
import { crawl } from '../../src/main/library.ts'
import { temporaryFolder } from '../e2e/crawling.ts'
import { crawled, FAST, ORDERING, pluginFile, rig, seedUrl, stateOf } from './crawl-with.ts'

test('a hook that hangs or takes all memory costs its page a reason', async () => {
  const plugin = await pluginFile(`
    parsed({ url }) {
      if (url.endsWith('/tea/1')) for (;;);
      if (url.endsWith('/3')) for (const all = []; ; ) all.push(new Array(1e5).fill(url))
      if (url.endsWith('/4')) for (const all = []; ; ) all.push(Buffer.alloc(2 ** 26, 1))
    },`)
  const ended = await crawled({ plugin })
  assert.match(stateOf(ended, '/tea/1'), /^failed plugin-error: mine.parsed: parse-timeout: /)
  assert.match(stateOf(ended, '/tea/3'), /^failed plugin-error: mine.parsed: parse-memory: /)
  assert.match(stateOf(ended, '/tea/4'), /^failed plugin-error: mine.parsed: parse-memory: /)
  assert.deepEqual([ended.summary.status, ended.summary.stored], ['completed', 5])
})

test('an ordering that hangs ends the crawl with an error that names it', async () => {
  const plugin = await pluginFile(
    ORDERING('score({ depth }) { if (depth > 0) for (;;); return 1 }'),
  )
  const run = crawl({
    ...FAST,
    seeds: seedUrl(),
    ordering: plugin,
    data: rig.use(await temporaryFolder()).path,
  })
  await assert.rejects(run.summary, /scouter dies.*the ordering own takes too long for one answer/)
})

test('a request on which a hook hangs is not sent; the others are', async () => {
  const plugin = await pluginFile(`request({ url }) { if (url.endsWith('/2')) for (;;); },`)
  const ended = await crawled({ plugin })
  assert.equal(stateOf(ended, '/tea/2'), 'failed plugin-error: mine.request: no answer within 5 s')
  assert.equal(ended.summary.stored, 7)
})

test('a plug-in that hangs while it is loaded is refused before the crawl begins', async () => {
  const plugin = await pluginFile('parsed() {},')
  await writeFile(plugin, 'for (;;);')
  const run = crawl({ ...FAST, seeds: seedUrl(), plugin })
  await assert.rejects(run.summary, /cannot be loaded: it takes longer than 10 s/)
})
