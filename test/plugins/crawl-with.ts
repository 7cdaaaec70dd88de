// A small web of its own, and crawls of it with plug-ins.
import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, before } from 'node:test'
import {
  type CrawlOptions,
  type CrawlSummary,
  crawl,
  openWorkspace,
  type UrlRecord,
} from '../../src/main/library.ts'
import { ROOT, temporaryFolder } from '../e2e/crawling.ts'

export const EXAMPLES = join(ROOT, 'examples', 'plugins')
export const FAST = { delay: 0, perHost: 4, allowPrivate: true, scouters: 1, contact: 'test' }
const WORDS = 'Green tea is brewed from leaves that were steamed or roasted, and is drunk warm. '

export const rig = new AsyncDisposableStack()
after(() => rig.disposeAsync())

/** Seven pages about tea or health, linked from the first; some with a session only. */
let seed = ''
export const seedUrl = () => seed
export const cookies: string[] = []
before(async () => {
  const server = createServer(({ url = '/', headers, method }, response) => {
    if (method === 'POST') return response.setHeader('set-cookie', 'session=abc; Path=/').end()
    if (url === '/robots.txt') return response.writeHead(404).end()
    cookies.push(`${url} ${headers.cookie ?? ''} ${headers['accept-language'] ?? ''}`)
    response.setHeader('content-type', 'text/html; charset=utf-8')
    response.end(pageAt(url))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  rig.defer(() => void server.close())
  seed = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
})

function pageAt(url: string): string {
  const links = [1, 2, 3, 4, 5].map((n) => `<a href="/tea/${n}">Tea ${n}</a>`)
  const more = ['<a href="/health/1">Health and food</a>', '<a href="/tea/1?print=1">Print</a>']
  const list = [...links, ...more].map((link) => `<li><p>${link}</p></li>`)
  const about = url.startsWith('/health') ? 'Health and food, sehat dan makanan. ' : ''
  const text = url === '/tea/3' ? '' : `${about}${WORDS.repeat(4)} This is ${url}.`
  const body = `<p>${text}</p>${url === '/' ? `<ul>${list.join('')}</ul>` : ''}`
  return `<!doctype html><title>Page ${url} | The Kitchen</title>${body}`
}

export type Crawled = {
  readonly summary: CrawlSummary
  readonly urls: ReadonlyMap<string, UrlRecord>
  readonly data: string
  readonly notices: readonly string[]
}

export async function crawled(options: Partial<CrawlOptions>): Promise<Crawled> {
  const data = options.data ?? rig.use(await temporaryFolder()).path
  const run = crawl({ ...FAST, seeds: seed, ...options, data })
  const notices: string[] = []
  for await (const event of run.events) if (event.type === 'notice') notices.push(event.text)
  await using workspace = await openWorkspace(data)
  const rows = await Array.fromAsync(workspace.urls())
  const urls = new Map(rows.map((row) => [row.url.slice(seed.length - 1), row]))
  return { summary: await run.summary, urls, data, notices }
}

/** A plug-in of a test, as a file in JavaScript. */
export async function pluginFile(body: string, name = 'mine'): Promise<string> {
  const path = join(rig.use(await temporaryFolder()).path, `${name}.mjs`)
  await writeFile(path, `export default { name: '${name}', ${body} }`)
  return path
}

export const stateOf = ({ urls }: Crawled, path: string) =>
  `${urls.get(path)?.state} ${urls.get(path)?.reason}`.trim()

/** A module that is an ordering. */
export const ORDERING = (score: string) =>
  `ordering: { name: 'own', about: 'x', rescoreOn: [], createScorer: () => ({ ${score} }) },`
