import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { sample } from '../../test/contract/sample-page.ts'
import { ExportFixture } from '../../test/support/export-fixture.ts'
import { openSqliteClusterStore, openSqlitePageReader } from '../../test/support/stores.ts'
import { csv } from './csv.ts'
import { ndjson } from './ndjson.ts'
import { withClusters } from './split.ts'
import { textCorpus } from './text-corpus.ts'

const PAGES = [
  sample('a.test/1', { language: 'id', contentText: 'Kopi dan teh.' }),
  sample('a.test/2', { language: 'en-GB', contentText: 'Coffee and tea.' }),
  sample('a.test/3', { language: '../x', contentText: 'Tea.' }),
]

test('pages are divided into files by language, whatever pages claim', async () => {
  await using fixture = new ExportFixture()
  await fixture.save(PAGES)
  const [out] = await fixture.run(ndjson, { choices: { split: 'language' }, cutOffAfter: [2] })
  const textsOf = async (name: string) =>
    (await readFile(join(out, name), 'utf8'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).url)
  assert.deepEqual(await textsOf('id.ndjson'), ['http://a.test/1'])
  assert.deepEqual(await textsOf('en.ndjson'), ['http://a.test/2'])
  assert.deepEqual(await textsOf('und.ndjson'), ['http://a.test/3'])
})

test('pages have their cluster, its label and their own words, and are divided by cluster', async () => {
  await using fixture = new ExportFixture()
  await fixture.save(PAGES)
  const steps = [withClusters]
  {
    await using reader = await openSqlitePageReader(fixture.path)
    const range = { filter: { crawlIds: [1] }, after: 0, upTo: 9 }
    const opened = withClusters(reader, range, new AbortController().signal)
    await assert.rejects(opened, /was not clustered yet; 'jelajah cluster'/)
  }
  {
    await using store = await openSqliteClusterStore(fixture.path)
    await store.add(1, [{ pageId: 1, cluster: 0, score: 0.5, terms: ['kopi'] }])
    await store.finish(1, [{ id: 0, terms: ['minuman'], size: 1, cohesion: 0.5 }])
  }
  const [out] = await fixture.run(ndjson, { name: 'a', steps, choices: { clusters: true } })
  const rows = (await readFile(out, 'utf8'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  const shown = rows.map((row) => [
    row.cluster,
    row.cluster_score,
    row.cluster_terms,
    row.top_terms,
  ])
  assert.deepEqual(shown[0], [0, 0.5, ['minuman'], ['kopi']])
  assert.deepEqual(shown[1], [null, null, null, null])
  const [divided] = await fixture.run(csv, { name: 'b', steps, choices: { split: 'cluster' } })
  assert.match(await readFile(join(divided, 'cluster-000.csv'), 'utf8'), /^id,.*\r\n1,.*\r\n$/)
  assert.match(await readFile(join(divided, 'unclustered.csv'), 'utf8'), /^id,.*\r\n2,.*\r\n3,/)
  const [texts] = await fixture.run(textCorpus, { name: 'c', steps, choices: { per: 'cluster' } })
  assert.equal(await readFile(join(texts, 'cluster-000.txt'), 'utf8'), 'Kopi dan teh.\n\f\n')
})
