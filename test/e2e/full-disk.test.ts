// A disk that fills up in the middle of a crawl: a clear end, nothing stored is lost, and with
// space again the same command ends the crawl.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { extra, missing, twice } from '../../src/sample-web/checker.ts'
import { expectedCrawl } from '../../src/sample-web/oracle.ts'
import { startSite } from '../../src/sample-web/server.ts'
import { createSite } from '../../src/sample-web/site.ts'
import { jelajah, readPages, temporaryFolder } from './crawling.ts'
import { runHere } from './in-process.ts'

/** A file system in memory of its own; null where this user may not make one. */
function smallDisk(path: string, size: string): Disposable | null {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', path], { stdio: 'ignore' })
  } catch {
    return null
  }
  return { [Symbol.dispose]: () => execFileSync('umount', ['-l', path]) }
}

/** Takes all the space that is left. */
function fill(path: string): void {
  try {
    for (;;) appendFileSync(path, Buffer.alloc(4096))
  } catch (error) {
    assert.match(String(error), /ENOSPC/)
  }
}

test('a full disk ends the crawl clearly and costs nothing that was stored', async (t) => {
  await using folder = await temporaryFolder()
  using disk = smallDisk(folder.path, '3m')
  if (disk === null) return t.skip('this user may not mount a file system')
  const site = createSite({ seed: 41, hosts: [{ name: 'penuh', pages: 450 }], specials: 0 })
  await using served = await startSite(site)
  const args = ['crawl', ...served.seeds, '--data', folder.path, '--delay', '0', '--quiet']
  const { code, stderr } = await jelajah(args).ended
  assert.equal(code, 8)
  assert.match(stderr, /disk is full/)
  assert.doesNotMatch(stderr, /\n\s+at /)
  const before = readPages(folder.path).length
  assert.ok(before > 0, 'what was stored can be read on the full disk')
  // The crawl ended because one batch did not fit; an index of few pages might.
  fill(join(folder.path, 'rest'))
  const indexed = await runHere(['index', '--data', folder.path])
  assert.equal(indexed.code, 8)
  assert.match(indexed.stderr, /disk is full/)
  execFileSync('mount', ['-o', 'remount,size=200m', folder.path])
  assert.equal((await runHere(args)).code, 0)
  assert.equal((await runHere(['index', '--data', folder.path])).code, 0)
  const rows = readPages(folder.path).map((row) => ({
    url: row.url,
    duplicateOf: row.duplicate_of,
  }))
  const expected = expectedCrawl(site, { seeds: served.seeds, scope: 'domain' })
  assert.deepEqual([...missing(rows, expected), ...extra(rows, expected)], [])
  assert.deepEqual(twice(rows, expected), [])
})
