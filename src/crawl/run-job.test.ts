// One run of a job with real stores; instead of processes there is an object that ends as the test says.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sample, sampleJob, urlFor } from '../../test/contract/sample-page.ts'
import { temporaryFolder } from '../../test/e2e/crawling.ts'
import { ScriptedPair } from '../../test/support/scripted-pair.ts'
import { openSqliteJobStore } from '../../test/support/stores.ts'
import type { CrawlSettings, JobRecord } from '../core/job.ts'
import type { FrontierUpdate } from '../frontier/frontier.ts'
import { ManualClock } from '../lib/clock.ts'
import { createUrlHasher } from '../lib/url-hash.ts'
import { storePath } from '../workspace/folder/paths.ts'
import { workspaceOf } from '../workspace/open-workspace.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { frontierNeeds } from './frontier-needs.ts'
import type { Drain } from './job-run.ts'
import { type JobRun, type RunResult, runJob } from './run-job.ts'
import type { CrawlEnd } from './supervisor.ts'

const SEED = urlFor('a.test/')

type Scene = {
  readonly settings?: Partial<CrawlSettings>
  readonly end?: CrawlEnd
  /** The outcome of the seed; it waits if left out. */
  readonly outcome?: 'stored' | 'failed'
  /** Stored pages that the frontier does not know. */
  readonly unknown?: readonly string[]
}

async function openRig() {
  const folder = await temporaryFolder()
  const workspace = workspaceOf({ dataDir: folder.path })
  const jobs = await openSqliteJobStore(storePath(folder.path))
  const clock = new ManualClock()
  const notices: string[] = []
  const drainable = Promise.withResolvers<Drain>()
  let runs = 0
  const watcher: JobRun['watcher'] = {
    ...{ onProgress: () => {}, onBusy: () => {}, onNotice: (text) => notices.push(text) },
    onDrainable: (how) => drainable.resolve(how),
  }
  const run = async (job: JobRecord, scene: Scene, more: Partial<JobRun> = {}) => {
    const openProcesses: JobRun['openProcesses'] = async () => {
      runs++
      await visitSeed(workspace, job, clock, scene)
      const pair = new ScriptedPair(job)
      if (scene.end !== undefined) pair.end(scene.end)
      return Object.assign(pair, { drain: (why: CrawlEnd) => pair.end(why) })
    }
    const around = { jobs, workspace, clock, watcher, openProcesses }
    return runJob({ job, last: null, ...around, ...more })
  }
  return {
    ...{ jobs, workspace, notices, run, drainable: drainable.promise },
    runs: () => runs,
    async create(settings: Partial<CrawlSettings> = {}): Promise<JobRecord> {
      const base = sampleJob({ seeds: [SEED] })
      return jobs.create({ ...base, settings: { ...base.settings, ...settings } })
    },
    async [Symbol.asyncDispose](): Promise<void> {
      await jobs[Symbol.asyncDispose]()
      await folder[Symbol.asyncDispose]()
    },
  }
}

/** Does what the processes would do with a web of one page. */
async function visitSeed(
  workspace: Workspace,
  job: JobRecord,
  clock: ManualClock,
  { outcome, unknown = [] }: Scene,
): Promise<void> {
  const ignoring = { ...job, settings: { ...job.settings, ignoreRobots: true } }
  const { frontier } = await workspace.frontier(frontierNeeds(ignoring, clock))
  await using _frontier = frontier
  const hash = createUrlHasher(job.salt)(SEED)
  await frontier.add([{ url: SEED, hash, nofollow: false, signals: null }], 'seed')
  const [lease] = outcome === undefined ? [] : await frontier.lease(1)
  if (lease === undefined) return
  frontier.requestEnded(lease, { ok: true })
  const failed: FrontierUpdate = { lease, outcome: 'failed', reason: 'http-404', retryAt: null }
  const links = { found: [], judged: null, likeness: 0 }
  await frontier.settle([outcome === 'failed' ? failed : { lease, outcome: 'stored', ...links }])
  if (outcome === 'failed') return
  await using pages = await workspace.pageStore(job)
  await pages.save([
    { ...sample('a.test/'), urlId: lease.id },
    ...unknown.map((name) => sample(name)),
  ])
}

const figures = ({ end, status, note }: RunResult) => ({ end, status, note })

test('a crawl that has stored all it could is completed, with its figures', async () => {
  await using rig = await openRig()
  const result = await rig.run(await rig.create(), { end: 'empty', outcome: 'stored' })
  assert.deepEqual(figures(result), { end: 'empty', status: 'completed', note: '' })
  assert.equal(result.summary.stored, 1)
})

test('a crawl whose seed gave no page has failed, and says why', async () => {
  await using rig = await openRig()
  const result = await rig.run(await rig.create(), { end: 'empty', outcome: 'failed' })
  assert.equal(result.status, 'failed')
  assert.match(result.note, /404/)
  assert.deepEqual(
    result.lostSeeds.map(({ seed }) => seed),
    [SEED],
  )
})

test('a crawl that ended without a page while URLs wait has failed', async () => {
  await using rig = await openRig()
  const result = await rig.run(await rig.create(), { end: 'empty' })
  assert.equal(result.status, 'failed')
  assert.match(result.note, /1 URL still wait/)
})

test('a crawl whose frontier lost rows before its end says how to get them back', async () => {
  await using rig = await openRig()
  const job = await rig.create()
  // A server lost them together with their owner.
  Object.assign(rig.workspace, { hasFrontier: async () => false })
  const scene = { outcome: 'stored', unknown: ['a.test/lost'] } as const
  const result = await rig.run(job, { ...scene, end: 'empty' })
  assert.equal(result.status, 'incomplete')
  assert.match(result.note, /counts 1 stored pages, the store has 2: .*doctor --rebuild-frontier/)
})

test('a crawl that has its pages is completed, also if its frontier does not know all of them', async () => {
  await using rig = await openRig()
  const scene = { outcome: 'stored', unknown: ['a.test/lost'] } as const
  const result = await rig.run(await rig.create({ maxPages: 2 }), { ...scene, end: 'limit' })
  assert.deepEqual(figures(result), { end: 'limit', status: 'completed', note: '' })
})

test('a run that is told to stop has the status of that', async () => {
  for (const [why, status] of [
    ['paused', 'paused'],
    ['stopped', 'stopped'],
    ['shutdown', 'started'],
  ] as const) {
    await using rig = await openRig()
    const running = rig.run(await rig.create(), { outcome: 'stored' })
    const drain = await rig.drainable
    drain(why)
    assert.deepEqual(figures(await running), { end: why, status, note: '' })
  }
})

test('a crawl that had enough is completed, and a run after it fetches nothing', async () => {
  await using rig = await openRig()
  const job = await rig.create({ harvestFloor: 0.5 })
  const first = await rig.run(job, { end: 'harvest', outcome: 'stored' })
  assert.equal(first.status, 'completed')
  assert.match(first.note, /^harvest fell under 50 %/)
  const last = { ...job, status: first.status, note: first.note }
  const again = await rig.run(job, { end: 'empty' }, { last })
  assert.deepEqual([again.end, again.note, rig.runs()], ['harvest', first.note, 1])
  const other = { ...job, settings: { ...job.settings, harvestFloor: 0.4 } }
  await rig.run(other, { end: 'empty' }, { last })
  assert.equal(rig.runs(), 2, 'other settings, another crawl')
})

test('the limit of hot pages is what ended a crawl whose store has room for more', async () => {
  await using rig = await openRig()
  const job = await rig.create({ maxHot: 1 })
  const { end } = await rig.run(job, { end: 'limit', outcome: 'stored' })
  assert.equal(end, 'hot')
  const full = await rig.create({ maxPages: 1 })
  assert.equal((await rig.run(full, { end: 'limit', outcome: 'stored' })).end, 'limit')
})

test('a proxy whose password was not kept is refused before anything is fetched', async () => {
  await using rig = await openRig()
  const job = await rig.create({ proxies: ['http://me:***@proxy.test:3128'] })
  await assert.rejects(rig.run(job, { end: 'empty' }), /is not kept with the crawl/)
  assert.equal(rig.runs(), 0)
})

test('an error of the processes ends the run', async () => {
  await using rig = await openRig()
  const openProcesses: JobRun['openProcesses'] = async () => {
    const pair = new ScriptedPair({ ...(await rig.create()) })
    pair.fail(new Error('the parser dies again and again'))
    return pair
  }
  const failing = rig.run(await rig.create(), {}, { openProcesses })
  await assert.rejects(failing, /dies again and again/)
})
