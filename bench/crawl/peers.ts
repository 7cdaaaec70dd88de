// Crawlers that are no part of this repository's dependencies, on the same task. Each is left out, with a word,
// where what it needs is not installed.
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CONCURRENCY, type Crawler, NODE, PER_HOST, type Stored } from './crawlers.ts'

const FOLDER = join(import.meta.dirname, 'peers')
/** Where Debian puts the sources of packages for Go. */
const GOPATH = '/usr/share/gocode'

function optionsFor(seeds: readonly string[], work: string): string {
  mkdirSync(work, { recursive: true })
  return JSON.stringify({ seeds, out: outOf(work), concurrency: CONCURRENCY, perHost: PER_HOST })
}

function outOf(work: string): string {
  return join(work, 'out.json')
}

/** Only the least: what is durable of its pages is a list of their URLs. */
export const lean: Crawler = {
  name: 'undici + htmlparser2',
  option: 'lean',
  missing: () => null,
  command: (seeds, work) => ['sh', NODE, join(FOLDER, 'lean.mjs'), optionsFor(seeds, work)],
  stored(work) {
    const { pages, characters, links } = JSON.parse(readFileSync(outOf(work), 'utf8'))
    return { pages: new Set(pages), characters, links }
  },
}

/** One walk over the DOM. */
export const go = goWith('Go, x/net/html', 'go', 'nodes.go', {
  path: 'golang.org/x/net/html',
  packages: 'golang-go and golang-golang-x-net-dev',
})
/** A selector for each thing, as programs on Colly have them. Colly itself is no package of Debian. */
export const goquery = goWith('Go, goquery', 'goquery', 'selectors.go', {
  path: 'github.com/PuerkitoBio/goquery',
  packages: 'golang-go and golang-github-puerkitobio-goquery-dev',
})

type Needs = { readonly path: string; readonly packages: string }

function goWith(name: string, option: string, reader: string, needs: Needs): Crawler {
  const binary = join(tmpdir(), `jelajah-bench-${option}-${process.pid}`)
  return {
    name,
    option,
    missing() {
      if (!existsSync(join(GOPATH, 'src', needs.path))) {
        return `it needs the Debian packages ${needs.packages}`
      }
      const env = { ...process.env, GO111MODULE: 'off', GOPATH, GOFLAGS: '' }
      try {
        const sources = [join(FOLDER, 'crawler.go'), join(FOLDER, reader)]
        execFileSync('go', ['build', '-o', binary, ...sources], { env, timeout: 300_000 })
        process.once('exit', () => rmSync(binary, { force: true }))
        return null
      } catch (error) {
        return `it cannot be built: ${error instanceof Error ? error.message : error}`
      }
    },
    command: (seeds, work) => [binary, optionsFor(seeds, work)],
    stored: readLines,
  }
}

export const scrapy: Crawler = {
  name: 'Scrapy',
  option: 'scrapy',
  missing: () => (python() === null ? 'it needs the Debian package python3-scrapy' : null),
  command: (seeds, work) => [
    python() ?? 'python3',
    join(FOLDER, 'spider.py'),
    optionsFor(seeds, work),
  ],
  stored: readLines,
}

/** The user's Python or the system's, whichever has Scrapy. */
function python(): string | null {
  const found = ['python3', '/usr/bin/python3'].find((name) => {
    const { status } = spawnSync(name, ['-c', 'import scrapy'], { timeout: 60_000 })
    return status === 0
  })
  return found ?? null
}

/** A JSON object per page and line. */
function readLines(work: string): Stored {
  const pages = new Set<string>()
  let characters = 0
  let links = 0
  // All lines of a long crawl would be no string any more.
  const bytes = readFileSync(outOf(work))
  for (let at = 0; at < bytes.length; ) {
    const found = bytes.indexOf('\n', at)
    const end = found < 0 ? bytes.length : found
    if (end > at) {
      const record = JSON.parse(bytes.toString('utf8', at, end))
      pages.add(record.url)
      characters += record.text.length + record.title.length
      links += record.links?.length ?? 0
    }
    at = end + 1
  }
  return { pages, characters, links }
}
