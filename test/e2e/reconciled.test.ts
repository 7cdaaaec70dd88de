// A frontier and a store that do not belong together any more: one was put back from an older copy, or was
// lost. The same command makes a whole of them, and fetches no page that is there.
import assert from 'node:assert/strict'
import {
  copyFileSync,
  cpSync,
  lstatSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { after, before, beforeEach, test } from 'node:test'
import { type ServedSite, startSite } from '../../src/sample-web/server.ts'
import { createSite } from '../../src/sample-web/site.ts'
import { readPages, readUrls, temporaryFolder } from './crawling.ts'
import { runHere } from './in-process.ts'
import { brokenByRows } from './kills.ts'

const HOSTS = [
  { name: 'satu', pages: 15 },
  { name: 'dua', pages: 15 },
]
const site = createSite({ seed: 5, hosts: HOSTS, meanBytes: 3_000 })
const FRONTIER = 'frontier-1.db'
const STORE = 'jelajah.db'

let served: ServedSite
let dataDir = ''
/** The folder of one crawl when it had some pages, and at its end. */
let early = ''
let late = ''
const all = new AsyncDisposableStack()
before(async () => {
  served = all.use(await startSite(site))
  const folder = all.use(await temporaryFolder())
  dataDir = join(folder.path, 'data')
  early = join(folder.path, 'early')
  late = join(folder.path, 'late')
  await crawl('--max-pages', '8')
  copyFolder(dataDir, early)
  await crawl()
  copyFolder(dataDir, late)
})
after(() => all.disposeAsync())
beforeEach(async () => {
  dataDir = join(all.use(await temporaryFolder()).path, 'data')
  copyFolder(late, dataDir)
})

async function crawl(...more: readonly string[]): Promise<string> {
  const how = ['--delay', '0', '--allow-private', ...more]
  const { code, stderr } = await runHere(['crawl', ...served.seeds, '--data', dataDir, ...how])
  assert.equal(code, 0, stderr)
  return stderr
}

/** Of a crawl that is over: all is in the files themselves, nothing in the logs beside them. */
function copyFolder(from: string, to: string): void {
  cpSync(from, to, { recursive: true, filter: (path) => !lstatSync(path).isSocket() })
}

/** The file as it was when the crawl had some pages. */
function putBack(name: string): void {
  for (const suffix of ['-wal', '-shm']) rmSync(join(dataDir, `${name}${suffix}`), { force: true })
  copyFileSync(join(early, name), join(dataDir, name))
}

/** Goes on, and is as whole as if nothing had been; how many pages were asked for again. */
async function endsWhole(goOn: () => Promise<string>): Promise<{ told: string; again: number }> {
  const pages = new Set(readPages(dataDir).map(({ url }) => url))
  const from = served.log.length
  const told = await goOn()
  const log = served.log.slice(from)
  const rows = { pages: readPages(dataDir), urls: readUrls(dataDir) }
  const evidence = { site, served: { ...served, log }, seeds: served.seeds, delayMs: 0 }
  assert.deepEqual(brokenByRows(evidence, rows), [])
  const asked = log.map(({ host, path }) => `http://${host}${path}`)
  return { told, again: asked.filter((url) => pages.has(url)).length }
}

test('a frontier that was put back from an older copy learns what the store has', async () => {
  putBack(FRONTIER)
  const { told, again } = await endsWhole(() => crawl())
  assert.match(
    told,
    /the frontier did not agree with the store: \d+ pages of the store settled, 0 /,
  )
  assert.equal(again, 0)
  assert.doesNotMatch(await crawl(), /did not agree/)
})

test('a frontier that lost everything is filled again from the store', async () => {
  for (const suffix of ['-wal', '-shm'])
    rmSync(join(dataDir, `${FRONTIER}${suffix}`), { force: true })
  truncateSync(join(dataDir, FRONTIER), 0)
  const { again } = await endsWhole(() => crawl())
  assert.equal(again, 0)
})

test('a store that was put back from an older copy gets its pages again', async () => {
  putBack(STORE)
  const { told, again } = await endsWhole(() => crawl())
  assert.match(told, /0 pages of the store settled, \d+ URLs without a page queued again/)
  assert.equal(again, 0)
})

test('a frontier that is damaged or missing is rebuilt by the doctor', async () => {
  const path = join(dataDir, FRONTIER)
  const doctor = ['doctor', '--rebuild-frontier', '--data', dataDir]
  for (const damage of [
    () => writeFileSync(path, readFileSync(path).fill(0xa5, 5_000)),
    () => rmSync(path),
  ]) {
    damage()
    const { stderr } = await runHere(['crawl', ...served.seeds, '--data', dataDir])
    assert.match(stderr, /frontier-1\.db is (damaged|missing).*doctor --rebuild-frontier/)
    const { again } = await endsWhole(async () => {
      const { code, stdout } = await runHere(doctor)
      assert.equal(code, 0)
      assert.match(stdout, /^crawl 1: its frontier is there again, with \d+ URLs$/m)
      return crawl()
    })
    assert.equal(again, 0)
    assert.match((await runHere(doctor)).stdout, /no frontier is missing/)
  }
})
