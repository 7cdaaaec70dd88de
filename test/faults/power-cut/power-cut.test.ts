// Promise 1 where the machine loses power: whatever the disk kept of what was not synced, the same command
// again stores every page, none twice, and asks for no page again that is in the store.
//
// JELAJAH_CUTS=300 for a long run: so many in each scene. JELAJAH_CUT_SEED: the first seed.
import assert from 'node:assert/strict'
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { Stream } from '../../../src/sample-web/random.ts'
import { ROOT, temporaryFolder } from '../../e2e/crawling.ts'
import { type Cut, cutOf, goOnAfter } from './cuts.ts'
import { whyNoRecorder } from './recorder.ts'
import { openScene, type Scene, type SceneOptions } from './scene.ts'

const CUTS = Number(process.env.JELAJAH_CUTS ?? 2)
const FIRST_SEED = Number(process.env.JELAJAH_CUT_SEED ?? 1)
const skip = whyNoRecorder()

const ONE: SceneOptions = { seed: 1, hosts: ['satu'], pages: 30, delayMs: 20 }
const SEVERAL: SceneOptions = {
  ...ONE,
  ...{ seed: 2, hosts: ['satu', 'dua', 'tiga', 'empat'], pages: 40, delayMs: 60 },
}

const scenes = new Map<SceneOptions, Promise<Scene>>()
after(async () => {
  for (const scene of scenes.values()) await (await scene)[Symbol.asyncDispose]()
})

/** Recorded once for all tests of it. */
function sceneOf(options: SceneOptions): Promise<Scene> {
  const scene = scenes.get(options) ?? openScene(options)
  scenes.set(options, scene)
  return scene
}

for (const [what, options] of [
  ['a crawl of one host', ONE],
  ['a crawl of several hosts', SEVERAL],
  ['a crawl that is gone over again', { ...SEVERAL, isRefreshed: true }],
  ['a crawl by two scouters', { ...SEVERAL, scouters: 2 }],
] as const) {
  test(`${what} survives power cuts with exactly the truth`, { skip }, async (t) => {
    const scene = await sceneOf(options)
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
  await using checkout = await temporaryFolder()
  withoutNet(checkout.path)
  const scene = await sceneOf(ONE)
  // It begins to lie when the crawl is under way.
  const from = scene.records[Math.floor(scene.records.length / 2)]?.at ?? 0
  const cut: Cut = {
    upTo: lastSyncOfFrontier(scene),
    keepOf: () => 'nothing',
    random: new Stream(1),
    ignoresSync: (path, { at }) => path.includes('jelajah.db') && at > from,
  }
  const { broken } = await goOnAfter({ ...scene, checkout: checkout.path }, cut)
  // Exit code 12: at its end the crawl itself sees that the store has fewer pages than the frontier.
  assert.match(broken.join('; '), /^(?:missing: |exit code 12)/)
  const { broken: withNet } = await goOnAfter(scene, cut)
  assert.deepEqual(withNet, [], 'the counts of the two tell, and what is missing is fetched again')
})

/** A checkout in which nobody compares the frontier with the store: that would find out and fetch again. */
function withoutNet(checkout: string): void {
  cpSync(join(ROOT, 'src'), join(checkout, 'src'), { recursive: true })
  cpSync(join(ROOT, 'package.json'), join(checkout, 'package.json'))
  symlinkSync(join(ROOT, 'node_modules'), join(checkout, 'node_modules'))
  const file = join(checkout, 'src', 'workspace', 'folder', 'reconcile-folder.ts')
  const source = readFileSync(file, 'utf8')
  const broken = source.replace('> waiting\n', '> waiting && waiting < 0\n')
  assert.notEqual(broken, source)
  writeFileSync(file, broken)
}

/** So many records are up to the end of the last sync of its log. */
function lastSyncOfFrontier({ records }: Scene): number {
  const log = records.findLast(({ path }) => path.endsWith('frontier-1.db-wal'))
  const inodes = records
    .filter(({ kind, path }) => kind === 'create' && path.endsWith('frontier-1.db-wal'))
    .map(({ inode }) => inode)
  assert.ok(log !== undefined)
  return records.findLastIndex(({ kind, inode }) => kind === 'sync' && inodes.includes(inode)) + 1
}
