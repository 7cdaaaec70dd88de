import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openSqlitePageStore } from '../../src/store/sqlite/sqlite-page-store.ts'
import { storePath } from '../../src/workspace/folder/paths.ts'
import { sample, sampleJob } from '../contract/sample-page.ts'
import { openRig, type Rig } from '../support/api-rig.ts'

let rig: Rig

before(async () => {
  rig = await openRig()
  await store('a.test/1', 'green tea')
})
after(() => rig[Symbol.asyncDispose]())

async function store(at: string, contentText: string): Promise<void> {
  const jobs = await rig.jobs.list()
  const job = jobs[0] ?? (await rig.jobs.create(sampleJob()))
  await using pages = await openSqlitePageStore({ path: storePath(rig.dataDir), job })
  await pages.save([sample(at, { contentText, title: '', contentHash: at })])
}

async function ask(method: string, path: string, body?: unknown) {
  const init = {
    method,
    ...(body !== undefined && {
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    }),
  }
  const answer = await fetch(`${rig.url}${path}`, init)
  const text = await answer.text()
  return { status: answer.status, body: text === '' ? null : JSON.parse(text) }
}

test('a search is saved, asked for what is new, and removed', async () => {
  const made = await ask('PUT', '/saved-searches/tea', { q: 'tea', sort: 'fetched' })
  assert.deepEqual([made.status, made.body.request], [200, { q: 'tea', sort: 'fetched' }])
  assert.equal((await ask('GET', '/saved-searches/tea/hits')).body.total, 1)
  assert.equal((await ask('GET', '/saved-searches/tea/hits?new=true')).body.total, 0)
  await store('a.test/2', 'black tea')
  const news = (await ask('GET', '/saved-searches/tea/hits?new=true')).body
  assert.deepEqual([news.total, news.hits[0].url], [1, 'http://a.test/2'])
  const since = (await ask('GET', `/search?q=tea&changed_after=${made.body.seen}`)).body
  assert.equal(since.total, 1)
  const { status } = await ask('POST', '/saved-searches/tea/seen', { cursor: news.cursor })
  assert.equal(status, 200)
  assert.equal((await ask('GET', '/saved-searches/tea/hits?new=true')).body.total, 0)
  const { searches } = (await ask('GET', '/saved-searches')).body
  assert.deepEqual(
    searches.map(({ name, seen }: { name: string; seen: number }) => [name, seen]),
    [['tea', news.cursor]],
  )
  assert.equal((await ask('DELETE', '/saved-searches/tea')).status, 200)
  assert.deepEqual((await ask('GET', '/saved-searches')).body, { searches: [] })
})

test('what cannot be saved or is not there is reported', async () => {
  for (const [method, path, body, status] of [
    ['PUT', '/saved-searches/x', { q: 'tea', since: 'yesterday' }, 400],
    ['PUT', '/saved-searches/x', { q: 'tea', crawl: 'crawl_99' }, 404],
    ['PUT', '/saved-searches/x', { q: 'tea', nonsense: 1 }, 400],
    ['PUT', `/saved-searches/${'x'.repeat(81)}`, { q: 'tea' }, 400],
    ['PUT', '/saved-searches/x%00y', { q: 'tea' }, 400],
    ['GET', '/search?q=tea&changed_after=1e300', undefined, 400],
    ['POST', '/saved-searches/none/seen', { cursor: 1e300 }, 400],
    ['GET', '/saved-searches/none/hits', undefined, 404],
    ['POST', '/saved-searches/none/seen', { cursor: 1 }, 404],
    ['DELETE', '/saved-searches/none', undefined, 404],
  ] as const) {
    assert.equal((await ask(method, path, body)).status, status, `${method} ${path}`)
  }
})
