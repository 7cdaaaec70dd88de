// The shared crawls. Each is one run of the real program over the hosts of many cases and a healthy host beside them.
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { jelajah, query, type Run, readUrls, type UrlRow } from '../e2e/crawling.ts'
import type { CrawlName, HostileCase } from './case.ts'
import { http } from './expect.ts'
import { article, links, site } from './server/answers.ts'
import type { Request, Script } from './server/request.ts'
import type { Stage } from './stage.ts'

/** Hosts that are down are waited for in cases of their own; elsewhere a crawl goes on soon. */
export const IMPATIENT = ['--host-patience', '6']

const FLAGS: Readonly<Record<CrawlName, readonly string[]>> = {
  web: ['--delay', '0', '--timeout', '8000', '--retries', '0', '--concurrency', '120'],
  guard: [
    '--delay',
    '0',
    '--timeout',
    '6000',
    '--retries',
    '0',
    '--concurrency',
    '100',
    '--scope',
    'any',
  ],
  polite: ['--delay', '200', '--timeout', '8000', '--retries', '2', '--concurrency', '100'],
  traps: [
    ...[
      '--delay',
      '0',
      '--timeout',
      '8000',
      '--retries',
      '0',
      '--concurrency',
      '60',
      '--trap-budget',
      '40',
    ],
    ...['--host-budget', 'requests=300,barren=100', '--domain-budget', 'requests=450'],
  ],
  pages: ['--delay', '0', '--retries', '0', '--max-body', '33554432'],
  h2: ['--delay', '0', '--timeout', '6000', '--retries', '1', '--http2', '--concurrency', '100'],
}

export type PageRow = {
  readonly url: string
  readonly title: string | null
  readonly content_text: string | null
  readonly content_type: string | null
  readonly charset: string | null
  readonly canonical_url: string | null
  readonly size_bytes: number
  readonly truncated: number
  readonly noindex: number
  readonly duplicate_of: number | null
  readonly status_code: number
}

export type Seen = {
  readonly code: number | null
  readonly stderr: string
  // biome-ignore lint/suspicious/noExplicitAny: the summary is what a test looks into.
  readonly summary: any
  readonly data: string
  /** Of any process of the crawl, in MiB. */
  readonly peakMib: number
  readonly tookMs: number
  readonly urls: readonly UrlRow[]
  /** Connections that the guard should have prevented. */
  readonly trespasses: readonly string[]
  /** What became of a URL; fails where it is not known. */
  url(url: string): UrlRow
  find(url: string): UrlRow | undefined
  page(url: string): PageRow
  pages(host: string): readonly PageRow[]
  /** Requests to this host but for robots.txt. */
  asked(host: string): readonly Request[]
  links(url: string): readonly string[]
}

const HEALTHY_PAGES = 25

function healthySite(host: string): Script {
  const paths: Record<string, string> = {}
  for (let n = 0; n < HEALTHY_PAGES; n++) {
    const next = [2 * n + 1, 2 * n + 2]
      .filter((m) => m < HEALTHY_PAGES)
      .map((m) => `/${'abcdefghijklmnopqrstuvwxyz'[m]}`)
    paths[n === 0 ? '/' : `/${'abcdefghijklmnopqrstuvwxyz'[n]}`] = article(
      `${host} ${'abcdefghijklmnopqrstuvwxyz'[n]}`,
      links(...next),
    )
  }
  return site(paths)
}

/** Runs the crawl of that name over the web of these cases. */
export async function runCrawl(
  name: CrawlName,
  cases: readonly HostileCase[],
  stage: Stage,
): Promise<Seen> {
  const healthy = `healthy-${name}.test`
  const mine = cases.flatMap(({ web }) => (web?.crawl === name ? [web] : []))
  stage.web.host({ [healthy]: healthySite(healthy) })
  for (const { hosts, names } of mine) {
    stage.web.host(hosts)
    if (names !== undefined) stage.names?.add(names)
  }
  const seeds = mine.flatMap((web) => web.seeds ?? http(...Object.keys(web.hosts)))
  const seedFile = join(stage.folder, `${name}.seeds`)
  writeFileSync(seedFile, [`http://${healthy}/`, ...seeds].join('\n'))
  const data = join(stage.folder, name)
  const flags = [
    ...FLAGS[name],
    ...IMPATIENT,
    ...stage.reach,
    '--max-pages',
    '100000',
    '--json',
    '--quiet',
  ]
  const begun = performance.now()
  const connections = stage.web.connections.length
  const run = jelajah(['crawl', '--seed-file', seedFile, '--data', data, ...flags], {
    env: stage.env,
  })
  const memory = watchMemory(run.process.pid ?? 0)
  const { code, stdout, stderr } = await withinTime(run)
  const tookMs = performance.now() - begun
  const peakMib = memory()
  checkHealth({ code, stderr, stdout })
  const urls = readUrls(data)
  const trespasses = stage.trespasses(connections)
  const seen = look(
    { name, code, stderr, summary: JSON.parse(stdout), data, peakMib, tookMs, urls, trespasses },
    stage,
  )
  const unsettled = urls.filter(({ state }) => state === 'queued' || state === 'leased')
  assert.deepEqual(unsettled.slice(0, 3), [], `${unsettled.length} URLs have no end`)
  const well = seen.pages(healthy).length
  assert.equal(
    well,
    HEALTHY_PAGES,
    `the healthy host beside them got ${well} of its ${HEALTHY_PAGES} pages`,
  )
  return seen
}

/** A crawl that does not end by itself is a failure, not a reason to wait. */
export async function withinTime(run: Run, seconds = 150): ReturnType<typeof waitFor> {
  const timer = setTimeout(() => run.process.kill('SIGTERM'), seconds * 1000)
  const force = setTimeout(() => run.process.kill('SIGKILL'), (seconds + 15) * 1000)
  try {
    return await waitFor(run)
  } finally {
    clearTimeout(timer)
    clearTimeout(force)
  }
}

async function waitFor(run: Run): Promise<Awaited<Run['ended']>> {
  return await run.ended
}

/** Whatever happened: an exit code of ours, and nothing that only a developer reads. */
export function checkHealth({
  code,
  stderr,
  stdout,
}: {
  code: number | null
  stderr: string
  stdout: string
}): void {
  assert.ok(
    code !== null && [0, 1, 11, 12, 15].includes(code),
    `exit code ${code}: ${stderr.slice(0, 300)}`,
  )
  assert.doesNotMatch(`${stdout}${stderr}`, /^\s+at .+:\d+:\d+\)?$/m, 'a stack trace was printed')
  assert.doesNotMatch(stderr, /unhandled|\bdied\b|heap out of memory/i)
}

function look(
  {
    name,
    data,
    urls,
    ...ran
  }: Omit<Seen, 'url' | 'find' | 'page' | 'pages' | 'asked' | 'links'> & { name: CrawlName },
  stage: Stage,
): Seen {
  const byUrl = new Map(urls.map((row) => [row.url, row]))
  const db = join(data, 'jelajah.db')
  const rows = query<PageRow>(
    db,
    `SELECT url, title, content_text, content_type, charset, canonical_url, size_bytes, truncated,
            noindex, duplicate_of, status_code FROM pages`,
  )
  const pages = new Map(rows.map((row) => [row.url, row]))
  const hostOf = (url: string): string => new URL(url).hostname
  return {
    ...ran,
    data,
    urls,
    find: (url) => byUrl.get(url),
    url: (url) => byUrl.get(url) ?? assert.fail(`${url} is not known to the crawl ${name}`),
    page: (url) => {
      const { state, reason } = byUrl.get(url) ?? { state: 'unknown', reason: '' }
      return pages.get(url) ?? assert.fail(`${url} was not stored: ${state} ${reason}`)
    },
    pages: (host) => rows.filter(({ url }) => hostOf(url) === host),
    asked: (host) => stage.web.requestsTo(host).filter(({ target }) => target !== '/robots.txt'),
    links: (url) =>
      query<{ url: string }>(
        db,
        `SELECT l.url FROM page_links l JOIN pages p ON p.id = l.page_id WHERE p.url = '${url.replaceAll("'", "''")}'`,
      ).map((row) => row.url),
  }
}

/** Looks at the crawl's processes now and then; tells the most that one of them had. */
export function watchMemory(pid: number): () => number {
  let peak = 0
  const look = (): void => {
    for (const one of [pid, ...childrenOf(pid)]) {
      const kib = Number(/VmHWM:\s+(\d+)/.exec(readProc(one, 'status'))?.[1] ?? 0)
      peak = Math.max(peak, kib / 1024)
    }
  }
  const timer = setInterval(look, 300)
  return () => {
    clearInterval(timer)
    return Math.round(peak)
  }
}

export function childrenOf(pid: number): number[] {
  return readProc(pid, `task/${pid}/children`).split(' ').filter(Boolean).map(Number)
}

function readProc(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8')
  } catch {
    return ''
  }
}
