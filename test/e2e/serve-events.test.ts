// Live events of real crawls: what is told on the streams is what was stored, whatever happens between.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type ServedSite, startSite } from '../../src/sample-web/server.ts'
import { createSite } from '../../src/sample-web/site.ts'
import { until } from '../support/api-rig.ts'
import { Listener } from '../support/event-listener.ts'
import { temporaryFolder } from './crawling.ts'
import { type Served, startServer } from './serving.ts'

const SITE = createSite({
  seed: 21,
  hosts: [{ name: 'kabar', pages: 60, language: 'id', style: 'news' }],
  specials: 1,
})

const rig = new AsyncDisposableStack()
let site: ServedSite
let server: Served

before(async () => {
  site = rig.use(await startSite(SITE))
  const folder = rig.use(await temporaryFolder())
  server = rig.use(await startServer(folder.path, ['--allow-private']))
})
after(() => rig.disposeAsync())

test('a crawl that is paused, resumed and watched by who comes and goes is told page by page', async () => {
  const [seed = ''] = site.seeds
  const { json } = await server.post('/crawl', { url: seed, delay: 100, max_pages: 50 })
  const address = `${server.url}/crawl/${json.job_id}/events`
  const heard: number[] = []
  let last = '0.0'
  const listenUntil = async (enough: (listener: Listener) => boolean) => {
    using listener = new Listener(address, { 'last-event-id': last })
    await until(() => enough(listener))
    heard.push(...listener.pageIds)
    last = listener.events.at(-1)?.id ?? last
    return listener.events
  }
  await listenUntil(({ pageIds }) => pageIds.length >= 10)
  const paused = await server.post(`/crawl/${json.job_id}/pause`, {})
  assert.equal(paused.json.job.status, 'paused')
  await listenUntil(({ events }) => events.some(isStatus('paused')))
  const again = await server.post(`/crawl/${json.job_id}/pause`, {})
  assert.equal(again.status, 200)
  const resumed = await server.post(`/crawl/${json.job_id}/resume`, {})
  assert.equal(resumed.status, 200)
  await listenUntil(({ pageIds }) => pageIds.length >= 10)
  const events = await listenUntil(({ events }) => events.some(isStatus('completed')))
  assert.ok(events.some(isStatus('completed')))
  const { pages } = (await server.ask(`/crawl/${json.job_id}/pages?limit=1000`)).json
  const stored = pages.map(({ id }: { id: number }) => id)
  assert.equal(stored.length, 50)
  assert.deepEqual(heard, stored)
  const over = await server.post(`/crawl/${json.job_id}/pause`, {})
  assert.equal(over.status, 409)
})

function isStatus(status: string): (event: { readonly payload: unknown }) => boolean {
  return ({ payload }) => Object(payload).status === status
}

test('a job that is removed while it runs and is read is gone for everybody', async () => {
  const [seed = ''] = site.seeds
  const { json } = await server.post('/crawl', { url: seed, delay: 100 })
  const path = `/crawl/${json.job_id}`
  using listener = new Listener(`${server.url}${path}/events`)
  await until(() => listener.pageIds.length >= 5)
  const removing = [1, 2, 3].map(() => fetch(`${server.url}${path}`, { method: 'DELETE' }))
  const statuses = (await Promise.all(removing)).map(({ status }) => status)
  assert.ok(statuses.includes(200) && statuses.every((status) => status === 200 || status === 404))
  await until(() => listener.ended)
  assert.equal(listener.events.at(-1)?.name, 'removed')
  for (const inner of ['', '/overview', '/pages', '/events', '/hosts']) {
    assert.equal((await server.ask(`${path}${inner}`)).status, 404, inner)
  }
  assert.equal((await server.ask('/healthz')).status, 200)
})
