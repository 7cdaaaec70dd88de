// A crawl that keeps only its best pages, killed on its way.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startSite } from '../../src/sample-web/server.ts'
import { createSite } from '../../src/sample-web/site.ts'
import { jelajah, readPages, readUrls, temporaryFolder } from './crawling.ts'

test('a crawl with --keep-best has so many pages, and a reason for all others, also after a kill', async () => {
  const site = createSite({ seed: 4, pages: 60, specials: 0 })
  await using served = await startSite(site)
  await using folder = await temporaryFolder()
  const flags = ['--delay', '0', '--allow-private', '--quiet', '--json', '--data', folder.path]
  const args = ['crawl', ...served.seeds, '--keep-best', '7', '--max-pages', '40', ...flags]
  const killed = jelajah(args)
  while (readUrlsOf(folder.path).filter(({ state }) => state === 'stored').length < 3) {
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  killed.process.kill('SIGKILL')
  await killed.ended
  const { code, stdout } = await jelajah(args).ended
  assert.equal(code, 0)
  const { status, stored, reasons } = JSON.parse(stdout)
  assert.deepEqual([status, stored, reasons['not-among-best']], ['completed', 7, 33])
  const pages = readPages(folder.path).map(({ url }) => url)
  const urls = readUrls(folder.path)
  const kept = urls.filter(({ state }) => state === 'stored').map(({ url }) => url)
  assert.deepEqual(kept.toSorted(), pages.toSorted())
  assert.equal(urls.filter(({ reason }) => reason === 'not-among-best').length, 33)
  // Several at a time would not drop pages in the order in which the frontier hears of them.
  const refreshed = await jelajah(['crawl', '--refresh', '--parser-threads', '2', ...flags]).ended
  assert.match(refreshed.stderr, /--parser-threads: cannot be more than 1 with --keep-best/)
})

function readUrlsOf(dataDir: string): ReturnType<typeof readUrls> {
  try {
    return readUrls(dataDir)
  } catch {
    return []
  }
}
