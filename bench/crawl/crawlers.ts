// The contestants: how each is started, and how to read back what it has stored.
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

export type Crawler = {
  readonly name: string
  /** Its name on the command line. */
  readonly option: string
  /** Null when it can run, else why it cannot. */
  missing(): string | null
  command(seeds: readonly string[], work: string): readonly [string, ...string[]]
  /** What is durable after the crawl. */
  stored(work: string): Stored
}

export type Stored = {
  /** URLs of HTML pages. */
  readonly pages: ReadonlySet<string>
  /** Of their texts and titles, to show that both did the same work. */
  readonly characters: number
  /** Links of all pages; those of a page with the same content as another count for both. */
  readonly links: number
}

const ROOT = join(import.meta.dirname, '..', '..')
export const NODE = join(ROOT, 'scripts', 'node')
/** Requests at once: over all hosts, and to one of them. */
export const CONCURRENCY = 64
export const PER_HOST = 16

/** With the defaults of a user: everything that a page has is stored. */
export const jelajah = jelajahWith('Jelajah', 'jelajah', [])
/** Text and links, as the others store. */
export const jelajahLinks = jelajahWith('Jelajah, links only', 'links', ['--parts', 'links'])

function jelajahWith(name: string, option: string, flags: readonly string[]): Crawler {
  return {
    name,
    option,
    missing: () =>
      existsSync(join(ROOT, 'src', 'main', 'jelajah.ts'))
        ? null
        : 'src/main/jelajah.ts is not there',
    command: (seeds, work) => [
      'sh',
      join(ROOT, 'bin', 'jelajah'),
      'crawl',
      ...seeds,
      ...['--data', join(work, 'jelajah'), '--scope', 'host', '--delay', '0'],
      ...['--concurrency', `${CONCURRENCY}`, '--per-host', `${PER_HOST}`],
      ...['--max-pages', '1000000', '--max-body', '16777216', '--exclude', '**.txt'],
      ...['--json', '--quiet', ...flags],
    ],
    stored(work) {
      using db = new DatabaseSync(join(work, 'jelajah', 'jelajah.db'), { readOnly: true })
      const rows = db.prepare("SELECT url FROM pages WHERE content_type LIKE '%html%'").all()
      // The text and links of a copy are stored once, with the page that it repeats.
      const first = 'FROM pages p JOIN pages f ON f.id = coalesce(p.duplicate_of, p.id)'
      const characters = `SELECT sum(length(f.content_text) + length(p.title)) AS n ${first}`
      const links = `SELECT count(*) AS n ${first} JOIN page_links l ON l.page_id = f.id`
      return {
        pages: new Set(rows.map((row) => String(row.url))),
        characters: Number(db.prepare(characters).get()?.n),
        links: Number(db.prepare(links).get()?.n),
      }
    },
  }
}

export const crawlee: Crawler = {
  name: 'Crawlee',
  option: 'crawlee',
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
  stored(work) {
    const folder = join(work, 'crawlee', 'datasets', 'default')
    const pages = new Set<string>()
    let characters = 0
    let links = 0
    for (const name of readdirSync(folder).filter((file) => /^\d+\.json$/.test(file))) {
      const record: CrawleeRecord = JSON.parse(readFileSync(join(folder, name), 'utf8'))
      pages.add(record.url)
      characters += record.text.length + record.title.length
      links += record.links.length
    }
    return { pages, characters, links }
  },
}

/** What crawlee.mjs keeps of a page. */
type CrawleeRecord = {
  readonly url: string
  readonly title: string
  readonly text: string
  readonly links: readonly unknown[]
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
