// A crawl in a folder by several scouters: the same truth as by one, within the same limits.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { startSite } from '../../src/sample-web/server.ts'
import { createSite } from '../../src/sample-web/site.ts'
import { jelajah, query, readPages, temporaryFolder } from './crawling.ts'
import { brokenPromises } from './kills.ts'

const HOSTS = ['satu', 'dua', 'tiga', 'empat', 'lima']
const SITE = createSite({
  seed: 7,
  hosts: HOSTS.map((name) => ({ name, pages: 6 })),
  meanBytes: 2_000,
})
const DELAY_MS = 40

async function run(args: readonly string[]): Promise<{ stdout: string; stderr: string }> {
  const { code, stdout, stderr } = await jelajah(args).ended
  assert.equal(code, 0, stderr)
  return { stdout, stderr }
}

test('three scouters stop at a page limit, and two go on to the truth', async () => {
  await using served = await startSite(SITE)
  await using folder = await temporaryFolder()
  const { seeds } = served
  const flags = ['--data', folder.path, '--delay', `${DELAY_MS}`, '--allow-private', '--quiet']
  const crawl = ['crawl', ...seeds, ...flags]
  await run([...crawl, '--scouters', '3', '--max-pages', '7'])
  const stored = readPages(folder.path).filter(({ duplicate_of }) => duplicate_of === null)
  assert.equal(stored.length, 7)
  // A scouter that begins at the limit may fetch a page that no longer fits, since the others do not know of it yet.
  const asked = new Set(served.log.map(({ host, path }) => `http://${host}${path}`))
  const excused = asked.difference(new Set(stored.map(({ url }) => url)))

  await run([...crawl, '--scouters', '2'])
  const evidence = { site: SITE, served, dataDir: folder.path, seeds, delayMs: DELAY_MS, kills: [] }
  assert.deepEqual(brokenPromises({ ...evidence, excused }), [])
  const waiting = query(join(folder.path, 'jelajah.db'), 'SELECT * FROM undelivered')
  assert.deepEqual(waiting, [], 'every receipt was delivered')

  const listed = await run(['urls', '--data', folder.path, '--state', 'stored', '--json'])
  const urls = listed.stdout.trim().split('\n').map((line) => JSON.parse(line).url) // biome-ignore format: one line
  const pages = readPages(folder.path).filter(({ duplicate_of }) => duplicate_of === null)
  assert.deepEqual(urls.toSorted(), pages.map(({ url }) => url).toSorted())
})

test('a crawl that cannot be divided says so, and one scouter works on it', async () => {
  await using served = await startSite(SITE)
  await using folder = await temporaryFolder()
  const seed = served.url('satu')
  const flags = ['--data', folder.path, '--delay', '0', '--buffer', '50', '--max-pages', '2']
  const { stderr } = await run(['crawl', seed, ...flags, '--scouters', '3'])
  assert.match(stderr, /one scouter works on this crawl, because --buffer/)
})
