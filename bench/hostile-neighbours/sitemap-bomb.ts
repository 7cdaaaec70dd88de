// What a healthy host gets in so many seconds: alone, and beside one of two pages whose robots.txt leads
// to a thousand sitemaps, each of which unpacks to 50 MB of empty entries. Told as well: how many of those
// were asked for, how long the crawl took to end after its time was up, and how long after SIGTERM.
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { type Answer, healthy, secondsGiven, sendPage, serve, tell } from './crawling.ts'

const SITEMAPS = 1000
/** Who has not ended by then is killed. */
const PATIENCE_MS = 60_000
const BOMB = gzipSync(`<urlset>${'<url></url>'.repeat(4_700_000)}</urlset>`)

type Ran = {
  /** Pages of the healthy host that were asked for while there was time. */
  readonly pages: number
  readonly sitemaps: number
  /** From the word to stop; null: it had to be killed. */
  readonly endedAfterMs: number | null
}

let pages = 0
let sitemaps = 0

const counted: Answer = (request, response) => {
  if (/^\/\d*$/.test(request.url ?? '')) pages += 1
  healthy(request, response)
}

const bomb: Answer = ({ url = '', headers: { host } }, response) => {
  if (url === '/robots.txt') {
    response.end(`User-agent: *\nAllow: /\nSitemap: http://${host}/index.xml\n`)
  } else if (url === '/index.xml') {
    const entries = Array.from(
      { length: SITEMAPS },
      (_, nth) => `<sitemap><loc>http://${host}/${nth}.xml.gz</loc></sitemap>`,
    )
    response.end(`<sitemapindex>${entries.join('')}</sitemapindex>`)
  } else if (url.endsWith('.xml.gz')) {
    sitemaps += 1
    response.writeHead(200, { 'content-type': 'application/gzip' }).end(BOMB)
  } else if (url === '/' || url === '/two') sendPage(response, `Page ${url}`, ['<a href="/two">'])
  else response.writeHead(404).end()
}

const seconds = secondsGiven(20)
const good = await serve(counted)
const bad = await serve(bomb)

/** `signals`: it is stopped by SIGTERM after so many seconds, and has no time limit. */
async function run(seeds: readonly string[], { signals = false } = {}): Promise<Ran> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-bomb-'))
  const program = process.env.JELAJAH ?? join(import.meta.dirname, '../../bin/jelajah')
  const args = [
    ...['crawl', ...seeds, '--data', folder, '--allow-private', '--delay', '20'],
    ...['--max-pages', '1000000', '--trap-budget', '1000000', '--json', '--quiet'],
    ...['--connect-to', `good.test=${good.at}`, '--connect-to', `bad.test=${bad.at}`],
    ...(signals ? [] : ['--duration', `${seconds}`]),
  ]
  pages = 0
  sitemaps = 0
  const child = spawn(program, args, { stdio: 'ignore' })
  const ended = new Promise<'ended'>((resolve) => child.once('exit', () => resolve('ended')))
  // From the first request on: what a start costs is another matter.
  while (pages === 0) await wait(20)
  await wait(1000 * seconds)
  const asked = { pages, sitemaps }
  const from = performance.now()
  if (signals) child.kill('SIGTERM')
  const how = await Promise.race([ended, wait(PATIENCE_MS, 'late', { ref: false })])
  const endedAfterMs = how === 'late' ? null : performance.now() - from
  child.kill('SIGKILL')
  await ended
  rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 })
  return { ...asked, endedAfterMs }
}

const shown = (ms: number | null): string =>
  ms === null ? `not within ${PATIENCE_MS / 1000} s` : `${(ms / 1000).toFixed(1)} s`

const both = ['http://good.test/', 'http://bad.test/']
const alone = await run(['http://good.test/'])
tell('a healthy host alone', alone.pages, alone.pages)
const beside = await run(both)
tell('beside a thousand sitemaps of 50 MB', beside.pages, alone.pages)
console.log(`sitemaps asked for: ${beside.sitemaps}`)
console.log(
  `ended after its time: alone ${shown(alone.endedAfterMs)}, beside ${shown(beside.endedAfterMs)}`,
)
const stopped = await run(both, { signals: true })
console.log(`ended after SIGTERM: ${shown(stopped.endedAfterMs)}`)
good.close()
bad.close()
