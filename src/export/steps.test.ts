import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { sample } from '../../test/contract/sample-page.ts'
import { ExportFixture, type RunOptions } from '../../test/support/export-fixture.ts'
import type { PageFields } from '../core/page.ts'
import type { NearDuplicate, NearDuplicates } from '../search/clusters.ts'
import { openSqliteSearchIndex } from '../search/sqlite/open-search-index.ts'
import type { PageToSave } from '../store/page-store.ts'
import { atLeastWords, withoutBoilerplate, withoutNearDuplicates } from './boilerplate.ts'
import type { OpenStep } from './exporter.ts'
import { ndjson } from './ndjson.ts'

const NOTICE = 'All that is said here is said without warranty.'

async function exported(
  pages: readonly PageToSave[],
  step: OpenStep,
  options: RunOptions = {},
): Promise<[texts: string[], counts: Readonly<Record<string, number>>]> {
  await using fixture = new ExportFixture()
  await fixture.save(pages)
  const [out, { counts }] = await fixture.run(ndjson, { steps: [step], ...options })
  const lines = (await readFile(out, 'utf8')).trimEnd().split('\n')
  return [lines.map((line) => JSON.parse(line).content_text), counts]
}

function pagesOf(host: string, count: number, changes: Partial<PageFields> = {}): PageToSave[] {
  return Array.from({ length: count }, (_, nth) => {
    const contentText = `Page ${nth} of ${host}.\n\n${NOTICE}`
    return sample(`${host}/${nth}`, { contentText, ...changes })
  })
}

test('boilerplate is taken out of the pages of the site that has it, and counted', async () => {
  const pages = [...pagesOf('a.test', 6), ...pagesOf('b.test', 3)]
  const [texts, counts] = await exported(pages, withoutBoilerplate)
  assert.deepEqual(texts, [
    ...Array.from({ length: 6 }, (_, nth) => `Page ${nth} of a.test.`),
    ...Array.from({ length: 3 }, (_, nth) => `Page ${nth} of b.test.\n\n${NOTICE}`),
  ])
  assert.deepEqual(counts, { boilerplate_blocks: 6, boilerplate_pages: 6 })
})

test('what is boilerplate does not change when an export goes on', async () => {
  const pages = pagesOf('a.test', 7)
  const [texts, counts] = await exported(pages, withoutBoilerplate, { cutOffAfter: [1, 5] })
  assert.deepEqual([texts.length, texts[6], counts.boilerplate_pages], [7, 'Page 6 of a.test.', 7])
})

test('pages of another crawl do not count', async () => {
  await using fixture = new ExportFixture()
  await fixture.save(pagesOf('a.test', 4))
  await fixture.save(pagesOf('a.test', 4))
  const [, { counts }] = await fixture.run(ndjson, { steps: [withoutBoilerplate] })
  assert.deepEqual(counts, {})
})

/** Each list is a cluster; its first page is the representative. */
function indexOf(...clusters: readonly (readonly number[])[]): NearDuplicates {
  const known = clusters.flatMap((pages, cluster) =>
    pages.map((pageId): NearDuplicate => {
      return { pageId, cluster, representative: pages[0]!, size: pages.length }
    }),
  )
  return { nearDuplicates: async (ids) => known.filter(({ pageId }) => ids.includes(pageId)) }
}

const CLUSTERS: readonly (readonly [name: string, clusters: number[][], stay: number[]])[] = [
  ['without clusters all pages stay', [], [1, 2, 3, 4, 5]],
  ['the page that stands for its cluster stays', [[4, 1, 5]], [2, 3, 4]],
  ['where that one is not asked for, the first of the others does', [[9, 5, 3, 4]], [1, 2, 3]],
  [
    'each cluster has its page',
    [
      [2, 1],
      [8, 3],
    ],
    [2, 3, 4, 5],
  ],
]

for (const [name, clusters, stay] of CLUSTERS) {
  test(name, async () => {
    const step = withoutNearDuplicates(indexOf(...clusters))
    const [texts, counts] = await exported(pagesOf('a.test', 5, {}), step)
    const ids = texts.map((text) => Number(/\d+/.exec(text)) + 1)
    assert.deepEqual(ids, stay)
    assert.equal(counts.near_duplicates ?? 0, 5 - stay.length)
  })
}

test('of pages that the search index finds alike one stays', async () => {
  const words = Array.from({ length: 60 }, (_, nth) => `word${nth * nth}`)
  const text = words.join(' ')
  const other = words.toReversed().join(' ')
  const pages = [text, other, `${text} again`].map((contentText, nth) =>
    sample(`a.test/${nth}`, { contentText }),
  )
  await using fixture = new ExportFixture()
  const { job } = await fixture.save(pages)
  const searched = pages.map(({ page }, nth) => ({ ...page.fields, id: nth + 1, crawlId: job.id }))
  const path = join(fixture.dir, 'search.db')
  await using index = await openSqliteSearchIndex({ path, pagesOf: async () => [] })
  await index.add({ pages: searched, gone: [], position: { mark: 'a', cursor: 3 } })
  const [out, { counts }] = await fixture.run(ndjson, { steps: [withoutNearDuplicates(index)] })
  assert.deepEqual(counts, { near_duplicates: 1 })
  assert.deepEqual((await readFile(out, 'utf8')).match(/"_id":\d+/g), ['"_id":1', '"_id":2'])
})

test('steps see the texts of pages of which only links are written', async () => {
  await using fixture = new ExportFixture()
  await fixture.save(pagesOf('a.test', 3))
  const choices = { what: 'links' } as const
  const [, { pages }] = await fixture.run(ndjson, { steps: [atLeastWords(5)], choices })
  assert.equal(pages, 3)
})
