// Serves the built site on this machine, crawls it, and serves the search over that crawl: the pages ask it through
// search.json, as docs/guides/site-search.md tells.
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readFileSync, rmSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import { extname, join, normalize } from 'node:path'
import { DIST } from './build.ts'
import { openJelajah, runJelajah } from './jelajah.ts'

const DATA = join(import.meta.dirname, '.search', 'docs')
/** One for each language of the site. Who reads English is not helped by the Indonesian pages; the others may need both. */
const CRAWLS: Readonly<
  Record<string, { readonly name: string; readonly flags: readonly string[] }>
> = {
  en: { name: 'docs', flags: ['--exclude', '/id/**', '--exclude', '/course/id/**'] },
  id: { name: 'docs-id', flags: [] },
}
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.txt': 'text/plain; charset=utf-8',
}

type SearchPlace = {
  readonly server: string
  readonly key: string
  /** The crawl that pages of a language search. */
  readonly crawls: Readonly<Record<string, string>>
}

/** Until Ctrl-C. */
export async function serveSite(port: number): Promise<void> {
  if (!existsSync(join(DIST, 'index.html'))) {
    throw new Error('the site is not built yet: leave --built out')
  }
  const stopped = Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')])
  let place: SearchPlace | null = null
  const site = createServer(({ url = '/' }, response) => {
    const { pathname } = new URL(url, 'http://127.0.0.1')
    const found = pathname === '/search.json' ? jsonOf(place) : fileAt(decodeURIComponent(pathname))
    response.writeHead(found === null ? 404 : 200, { 'content-type': found?.type ?? 'text/plain' })
    response.end(found?.body ?? 'not found\n')
  })
  await once(site.listen(port, '127.0.0.1'), 'listening').catch(() => {
    throw new Error(
      `port ${port} cannot be used: choose another with --port, or 0 for any free one`,
    )
  })
  const address = site.address()
  const origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : port}`
  rmSync(DATA, { recursive: true, force: true })
  for (const { name, flags } of Object.values(CRAWLS)) {
    const how = ['--name', name, '--data', DATA, '--delay', '0', '--index', ...flags]
    await runJelajah(['crawl', `${origin}/`, ...how])
  }
  const key = randomBytes(16).toString('hex')
  const crawls = Object.fromEntries(Object.entries(CRAWLS).map(([lang, { name }]) => [lang, name]))
  const names = Object.values(crawls).flatMap((name) => ['--public-crawl', name])
  const open = ['--public-search', origin, ...names]
  const flags = ['--port', '0', '--data', DATA, '--json', ...open]
  await using search = await openJelajah(['serve', ...flags], { JELAJAH_PUBLIC_KEY: key })
  place = { server: `${search.url}/`, key, crawls }
  process.stderr.write(`\nThe site: ${origin}/\nIts search: ${search.url}\nCtrl-C ends both.\n`)
  await stopped
  site.closeAllConnections()
  site.close()
}

type Found = { readonly type: string; readonly body: string | Buffer }

function jsonOf(place: SearchPlace | null): Found | null {
  return place && { type: 'application/json', body: JSON.stringify(place) }
}

/** A file of the site, and nothing else. */
function fileAt(pathname: string): Found | null {
  const wanted = normalize(join(DIST, pathname.endsWith('/') ? `${pathname}index.html` : pathname))
  if (!wanted.startsWith(`${DIST}/`) || !existsSync(wanted) || !statSync(wanted).isFile()) {
    return null
  }
  return { type: TYPES[extname(wanted)] ?? 'application/octet-stream', body: readFileSync(wanted) }
}
