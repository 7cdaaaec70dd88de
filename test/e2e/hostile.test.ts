// The hostile web: whatever servers and pages do, the crawl goes on, every URL ends in one state
// with a reason, no process dies, and the healthy host beside them is stored whole.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { FAILURES, REFUSALS, reasonCode } from '../../src/core/visit.ts'
import { openHostileSite } from '../site/hostile.ts'
import { startSite } from '../site/server.ts'
import { createSite } from '../site/site.ts'
import { jelajah, readPages, readUrls, serve, temporaryFolder } from './crawling.ts'

const KNOWN_REASONS = new Set<string>([...REFUSALS, ...FAILURES])

test('a web of misbehaving servers costs nothing but their own pages', async () => {
  await using hostile = await openHostileSite()
  const healthy = createSite({ seed: 31, hosts: [{ name: 'sehat', pages: 60 }], specials: 0 })
  await using served = await startSite(healthy)
  await using folder = await temporaryFolder()
  // One host for each misdeed: the back-off of one must not hide the next.
  const seeds = hostile.cases.map((name) => `http://${name.toLowerCase()}.hostile.test/${name}`)
  const args = ['crawl', ...seeds, ...served.seeds, '--data', folder.path, '--quiet']
  args.push('--connect-to', `*.hostile.test=${hostile.host}`, '--scope', 'host')
  args.push('--ignore-robots', '--no-sitemaps', '--delay', '0', '--concurrency', '100')
  const { code, stderr } = await jelajah([...args, '--timeout', '2000', '--retries', '0']).ended
  assert.equal(code, 0)
  assert.doesNotMatch(stderr, /died/)
  const rows = readUrls(folder.path)
  const states = new Map(rows.map((row) => [row.url, row]))
  for (const seed of seeds) {
    const { state, reason } = states.get(seed) ?? {}
    assert.ok(state !== undefined && !['queued', 'leased'].includes(state), `${seed} is ${state}`)
    if (state === 'refused' || state === 'failed') {
      const known = KNOWN_REASONS.has(reasonCode(reason ?? '').replace(/-\d+$/, ''))
      assert.ok(known, `${seed} is ${state}: ${reason}`)
    }
  }
  const stored = readPages(folder.path).filter(({ url }) => url.includes('sehat.localhost'))
  assert.equal(stored.length, 60)
})

const LINKS = Array.from({ length: 200_000 }, (_, nth) => `<a href="/l${nth}?">x</a>`).join('')

const PAGES: Readonly<Record<string, string | Uint8Array>> = {
  '/nested': `${'<div>'.repeat(100_000)}<a href="/found">deep</a>`,
  '/lists': '<ul><li>'.repeat(50_000),
  '/links': LINKS,
  '/attributes': `<a ${'x=y '.repeat(50_000)} href="/found">a</a>`,
  '/attribute': `<p title="${'x'.repeat(900_000)}">text</p>`,
  '/brackets': '<'.repeat(900_000),
  '/comments': '<!--'.repeat(200_000),
  '/script': `<script>${'a'.repeat(500_000)}`,
  '/nul': 'a\0b<title>\0</title>',
  '/empty': '',
  '/bomb': gzipSync(Buffer.alloc(50_000_000, 97)),
}

test('hostile pages are stored or refused in bounds, never a crash', async () => {
  await using server = await serve((request, response) => {
    const path = request.url ?? '/'
    const page = PAGES[path]
    response.setHeader('content-type', 'text/html')
    if (path === '/') {
      response.end(
        Object.keys(PAGES)
          .map((page) => `<a href="${page}">${page}</a>`)
          .join(''),
      )
    } else if (page === undefined) {
      response.writeHead(404).end()
    } else {
      if (typeof page !== 'string') response.setHeader('content-encoding', 'gzip')
      response.end(page)
    }
  })
  await using folder = await temporaryFolder()
  const seed = `http://127.0.0.1:${server.port}/`
  const args = ['crawl', seed, '--data', folder.path, '--delay', '0', '--quiet', '--max-depth', '1']
  const { code, stderr } = await jelajah(args).ended
  assert.equal(code, 0)
  assert.doesNotMatch(stderr, /died/)
  const states = new Map(
    readUrls(folder.path).map(({ url, state }) => [new URL(url).pathname, state]),
  )
  for (const path of Object.keys(PAGES)) {
    assert.ok(['stored', 'refused', 'duplicate'].includes(states.get(path) ?? ''), path)
  }
  assert.equal(
    states.get('/found'),
    'refused',
    'links of odd pages are known, here beyond the depth',
  )
})
