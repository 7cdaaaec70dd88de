// Which files of src/ one tiny page passes on its way through the program, and how many they are.
//
//   sh scripts/node scripts/count-files.ts
//
// A file counts when it has a function that is called at least once for every page, in whichever
// process or thread: those of the command line, the scouter and the parser are added up. V8 counts the
// calls (NODE_V8_COVERAGE). The program crawls a web of many pages, and one of a single page. Each page
// has one link, to the next, so none can be carried along in a batch with another: a page is known
// only when the one before was fetched, parsed, stored and settled. A function belongs to a page when
// the larger crawl calls it about once more, or more often, for each page that it has more. So what is done
// once for a run, a host or a connection does not count. What timers do does not count either: the
// single page is answered so late that both crawls take as long. Nor does what is only loaded, and
// what holds nothing but types or constants.
import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join, relative, sep } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const ROOT = join(import.meta.dirname, '..')
const SOURCES = `${pathToFileURL(join(ROOT, 'src')).href}/`
const MORE_PAGES = 60
/** Somewhat less is enough: while the single page is waited for, some questions are asked again. */
const MORE_CALLS = 0.8 * MORE_PAGES

type FunctionCalls = {
  readonly functionName: string
  readonly ranges: readonly { readonly startOffset: number; readonly count: number }[]
}
type Coverage = {
  readonly result: readonly { readonly url: string; readonly functions: readonly FunctionCalls[] }[]
}
type Chain = { readonly pages: number; readonly holdMs: number }
/** By file, then by function: how often it was called. */
type Calls = ReadonlyMap<string, ReadonlyMap<string, number>>

/** The files, relative to src/, sorted. */
export async function filesOfOnePage(): Promise<string[]> {
  const many = await measureCrawl({ pages: 1 + MORE_PAGES, holdMs: 0 })
  const one = await measureCrawl({ pages: 1, holdMs: many.tookMs })
  return [...many.calls]
    .filter(([file, functions]) => isForEachPage(functions, one.calls.get(file) ?? new Map()))
    .map(([file]) => relative(join(ROOT, 'src'), fileURLToPath(file)).replaceAll(sep, '/'))
    .sort()
}

function isForEachPage(
  ofMany: ReadonlyMap<string, number>,
  ofOne: ReadonlyMap<string, number>,
): boolean {
  return [...ofMany].some(([name, count]) => count - (ofOne.get(name) ?? 0) >= MORE_CALLS)
}

/** `tookMs`: between the first and the last request for a page. */
async function measureCrawl(chain: Chain): Promise<{ calls: Calls; tookMs: number }> {
  const folder = mkdtempSync(join(tmpdir(), 'jelajah-count-'))
  const web = await serveChain(chain)
  try {
    const coverage = join(folder, 'coverage')
    const { stored } = await crawl(web.url, { data: join(folder, 'data'), coverage })
    if (stored !== chain.pages) throw new Error(`${stored} of ${chain.pages} pages were stored`)
    return { calls: readCalls(coverage), tookMs: web.tookMs() }
  } finally {
    web.server.close()
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

async function serveChain({ pages, holdMs }: Chain) {
  const askedAt: number[] = []
  const server = createServer((request, response) => {
    const at = /^\/(\d*)$/.exec(request.url ?? '')
    if (at === null) return void response.writeHead(404).end()
    askedAt.push(performance.now())
    const next = Number(at[1]) + 1
    const link = next < pages ? `<a href="/${next}">page ${next}</a>` : ''
    const text = `<!doctype html><title>Page ${next}</title><p>This is page ${next}. ${link}`
    response.setHeader('content-type', 'text/html')
    setTimeout(() => response.end(text), holdMs)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  const tookMs = (): number => (askedAt.at(-1) ?? 0) - (askedAt[0] ?? 0)
  return { server, url: `http://127.0.0.1:${address.port}/`, tookMs }
}

async function crawl(
  url: string,
  { data, coverage }: { readonly data: string; readonly coverage: string },
): Promise<{ readonly stored: number }> {
  const flags = ['--delay', '0', '--no-sitemaps', '--parser-threads', '1', '--quiet', '--json']
  const args = [join(ROOT, 'bin', 'jelajah'), 'crawl', url, '--data', data, ...flags]
  const env = { ...process.env, NODE_V8_COVERAGE: coverage, JELAJAH_CONTACT: 'count-files' }
  const child = spawn('sh', args, { stdio: ['ignore', 'pipe', 'inherit'], env })
  let printed = ''
  child.stdout.setEncoding('utf8').on('data', (chunk) => (printed += chunk))
  const code = await new Promise((done) => child.once('close', done))
  if (code !== 0) throw new Error(`the crawl ended with exit code ${code}`)
  return JSON.parse(printed)
}

function readCalls(folder: string): Calls {
  const calls = new Map<string, Map<string, number>>()
  for (const name of readdirSync(folder)) {
    const { result }: Coverage = JSON.parse(readFileSync(join(folder, name), 'utf8'))
    for (const { url, functions } of result) {
      if (!url.startsWith(SOURCES)) continue
      const ofFile = calls.get(url) ?? new Map<string, number>()
      calls.set(url, ofFile)
      for (const { functionName, ranges } of functions) {
        const [whole] = ranges
        if (whole === undefined) continue
        const key = `${functionName} ${whole.startOffset}`
        ofFile.set(key, (ofFile.get(key) ?? 0) + whole.count)
      }
    }
  }
  return calls
}

if (import.meta.main) {
  const files = await filesOfOnePage()
  process.stdout.write(`${files.join('\n')}\n${files.length} files\n`)
}
