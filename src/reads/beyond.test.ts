import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { sample, sampleJob } from '../../test/contract/sample-page.ts'
import { openSqliteJobStore } from '../../test/support/stores.ts'
import { seedText } from '../cli/seeds.ts'
import type { CrawlSettings } from '../core/job.ts'
import { canonicalise } from '../core/url.ts'
import { seedLines, seedUrl } from '../options/seeds.ts'
import { openSqlitePageStore } from '../store/sqlite/sqlite-page-store.ts'
import { storePath } from '../workspace/folder/paths.ts'
import { workspaceOf } from '../workspace/open-workspace.ts'
import { type BeyondOptions, readBeyond } from './beyond.ts'
import { WorkspaceFiles } from './workspace-files.ts'

type Link = readonly [url: string, anchor: string, rel?: string]
type Web = Readonly<Record<string, readonly Link[]>>

async function beyond(
  web: Web,
  scope: CrawlSettings['scope'],
  options: Partial<BeyondOptions> = {},
) {
  const dataDir = mkdtempSync(join(tmpdir(), 'jelajah-beyond-'))
  try {
    await using jobs = await openSqliteJobStore(storePath(dataDir))
    const made = sampleJob()
    const seeds = [canonicalise('http://www.a.test/')!]
    const job = await jobs.create({ ...made, seeds, settings: { ...made.settings, scope } })
    await using store = await openSqlitePageStore({ path: storePath(dataDir), job })
    await store.save(
      Object.entries(web).map(([url, links]) =>
        sample(url, {}, { parts: { links: JSON.stringify(links.map((link) => [...link, ''])) } }),
      ),
    )
    await using files = new WorkspaceFiles(workspaceOf({ dataDir }))
    const here = await files.crawl(job.id)
    return await readBeyond(here!, { limit: 10, ...options })
  } finally {
    rmSync(dataDir, { recursive: true })
  }
}

const WEB: Web = {
  'www.a.test/': [
    ['http://shop.a.test/', 'our shop'],
    ['http://b.test/x/y', ' '],
    ['http://b.test/z', 'about\n b'],
    ['http://c.test:81/', 'c'],
  ],
  'www.a.test/2': [
    ['https://b.test/', 'b again'],
    ['http://ads.test/', 'buy', 'sponsored nofollow'],
    ['mailto:x@d.test', 'mail'],
  ],
  'shop.a.test/': [['http://c.test:81/2', 'other']],
}

test('hosts out of scope come with who links there, those that the most hosts link to first', async () => {
  const { hosts, total, cut } = await beyond(WEB, 'domain')
  assert.deepEqual([total, cut], [2, false])
  assert.deepEqual(hosts, [
    {
      ...{ host: 'c.test:81', site: 'c.test', url: 'http://c.test:81/', pages: 2, hosts: 2 },
      ...{ text: 'c', example: 'http://c.test:81/' },
      from: [
        { host: 'www.a.test', pages: 1 },
        { host: 'shop.a.test', pages: 1 },
      ],
    },
    {
      ...{ host: 'b.test', site: 'b.test', url: 'https://b.test/', pages: 2, hosts: 1 },
      ...{ text: 'about b', example: 'http://b.test/x/y' },
      from: [{ host: 'www.a.test', pages: 2 }],
    },
  ])
})

test('the border is that of the crawl; one that may roam has what it did not store', async () => {
  const names = async (scope: CrawlSettings['scope']) =>
    (await beyond(WEB, scope)).hosts.map(({ host }) => host)
  assert.deepEqual(await names('host'), ['c.test:81', 'b.test', 'shop.a.test'])
  assert.deepEqual(await names('any'), ['c.test:81', 'b.test'])
})

test('what is listed is a seed file, whatever the words of a link are', async () => {
  const web = { 'www.a.test/': [['http://b.test/', 'x\nhttp://evil.test/ \u001b[2J']] } as const
  const { hosts } = await beyond(web, 'domain')
  const file = hosts.map(seedText).join('')
  assert.match(file, /^# b\.test: linked from 1 page of 1 host, such as "x /)
  assert.ok(!file.includes('\u001b'))
  assert.deepEqual(
    seedLines(file).map(({ text }) => seedUrl(text)),
    ['http://b.test/'],
  )
})

test('of a part of the crawl, what its hosts link to, with all of them that do', async () => {
  const names = async (options: Partial<BeyondOptions>) => {
    const { hosts, total } = await beyond(WEB, 'domain', options)
    return [total, hosts.map(({ host, from }) => [host, ...from.map((each) => each.host)])]
  }
  const both = new Set(['www.a.test', 'shop.a.test'])
  assert.deepEqual(await names({ among: new Set(['shop.a.test']) }), [
    1,
    [['c.test:81', 'shop.a.test']],
  ])
  assert.deepEqual(await names({ among: both, by: 'shop.a.test' }), [
    1,
    [['c.test:81', 'www.a.test', 'shop.a.test']],
  ])
})

test('more hosts than can be counted leave those with the most pages', async () => {
  const many = Array.from({ length: 50 }, (_, at): Link => [`http://h${at}.test/`, ''])
  const often: Link = ['http://often.test/', '']
  const web = Object.fromEntries(
    [0, 1, 2].map((page) => [
      `www.a.test/${page}`,
      [often, ...many.slice(page * 16, page * 16 + 16)],
    ]),
  )
  const { hosts, cut } = await beyond(web, 'domain', { maxHosts: 20, limit: 1 })
  assert.deepEqual([hosts[0]?.host, hosts[0]?.pages, cut], ['often.test', 3, true])
  assert.equal((await beyond(web, 'domain', { maxLinks: 10 })).cut, true)
})
