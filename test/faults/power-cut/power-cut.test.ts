// Promise 1 where the machine loses power: whatever the disk kept of what was not synced, the same command
// again stores every page, none twice, and asks for no page again that is in the store.
//
// JELAJAH_CUTS=300 for a long run: so many in each scene. JELAJAH_CUT_SEED: the first seed.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Stream } from '../../site/random.ts'
import { cutOf, goOnAfter } from './cuts.ts'
import { whyNoRecorder } from './recorder.ts'
import { openScene, type Scene, type SceneOptions } from './scene.ts'

const CUTS = Number(process.env.JELAJAH_CUTS ?? 3)
const FIRST_SEED = Number(process.env.JELAJAH_CUT_SEED ?? 1)
const skip = whyNoRecorder()

const ONE: SceneOptions = { seed: 1, hosts: ['satu'], pages: 30, delayMs: 20 }
const SEVERAL: SceneOptions = {
  ...ONE,
  ...{ seed: 2, hosts: ['satu', 'dua', 'tiga', 'empat'], pages: 40, delayMs: 60 },
}

for (const [what, options] of [
  ['a crawl of one host', ONE],
  ['a crawl of several hosts', SEVERAL],
  ['a crawl that is gone over again', { ...SEVERAL, isRefreshed: true }],
] as const) {
  test(`${what} survives power cuts with exactly the truth`, { skip }, async (t) => {
    await using scene = await openScene(options)
    let done = 0
    for (let seed = FIRST_SEED; seed < FIRST_SEED + CUTS; seed++) {
      const cut = cutOf(scene, seed)
      const result = await goOnAfter(scene, cut, `${options.seed}-${seed}`)
      assert.deepEqual(result.broken, [], cut.shown())
      done += result.done
    }
    t.diagnostic(`${CUTS} cuts; ${done} pages were in the store and were not asked for again`)
  })
}

test('the check goes red when the store does not wait for the disk', { skip }, async () => {
  await using scene = await openScene(ONE)
  // It begins to lie when the crawl is under way.
  const from = scene.records[Math.floor(scene.records.length / 3)]?.at ?? 0
  const { broken } = await goOnAfter(scene, {
    upTo: lastSyncOfFrontier(scene),
    keepOf: () => 'nothing',
    random: new Stream(1),
    ignoresSync: (path, { at }) => path.includes('jelajah.db') && at > from,
  })
  assert.ok(
    broken.some((text) => text.startsWith('missing: ')),
    `pages must be missing: ${broken.join('; ')}`,
  )
})

/** So many records are up to the end of the last sync of its log. */
function lastSyncOfFrontier({ records }: Scene): number {
  const log = records.findLast(({ path }) => path.endsWith('frontier-1.db-wal'))
  const inodes = records
    .filter(({ kind, path }) => kind === 'create' && path.endsWith('frontier-1.db-wal'))
    .map(({ inode }) => inode)
  assert.ok(log !== undefined)
  return records.findLastIndex(({ kind, inode }) => kind === 'sync' && inodes.includes(inode)) + 1
}
