// S: being led to addresses that are not the public web's. The guard is the one that everybody uses: the crawl
// `guard` runs with its defaults, in a network where the private addresses answer.
import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { canonicalise } from '../../../src/core/url.ts'
import { ConnectionPool, type PooledConnection } from '../../../src/http/connection-pool.ts'
import { isPublicAddress } from '../../../src/http/route.ts'
import { jelajah, readUrls } from '../../e2e/crawling.ts'
import type { HostileCase } from '../case.ts'
import { checkHealth } from '../crawls.ts'
import { ended, http, stored } from '../expect.ts'
import { ALLOWED_ADDRESS } from '../namespace.ts'
import { article, links, misbehave, page, redirect, robots, site } from '../server/answers.ts'
import type { Stage } from '../stage.ts'
import { ownServer, throughProxy, webhookSent } from './address-scenes.ts'
import { CLOSED_V4, CLOSED_V6, OPEN_V4, OPEN_V6, SPELLINGS } from './address-tables.ts'

const SPELLED = SPELLINGS.map((host) => `http://${host}/s2`)
const SPELLED_V6 = CLOSED_V6.map((address) => `http://[${address}]/s3`)
const PORTS = [22, 25, 6379, 5432, 9200, 11211, 2375, 0]

/** None of these links led anywhere. */
async function keptOut(stage: Stage, urls: readonly string[], reason: RegExp): Promise<string> {
  stage.mustBeInNamespace()
  const seen = await stage.crawl('guard')
  const known = urls.flatMap((url) => canonicalise(url) ?? [])
  const said = ended(seen, known, /^refused$/, reason)
  assert.deepEqual(seen.trespasses, [], 'connections were made')
  return `${known.length} URLs: ${said}`
}

function map(...urls: readonly string[]): string {
  return `<?xml version="1.0"?><urlset>${urls.map((url) => `<url><loc>${url}</loc></url>`).join('')}</urlset>`
}

/** Names that lead to private addresses in different ways. */
const NAMES: Record<string, { a?: string[]; aaaa?: string[]; cname?: string }> = {
  'private.s5.test': { a: ['10.9.9.9'] },
  'mixed.s5.test': { a: ['11.5.5.5', '10.9.9.9'] },
  'six.s5.test': { a: ['11.5.5.5'], aaaa: ['fd00:ec2::254'] },
  'alias.s5.test': { cname: 'localhost.s5.test', a: ['127.0.0.1'] },
  'metadata.s5.test': { a: ['169.254.169.254'] },
  '10.9.9.9.s5.test': { a: ['10.9.9.9'] },
}

export const ADDRESSES: readonly HostileCase[] = [
  {
    id: 'S1',
    does: 'leads to special addresses of IPv4, from edge to edge',
    holds: 'all are closed; their neighbours are open',
    check: () => {
      for (const address of CLOSED_V4) assert.ok(!isPublicAddress(address), `${address} is open`)
      for (const address of OPEN_V4) assert.ok(isPublicAddress(address), `${address} is closed`)
      return `${CLOSED_V4.length} closed, ${OPEN_V4.length} open`
    },
  },
  {
    id: 'S2',
    does: 'writes such addresses as numbers, in octal, short, with wide digits',
    holds: 'judged as the address they are',
    web: { crawl: 'guard', hosts: { 's2.test': site({ '/': article('S2', links(...SPELLED)) }) } },
    check: (stage) => keptOut(stage, SPELLED, /^private-address/),
  },
  {
    id: 'S3',
    does: 'leads to special addresses of IPv6, also with an IPv4 address inside',
    holds: 'all are closed; what is outside 2000::/3 is closed anyway',
    web: {
      crawl: 'guard',
      hosts: { 's3.test': site({ '/': article('S3', links(...SPELLED_V6)) }) },
    },
    check: async (stage) => {
      for (const address of CLOSED_V6) assert.ok(!isPublicAddress(address), `${address} is open`)
      for (const address of OPEN_V6) assert.ok(isPublicAddress(address), `${address} is closed`)
      return await keptOut(stage, SPELLED_V6, /^private-address/)
    },
  },
  {
    id: 'S4',
    does: 'names an interface in an address',
    holds: 'no URL',
    check: () => {
      assert.equal(canonicalise('http://[fe80::1%25eth0]/'), null)
      assert.equal(canonicalise('http://[fe80::1%eth0]/'), null)
      return 'no URL'
    },
  },
  {
    id: 'S5',
    does: 'has names that lead to private addresses: alone, among public ones, by IPv6, by an alias, under localhost',
    holds: 'refused where any address is private',
    web: {
      crawl: 'guard',
      hosts: {
        's5.test': site({
          '/': article(
            'S5',
            links(...http(...Object.keys(NAMES), 'localhost.', 'foo.localhost', 'localhost')),
          ),
        }),
      },
      names: NAMES,
    },
    check: async (stage) => {
      stage.mustBeInNamespace()
      const said = await keptOut(stage, http(...Object.keys(NAMES)), /^private-address/)
      await keptOut(stage, http('localhost', 'foo.localhost'), /^private-address/)
      return said
    },
  },
  {
    id: 'S6',
    does: 'changes its address between robots.txt, page and the next try (TTL 0)',
    holds: 'each connection goes to an address that was checked for it',
    web: {
      crawl: 'guard',
      hosts: {
        's6.test': site({
          '/': article('S6', links(...http('second.s6.test', 'always.s6.test', 'turn.s6.test'))),
        }),
        'second.s6.test': misbehave(page(article('S6 second'))),
        'turn.s6.test': misbehave(page(article('S6 turn'))),
      },
      seeds: ['http://s6.test/'],
      names: {
        'second.s6.test': (nth) => ({ a: [nth === 1 ? '11.6.6.6' : '127.0.0.1'] }),
        'turn.s6.test': (nth) => ({ a: [nth % 2 === 0 ? '11.6.6.7' : '169.254.169.254'] }),
        'always.s6.test': { a: ['127.0.0.1'] },
      },
    },
    check: async (stage) => {
      stage.mustBeInNamespace()
      const seen = await stage.crawl('guard')
      ended(seen, http('always.s6.test'), /^refused$/, /^private-address/)
      for (const host of ['second.s6.test', 'turn.s6.test']) {
        const { state, reason } = seen.url(`http://${host}/`)
        assert.match(`${state} ${reason}`, /^(?:stored|refused private-address)/)
        assert.ok(stage.web.requestsTo(host).every(({ local }) => local.startsWith('11.')))
      }
      assert.deepEqual(seen.trespasses, [])
      return 'no connection but to addresses that were public when they were asked for'
    },
  },
  {
    id: 'S7',
    does: 'gives a list of addresses, one of which is private and one answers sooner',
    holds: 'refused: every candidate is judged',
    web: {
      crawl: 'guard',
      hosts: { 's7.test': site({ '/': article('S7', links('http://list.s7.test/')) }) },
      seeds: ['http://s7.test/'],
      names: { 'list.s7.test': { a: ['11.7.1.1', '192.168.9.9'], aaaa: ['::1'] } },
    },
    check: (stage) => keptOut(stage, http('list.s7.test'), /^private-address/),
  },
  {
    id: 'S8',
    does: 'moves to another address while a connection to the old one is kept',
    holds: 'connections are kept by origin and address, and none is older than a minute',
    check: () => {
      const pool = new ConnectionPool<PooledConnection>({ perOrigin: 1, total: 9 })
      const at = ['11.8.8.8']
      const discarded: string[] = []
      const lane = (key: string, ageMs: number) => ({
        key,
        leadsTo: (addresses: readonly string[]) => addresses.includes('11.8.8.8'),
        usable: true,
        openedAt: performance.now() - ageMs,
        discard: () => void discarded.push(key),
      })
      pool.put(lane('http://old.test', 61_000))
      pool.put(lane('http://young.test', 1000))
      pool.put(lane('http://moved.test', 1000))
      assert.equal(pool.take('http://old.test', at), null)
      assert.equal(pool.take('http://other.test', at), null)
      assert.equal(pool.take('http://young.test', at)?.key, 'http://young.test')
      assert.equal(pool.take('http://moved.test', ['11.8.8.9']), null)
      assert.deepEqual(discarded, ['http://old.test', 'http://moved.test'])
      return 'a connection of 61 s, or to another address, is dropped, one of another origin never taken'
    },
  },
  {
    id: 'S9',
    does: 'leads to ports of other services: 22, 25, 6379, 5432, 9200, 11211, 2375, 0',
    holds: 'refused for their port, and not one connection is made',
    partly:
      'a list of ports that are closed, not of those that are open: web servers do listen on any port, 65535 included',
    web: {
      crawl: 'guard',
      hosts: {
        's9.test': site({
          '/': article('S9', links(...PORTS.map((port) => `http://s9.test:${port}/`))),
          '*': page(article('S9 on a port')),
        }),
      },
      seeds: ['http://s9.test/'],
    },
    check: async (stage) => {
      stage.mustBeInNamespace()
      const seen = await stage.crawl('guard')
      const urls = PORTS.flatMap((port) => canonicalise(`http://s9.test:${port}/`) ?? [])
      const said = ended(seen, urls, /^refused$/, /^port/)
      const opened = stage.web.connections.filter(({ port }) => PORTS.includes(port))
      assert.deepEqual(opened, [])
      return `${urls.length} ports: ${said}`
    },
  },
  {
    id: 'S10',
    does: 'hides the host behind user names and fragments',
    holds: 'the host is what the URL parser says',
    web: {
      crawl: 'guard',
      hosts: {
        's10.test': site({
          '/': article(
            'S10',
            links(
              'http://s10.test@127.0.0.1/u',
              'http://127.0.0.1#@s10.test/',
              'http://10.9.9.9\\@s10.test/b',
            ),
          ),
          '*': page(article('S10 other')),
        }),
      },
      seeds: ['http://s10.test/'],
    },
    check: async (stage) => {
      stage.mustBeInNamespace()
      const seen = await stage.crawl('guard')
      const led = seen.urls.filter(({ url }) =>
        /^http:\/\/(?:127\.0\.0\.1|10\.9\.9\.9)\/(?:u|@s10\.test\/b)?$/.test(url),
      )
      assert.ok(led.length >= 2, 'the URLs are known by their true hosts')
      assert.ok(led.every(({ state }) => state === 'refused'))
      assert.deepEqual(seen.trespasses, [])
      return led.map(({ url, reason }) => `${url} ${reason}`).join(', ')
    },
  },
  {
    id: 'S11',
    does: 'leads to private addresses by lines of robots.txt, sitemaps and their index, canonical, base, refresh, frames, icons, webhooks and seed files',
    holds: 'one guard for all of them: not one connection is made',
    web: {
      crawl: 'guard',
      hosts: {
        's11.test': site({
          '/robots.txt': robots(
            'Sitemap: http://10.9.9.9/map.xml',
            'Sitemap: http://s11.test/index.xml',
            'Sitemap: http://s11.test/map.xml',
          ),
          '/index.xml': page(
            '<sitemapindex><sitemap><loc>http://192.168.9.9/map.xml</loc></sitemap></sitemapindex>',
            { type: 'application/xml' },
          ),
          '/map.xml': page(
            map('http://172.16.9.9/from-map', 'http://169.254.169.254/latest/meta-data/'),
            { type: 'application/xml' },
          ),
          '/': '<base href="http://10.9.9.9/"><link rel=canonical href="http://127.0.0.1/"><link rel=icon href="http://127.0.0.1/favicon.ico"><meta http-equiv=refresh content="0;url=http://100.64.0.9/"><iframe src="http://169.254.169.254/frame"></iframe><a href="relative">r</a><img src="http://127.0.0.1/i.png">',
        }),
        'robots.s11.test': site({
          '/robots.txt': redirect('http://169.254.169.254/robots.txt'),
          '/': article('S11 robots'),
        }),
      },
    },
    check: async (stage) => {
      stage.mustBeInNamespace()
      const seen = await stage.crawl('guard')
      assert.deepEqual(seen.trespasses, [])
      const from = stage.web.connections.length
      const sent = await webhookSent(stage, 'http://10.9.9.9/hook')
      const file = join(stage.folder, 's11.seeds')
      mkdirSync(stage.folder, { recursive: true })
      writeFileSync(file, 'http://private-seed.s11.test/\n')
      stage.names?.add({ 'private-seed.s11.test': { a: ['169.254.169.254'] } })
      const data = join(stage.folder, 's11')
      checkHealth(
        await jelajah(['crawl', '--seed-file', file, '--data', data, '--delay', '0', '--json'])
          .ended,
      )
      const { code } = await stage.run(['parse', 'http://private-seed.s11.test/', '--json'])
      assert.notEqual(code, 0, 'a page behind a public-looking name was read by parse')
      assert.deepEqual(stage.trespasses(from), [], 'connections by a webhook, a seed file or parse')
      return `no connection by any of them; webhook: ${sent}`
    },
  },
  {
    id: 'S12',
    does: 'sends Alt-Svc that names a private address',
    holds: 'ignored; and no connection serves another origin',
    web: {
      crawl: 'guard',
      hosts: {
        's12.test': site({
          '/': page(article('S12', links('/next')), {
            headers: 'alt-svc: h2="10.9.9.9:443", http/1.1="127.0.0.1:80"\r\n',
          }),
          '/next': article('S12 next'),
        }),
      },
    },
    check: async (stage) => {
      stage.mustBeInNamespace()
      const seen = await stage.crawl('guard')
      assert.deepEqual(seen.trespasses, [])
      const shared = stage.web.requests.filter(({ nth }) => nth > 1)
      for (const { connection, host } of shared) {
        const first = stage.web.requests.find((request) => request.connection === connection)
        assert.equal(host, first?.host, 'one connection served two hosts')
      }
      return stored(seen, ['http://s12.test/next'])
    },
  },
  {
    id: 'S13',
    slow: true,
    does: 'leads to a private address while a proxy is used',
    holds: 'the guard asks before the proxy is told',
    check: throughProxy,
  },
  {
    id: 'S14',
    slow: true,
    does: 'leads to our own server',
    holds: 'its own jobs ask it nothing; to other crawls it tells and does nothing',
    check: ownServer,
  },
  {
    id: 'S15',
    does: 'crawls an intranet host that was allowed by name',
    holds: 'open are exactly the hosts and networks that were allowed',
    check: async (stage) => {
      stage.mustBeInNamespace()
      const away = ['http://192.168.9.9/', 'http://169.254.169.254/']
      stage.web.host({
        [ALLOWED_ADDRESS]: site({ '/': article('S15', links(...away)) }),
        'intranet.s15.test': site({
          '/': article('S15 by name', links(`http://${ALLOWED_ADDRESS}/`)),
        }),
      })
      stage.names?.add({ 'intranet.s15.test': { a: [ALLOWED_ADDRESS] } })
      const data = join(stage.folder, 's15')
      const flags = ['--scope', 'any', '--allow-private=10.88.8.0/24', '--delay', '0', '--json']
      checkHealth(
        await jelajah(['crawl', 'http://intranet.s15.test/', '--data', data, ...flags]).ended,
      )
      const states = new Map(
        readUrls(data).map(({ url, state, reason }) => [url, `${state} ${reason}`]),
      )
      for (const url of away) assert.match(states.get(url) ?? '', /^refused private-address/)
      assert.match(states.get(`http://${ALLOWED_ADDRESS}/`) ?? '', /^stored/)
      assert.match(states.get('http://intranet.s15.test/') ?? '', /^stored/)
      return 'the network that was allowed is crawled, others are refused'
    },
  },
]
