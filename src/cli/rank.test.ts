import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { sample, sampleJob, urlFor } from '../../test/contract/sample-page.ts'
import { openSqliteJobStore } from '../../test/support/stores.ts'
import { DEFAULT_IMPORTANCE } from '../core/importance.ts'
import { refreshImportance } from '../crawl/importance.ts'
import { openSqlitePageStore } from '../store/sqlite/sqlite-page-store.ts'
import { storePath } from '../workspace/folder/paths.ts'
import { workspaceOf } from '../workspace/open-workspace.ts'
import { type RankOptions, runRank } from './rank.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'jelajah-rank-'))

/** The six pages whose ranks are computed by hand in src/graph/pagerank.test.ts, on three hosts. */
const WEB: Readonly<Record<string, readonly string[]>> = {
  'a.test/a': ['a.test/b', 'b.test/c'],
  'a.test/b': ['b.test/c'],
  'b.test/c': ['a.test/a'],
  'b.test/d': ['b.test/c', 'c.test/e'],
  'c.test/e': ['c.test/f'],
  'c.test/f': [],
}

before(async () => {
  await using jobs = await openSqliteJobStore(storePath(dataDir))
  const job = await jobs.create(sampleJob())
  await using store = await openSqlitePageStore({ path: storePath(dataDir), job })
  await store.save(
    Object.entries(WEB).map(([url, links]) => {
      const rows = links.map((link) => [urlFor(link)])
      const changes = { title: `\u001b[31m${url}`, hot: url.endsWith('a') }
      return sample(url, changes, { parts: { links: JSON.stringify(rows) } })
    }),
  )
})
after(() => rmSync(dataDir, { recursive: true }))

async function rank(changes: Partial<RankOptions>, terminal?: { readonly width: number }) {
  const told = { text: '', warned: '' }
  const options = { dataDir, json: true, crawl: null, host: null, hosts: false }
  await runRank(
    { ...options, by: 'pagerank', top: 20, kept: false, quiet: false, ...changes },
    {
      write: async (text) => {
        told.text += text
      },
      warn: (text) => {
        told.warned += text
      },
    },
    terminal,
  )
  return told
}

async function rows(changes: Partial<RankOptions>): Promise<Record<string, unknown>[]> {
  const { text } = await rank(changes)
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
}

const pathsOf = (found: readonly Record<string, unknown>[]) =>
  found.map(({ url }) => String(url).at(-1)).join('')

test('pages are reported best first, with their PageRank, links in and links out', async () => {
  const found = await rows({})
  assert.equal(pathsOf(found), 'cabfed')
  const { pagerank, backlinks, in: from, out, host } = found[0] ?? {}
  assert.deepEqual([backlinks, from, out, host], [3, 3, 1, 'b.test'])
  assert.ok(Math.abs(Number(pagerank) - (48980 / 5307) * (2400 / 65927)) < 1e-7)
})

test('the order is by what was asked for, equal ones by PageRank', async () => {
  assert.equal(pathsOf(await rows({ by: 'backlinks' })), 'cabfed')
  assert.equal(pathsOf(await rows({ by: 'out' })), 'adcbef')
  assert.equal(pathsOf(await rows({ by: 'backlinks', top: 1 })), 'c')
  assert.equal(pathsOf(await rows({ host: 'c.test' })), 'fe')
  await assert.rejects(rows({ host: 'nowhere.test' }), /this crawl has no page of nowhere\.test/)
})

test('hosts have the ranks of their pages together, and the links that cross between them', async () => {
  const found = await rows({ hosts: true })
  const shown = found.map(({ host, pages, hot, backlinks, in: from, out }) =>
    [host, pages, hot, backlinks, from, out].join(' '),
  )
  assert.deepEqual(shown, ['a.test 2 1 1 1 1', 'b.test 2 0 2 1 2', 'c.test 2 0 1 1 0'])
  assert.ok(Math.abs(found.reduce((sum, { pagerank }) => sum + Number(pagerank), 0) - 1) < 1e-9)
  assert.equal((await rows({ hosts: true, host: 'b.test' })).length, 1)
  assert.equal((await rows({ hosts: true, by: 'out' }))[0]?.host, 'b.test')
})

test('it says whether it was computed now or kept from the end of the crawl', async () => {
  assert.match(
    (await rank({})).warned,
    /^computed now: 6 pages, 7 links between them; .*not finished/,
  )
  await assert.rejects(rank({ kept: true }), /nothing was computed for crawl 1 yet/)
  await refreshImportance(workspaceOf({ dataDir }), 1, DEFAULT_IMPORTANCE)
  const kept = await rank({ kept: true, top: 2 })
  assert.match(kept.warned, /^as computed when a run of this crawl ended/)
  const [first] = await rows({ kept: true, by: 'pagerank' })
  assert.deepEqual([first?.url, first?.backlinks, first?.out], ['http://b.test/c', 3, null])
  assert.equal(pathsOf(await rows({ kept: true, host: 'a.test' })), 'ab')
  assert.equal((await rank({ quiet: true })).warned, '')
})

test('the table shows and does not obey what the web said', async () => {
  const { text } = await rank({ json: false, top: 1 })
  assert.match(text, /^PAGERANK +BACKLINKS +OUT/)
  assert.match(text, /0\.33598 +3 +1 +\S+ +http:\/\/b\.test\/c +b\.test\/c\n$/)
  assert.doesNotMatch(text, /\u001b/)
})

test('on a terminal no row is longer than a line', async () => {
  const wide = (await rank({ json: false })).text.trimEnd().split('\n')
  const narrow = (await rank({ json: false }, { width: 50 })).text.trimEnd().split('\n')
  assert.ok(wide.every((line) => line.length > 50))
  assert.deepEqual(
    narrow,
    wide.map((line) => `${line.slice(0, 49)}…`),
  )
})
