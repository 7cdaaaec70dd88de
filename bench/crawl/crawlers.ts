// The contestants: how each is started, and how to read back what it has stored.
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

export type Crawler = {
  readonly name: string
  /** Null when it can run, else why it cannot. */
  missing(): string | null
  command(seeds: readonly string[], work: string): readonly [string, ...string[]]
  /** URLs of the HTML pages that are durable after the crawl. */
  pages(work: string): ReadonlySet<string>
}

const ROOT = join(import.meta.dirname, '..', '..')
const NODE = join(ROOT, 'scripts', 'node')
/** Requests at once: over all hosts, and to one of them. */
const CONCURRENCY = 64
const PER_HOST = 16

export const jelajah: Crawler = {
  name: 'Jelajah',
  missing: () =>
    existsSync(join(ROOT, 'src', 'main', 'jelajah.ts')) ? null : 'src/main/jelajah.ts is not there',
  command: (seeds, work) => [
    'sh',
    join(ROOT, 'bin', 'jelajah'),
    'crawl',
    ...seeds,
    ...['--data', join(work, 'jelajah'), '--scope', 'host', '--delay', '0'],
    ...['--concurrency', `${CONCURRENCY}`, '--per-host', `${PER_HOST}`],
    ...['--max-pages', '1000000', '--max-body', '16777216', '--exclude', '**.txt'],
    ...['--json', '--quiet'],
  ],
  pages(work) {
    const db = new DatabaseSync(join(work, 'jelajah', 'jelajah.db'), { readOnly: true })
    try {
      const rows = db.prepare("SELECT url FROM pages WHERE content_type LIKE '%html%'").all()
      return new Set(rows.map((row) => pageOf(String(row.url))))
    } finally {
      db.close()
    }
  },
}

export const crawlee: Crawler = {
  name: 'Crawlee',
  missing: installCrawlee,
  command: (seeds, work) => [
    'sh',
    NODE,
    join(import.meta.dirname, 'crawlee.mjs'),
    JSON.stringify({
      seeds,
      storage: join(work, 'crawlee'),
      concurrency: { min: 16, max: CONCURRENCY },
    }),
  ],
  pages(work) {
    const folder = join(work, 'crawlee', 'datasets', 'default')
    const records = readdirSync(folder).filter((name) => /^\d+\.json$/.test(name))
    return new Set(records.map((name) => pageOf(urlOf(readFileSync(join(folder, name), 'utf8')))))
  },
}

function installCrawlee(): string | null {
  if (existsSync(join(import.meta.dirname, 'node_modules', '@crawlee', 'cheerio'))) return null
  process.stderr.write('Installing Crawlee into bench/crawl/node_modules …\n')
  const options = ['--no-audit', '--no-fund', '--loglevel=error']
  try {
    execFileSync('npm', ['ci', ...options], { cwd: import.meta.dirname, timeout: 300_000 })
    return null
  } catch (error) {
    return `npm could not install it: ${error instanceof Error ? error.message : error}`
  }
}

function urlOf(json: string): string {
  const record: unknown = JSON.parse(json)
  if (typeof record !== 'object' || record === null || !('url' in record)) return ''
  return String(record.url)
}

/** A static file is the same page whatever the query says. */
function pageOf(url: string): string {
  return url.replace(/[?#].*$/s, '')
}
