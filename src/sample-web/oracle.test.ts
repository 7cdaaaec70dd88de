import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { Agent, get, type IncomingHttpHeaders } from 'node:http'
import { test } from 'node:test'
import { canonicalise } from '../core/url.ts'
import { expectedCrawl } from './oracle.ts'
import { demoSite } from './samples.ts'
import { startSite } from './server.ts'
import { createSite, type Site } from './site.ts'

type Fetched = { status: number; headers: IncomingHttpHeaders; body: Buffer }
const agent = new Agent({ keepAlive: true })

async function fetchUrl(url: string): Promise<Fetched> {
  const { port, host, pathname, search } = new URL(url)
  const options = { host: '127.0.0.1', port, path: pathname + search, agent, headers: { host } }
  const { promise, resolve, reject } = Promise.withResolvers<Fetched>()
  get(options, (response) => {
    const chunks: Buffer[] = []
    response.on('data', (chunk: Buffer) => chunks.push(chunk))
    response.on('end', () => {
      const { statusCode, headers } = response
      resolve({ status: statusCode ?? 0, headers, body: Buffer.concat(chunks) })
    })
  }).on('error', reject)
  return promise
}

/** A minimal crawler that reads only the server's responses. */
class PlainCrawler {
  readonly stored = new Map<string, string>()
  readonly duplicates = new Set<string>()
  readonly redirected = new Map<string, string>()
  readonly refused = new Map<string, string>()
  readonly failed = new Map<string, string>()
  readonly #rules = new Map<string, RegExp[]>()
  readonly #queue: string[]
  readonly #hosts: ReadonlySet<string>

  constructor(seeds: readonly string[]) {
    this.#queue = [...seeds]
    this.#hosts = new Set(seeds.map((seed) => new URL(seed).host))
  }

  async run(): Promise<this> {
    const seen = new Set(this.#queue)
    for (let url = this.#queue.shift(); url !== undefined; url = this.#queue.shift()) {
      for (const found of await this.#visit(url)) {
        if (seen.has(found)) continue
        seen.add(found)
        this.refused.delete(found)
        if (/\.(pdf|jpg|zip|mp4)$/.test(found)) this.refused.set(found, 'type')
        else if (!this.#hosts.has(new URL(found).host)) this.refused.set(found, 'scope')
        else this.#queue.push(found)
      }
    }
    for (const url of seen) if (this.refused.get(url) === 'nofollow') this.refused.delete(url)
    return this
  }

  async #visit(url: string): Promise<string[]> {
    const { origin, pathname, search } = new URL(url)
    const listed = this.#rules.has(origin) ? [] : await this.#enter(origin)
    if (this.#rules.get(origin)!.some((rule) => rule.test(pathname + search))) {
      this.refused.set(url, 'robots')
      return listed
    }
    return [...listed, ...this.#read(url, await fetchUrl(url))]
  }

  /** robots.txt, then the sitemaps it names or the one at the usual path. */
  async #enter(origin: string): Promise<string[]> {
    const { status, body } = await fetchUrl(`${origin}/robots.txt`)
    const lines = status === 200 ? body.toString().split('\n') : []
    const ours = lines.slice(0, lines.indexOf('User-agent: GreedyBot'))
    const rules = ours.flatMap((line) => line.match(/^Disallow: (.+)$/)?.[1] ?? [])
    const escaped = rules.map((rule) => rule.replace(/[^\w*-]/g, '\\$&').replaceAll('*', '.*'))
    this.#rules.set(
      origin,
      escaped.map((rule) => new RegExp(`^${rule}`)),
    )
    const named = lines.flatMap((line) => line.match(/^Sitemap: (.+)$/)?.[1] ?? [])
    return this.#readSitemap(named[0] ?? `${origin}/sitemap.xml`)
  }

  async #readSitemap(url: string): Promise<string[]> {
    const { status, body } = await fetchUrl(url)
    if (status !== 200) return []
    const text = body.toString()
    const found = [...text.matchAll(/<loc>(.*?)<\/loc>/g)].map((match) => decodeEntities(match[1]!))
    return text.includes('<sitemapindex') ? this.#readSitemap(found[0]!) : found
  }

  #read(url: string, { status, headers, body }: Fetched): string[] {
    if (status === 301 || status === 302) {
      this.redirected.set(url, headers.location!)
      return [headers.location!]
    }
    if (status !== 200) {
      this.failed.set(url, `http-${status}`)
      return []
    }
    if (!headers['content-type']?.startsWith('text/')) {
      this.refused.set(url, 'type')
      return []
    }
    this.#store(url, createHash('sha256').update(body).digest('hex'))
    return this.#links(url, body.toString('latin1'))
  }

  #store(url: string, hash: string): void {
    if (this.stored.has(hash)) this.duplicates.add(url)
    else this.stored.set(hash, url)
  }

  #links(url: string, html: string): string[] {
    const base = html.match(/<base href="(.*?)"/)?.[1] ?? url
    const none = /<meta name="robots" content="[^"]*nofollow/.test(html)
    return [...html.matchAll(/<a href="(.*?)"([^>]*)>/g)].flatMap(([, href, rest]) => {
      const link = canonicalise(decodeEntities(href!), base)
      if (link === null) return []
      if (!none && !rest!.includes('nofollow')) return [link]
      this.#refuseNofollow(link)
      return []
    })
  }

  #refuseNofollow(link: string): void {
    if (!this.refused.has(link)) this.refused.set(link, 'nofollow')
  }
}

function decodeEntities(text: string): string {
  return text.replaceAll('&amp;', '&')
}

const sorted = (list: Iterable<string>) => [...list].sort()
const pairs = (map: ReadonlyMap<string, string>) => sorted([...map].map((pair) => pair.join(' ')))

async function compare(site: Site, hosts: number): Promise<void> {
  await using served = await startSite(site)
  const seeds = site.hosts.slice(0, hosts).map((host) => served.url(host))
  const expected = expectedCrawl(site, { seeds, scope: 'host' })
  const crawler = await new PlainCrawler(seeds).run()
  agent.destroy()
  assert.deepEqual(pairs(crawler.redirected), pairs(expected.redirected))
  assert.deepEqual(pairs(crawler.failed), pairs(expected.failed))
  assert.deepEqual(pairs(crawler.refused), pairs(expected.refused))
  const contents = [...crawler.stored.values()].map(
    (url) => expected.duplicates.get(url)?.[0] ?? url,
  )
  assert.deepEqual(sorted(contents), sorted(expected.stored))
  assert.equal(crawler.duplicates.size, expected.duplicates.size)
}

test('a plain crawler over the real server finds what the oracle says: the demo', async () => {
  await compare(demoSite(), 12)
})

test('a plain crawler over the real server finds what the oracle says: part of the hosts', async () => {
  await compare(createSite({ seed: 12, pages: 400, hosts: 6, specials: 3, meanBytes: 3000 }), 3)
})

test('the demo has every kind of outcome, and no link leaves it', () => {
  const site = demoSite()
  const seeds = site.hosts
    .filter((host) => host.parent === null)
    .map((host) => `http://${host.name}:81/`)
  const { stored, duplicates, redirected, refused, failed } = expectedCrawl(site, {
    seeds,
    scope: 'domain',
  })
  assert.ok(stored.size >= site.pages)
  assert.ok(duplicates.size > 0 && redirected.size > 0)
  assert.deepEqual(new Set(refused.values()), new Set(['robots', 'nofollow', 'type']))
  assert.deepEqual(new Set(failed.values()), new Set(['http-404', 'http-410']))
})

test('subdomains are in the scope of a domain but not of a host', () => {
  const site = demoSite()
  const seeds = ['http://tinkerbench.localhost:81/']
  const hostsOf = (scope: 'host' | 'domain') =>
    new Set([...expectedCrawl(site, { seeds, scope }).stored].map((url) => new URL(url).hostname))
  assert.equal(hostsOf('host').size, 1)
  assert.equal(hostsOf('domain').size, 3)
})

test('with any scope one seed is enough for the whole web', () => {
  const site = createSite({ seed: 4, pages: 3_000 })
  const { stored, refused } = expectedCrawl(site, {
    seeds: [`http://${site.hosts[0]!.name}/`],
    scope: 'any',
  })
  const orphans = site.hosts.reduce((sum, host) => sum + host.orphans, 0)
  assert.equal(stored.size, 3_000 + orphans)
  assert.ok(!new Set(refused.values()).has('scope'))
})

test('a depth limit leaves exactly the upper levels, and says depth for the rest', () => {
  const site = createSite({
    seed: 4,
    hosts: [{ name: 'a', pages: 2_000 }],
    specials: 0,
    sitemaps: false,
  })
  const { fanout } = site.hosts[0]!
  const seeds = ['http://a.localhost/']
  const { stored, refused } = expectedCrawl(site, { seeds, scope: 'host', maxDepth: 2 })
  assert.equal(stored.size, 1 + fanout + fanout ** 2)
  assert.deepEqual(new Set(refused.values()), new Set(['depth']))
})

test('a depth limit of 0 leaves the seeds, and sitemaps unread', () => {
  const site = createSite({ seed: 4, pages: 3_000 })
  const seeds = site.hosts.map((host) => `http://${host.name}/`)
  const { stored, refused } = expectedCrawl(site, { seeds, scope: 'host', maxDepth: 0 })
  assert.deepEqual(stored, new Set(seeds))
  assert.ok(![...refused.keys()].some((url) => /\/(archive|arsip)\//.test(url)))
})

test('what sitemaps alone know is expected only when they are read', () => {
  const site = createSite({ seed: 4, pages: 3_000 })
  const seeds = site.hosts.map((host) => `http://${host.name}/`)
  const read = expectedCrawl(site, { seeds, scope: 'host' })
  const unread = expectedCrawl(site, { seeds, scope: 'host', sitemaps: false })
  const orphans = site.hosts.reduce((sum, host) => sum + host.orphans, 0)
  assert.ok(orphans > 0)
  assert.equal(read.stored.size - unread.stored.size, orphans)
})
