// Scenes of the address cases that need a proxy or a server.
import assert from 'node:assert/strict'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { jelajah, query, readUrls } from '../../e2e/crawling.ts'
import { type Served, startServer, until } from '../../e2e/serving.ts'
import { checkHealth } from '../crawls.ts'
import { article, links, site } from '../server/answers.ts'
import { listenOn } from '../server/web-server.ts'
import type { Stage } from '../stage.ts'

const TOKEN = 'a-token-of-some-length'

/** A job that wants to be told at this address: what became of that. */
export async function webhookSent(stage: Stage, url: string): Promise<string> {
  stage.web.host({ 'hooked.test': site({ '/': article('hooked') }) })
  const server = await stage.server()
  const body = {
    url: 'http://hooked.test/',
    max_pages: 1,
    delay: 0,
    webhook: { url, secret: 'a-secret-of-some-length' },
  }
  const id = await server.crawl(body)
  const notices = (): string[] =>
    query<{ text: string }>(
      join(stage.folder, 'served', 'jelajah.db'),
      `SELECT text FROM crawl_events WHERE type = 'notice' AND text LIKE 'webhook:%'
       AND crawl_id = ${Number(id.slice('crawl_'.length))}`,
    ).map(({ text }) => text)
  await until(() => notices().length > 0, 'a notice about the webhook')
  return notices().join(', ').slice(0, 150)
}

export async function throughProxy(stage: Stage): Promise<string> {
  stage.mustBeInNamespace()
  const asked: string[] = []
  const proxy = createServer((socket) => {
    socket
      .on('error', () => {})
      .on('data', (chunk) => {
        asked.push(chunk.toString('latin1').split('\r\n')[0] ?? '')
        const body = article(
          'S13',
          links('http://10.9.9.9/', 'http://inside.s13.test/', 'http://127.0.0.1/'),
        )
        socket.end(
          `HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`,
        )
      })
  })
  const port = await listenOn(proxy, 0, '127.0.0.1')
  stage.names?.add({ 'inside.s13.test': { a: ['10.9.9.9'] } })
  const data = join(stage.folder, 's13')
  const args = [
    'crawl',
    'http://s13.test/',
    '--proxy',
    `http://127.0.0.1:${port}`,
    '--scope',
    'any',
  ]
  const ran = await jelajah([
    ...args,
    '--data',
    data,
    '--delay',
    '0',
    '--json',
    '--quiet',
    '--ignore-robots',
  ]).ended
  proxy.close()
  checkHealth(ran)
  assert.ok(asked.some((line) => line.includes('s13.test')))
  assert.ok(!asked.some((line) => /10\.9\.9\.9|127\.0\.0\.1|inside/.test(line)), asked.join(', '))
  const refused = readUrls(data).filter(({ reason }) => /^private-address/.test(reason ?? ''))
  assert.equal(refused.length, 3)
  return 'three private targets refused before the proxy was told'
}

/** The same page crawled by the server itself: what it says of the links that lead back to it. */
async function ownJob(server: Served, data: string): Promise<string> {
  const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' }
  const body = JSON.stringify({
    url: 'http://s14.test/',
    scope: 'any',
    delay: 0,
    ignore_robots: true,
  })
  const { json } = await server.ask('/crawl', { method: 'POST', headers, body })
  const jobIs = async () => (await server.ask(`/crawl/${json.job_id}`, { headers })).json.job.status
  await until(async () => (await jobIs()) === 'completed', 'the job to end')
  const { port } = new URL(server.url)
  const ends = readUrls(data).filter(({ url }) => url.includes(`:${port}/`))
  assert.equal(ends.length, 3)
  const reasons = new Set(ends.map(({ state, reason }) => `${state} ${reason}`))
  assert.deepEqual([...reasons], ['refused private-address: a server of Jelajah itself'])
  return [...reasons].join()
}

/** A page that leads to the API of a server that listens on a public address. */
export async function ownServer(stage: Stage): Promise<string> {
  stage.mustBeInNamespace()
  const data = join(stage.folder, 's14-server')
  const flags = ['--host', '11.14.14.14', '--token', TOKEN]
  await using server = await startServer(data, flags)
  const { port } = new URL(server.url)
  stage.names?.add({ 'own.s14.test': { a: ['11.14.14.14'] } })
  stage.web.host({
    's14.test': site({
      '/': article(
        'S14',
        links(
          `http://11.14.14.14:${port}/crawl`,
          `http://own.s14.test:${port}/crawl`,
          `http://11.14.14.14:${port}/`,
        ),
      ),
    }),
  })
  const crawled = join(stage.folder, 's14')
  const args = [
    'crawl',
    'http://s14.test/',
    '--scope',
    'any',
    '--data',
    crawled,
    '--delay',
    '0',
    '--json',
    '--quiet',
  ]
  checkHealth(await jelajah([...args, '--ignore-robots']).ended)
  const ends = readUrls(crawled).filter(({ url }) => url.includes(`:${port}/crawl`))
  assert.equal(ends.length, 2)
  assert.ok(
    ends.every(({ state }) => state !== 'stored'),
    JSON.stringify(ends),
  )
  const own = await ownJob(server, data)
  await until(async () => (await fetch(`${server.url}/healthz`)).ok, 'the server to be well')
  const said = ends.map(({ state, reason }) => `${state} ${reason}`).join(', ')
  return `its own job: ${own}; another crawl: ${said}`
}
