// A machine that lets a process have few files open: fewer connections, nothing else.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'
import { ROOT, readUrls, serve, temporaryFolder } from './crawling.ts'

type Ran = { readonly code: number | null; readonly stdout: string; readonly stderr: string }

/** Runs Node with at most so many files; `heard` is called when it says something on stderr. */
function runWith(files: number, args: readonly string[], heard = () => {}): Promise<Ran> {
  const line = `ulimit -n ${files}; exec "$@"`
  const node = [process.execPath, '--disable-warning=ExperimentalWarning']
  const child = spawn('sh', ['-c', line, 'sh', ...node, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, JELAJAH_CONTACT: 'test' },
  })
  let [stdout, stderr] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (chunk) => (stdout += chunk))
  child.stderr.setEncoding('utf8').on('data', (chunk) => {
    stderr += chunk
    heard()
  })
  return new Promise((resolve) => {
    child.once('close', (code) => resolve({ code, stdout, stderr }))
  })
}

test('with few files a crawl makes fewer connections, says so once, and loses nothing', async () => {
  await using folder = await temporaryFolder()
  await using web = await serve((request, response) => {
    if (request.url !== '/') return void response.writeHead(404).end()
    const text = `<title>${request.headers.host}</title><p>${request.headers.host} is here`
    setTimeout(() => response.setHeader('content-type', 'text/html').end(text), 20)
  })
  const seeds = Array.from({ length: 80 }, (_, n) => `http://h${n}.localhost:${web.port}/`)
  const flags = ['--data', folder.path, '--concurrency', '500', '--delay', '0', '--no-sitemaps']
  const main = join(ROOT, 'src', 'main', 'jelajah.ts')
  const { code, stderr } = await runWith(64, [main, 'crawl', ...seeds, ...flags, '--json'])
  assert.equal(code, 0, stderr)
  const warning = /warning: only 64 files may be open at once, so there are at most \d+ requests/g
  assert.equal(stderr.match(warning)?.length, 1, stderr)
  assert.doesNotMatch(stderr, /\n {4}at |EMFILE|died/)
  assert.deepEqual(
    readUrls(folder.path).filter(({ state }) => state !== 'stored'),
    [],
  )
})

test('with too few files to begin anything, that is said in one line', async () => {
  await using folder = await temporaryFolder()
  const main = join(ROOT, 'src', 'main', 'jelajah.ts')
  const args = ['crawl', 'http://localhost:9/', '--data', folder.path]
  const { code, stderr } = await runWith(40, [main, ...args])
  assert.deepEqual([code, stderr.split('\n').length], [1, 2], stderr)
  assert.match(stderr, /only 40 files may be open at once, .* ulimit -n 4096/)
})

test('a request that finds no file left was not sent, and is nobody’s failure', async () => {
  // Every file stays in use until somebody found none left.
  const crowd = Promise.withResolvers<void>()
  await using web = await serve((_request, response) => {
    void crowd.promise.then(() => response.end('ok'))
  })
  const kit = join(ROOT, 'test', 'support', 'fetch-kit.ts')
  const script = `
    import { fetchWith, openTestFetcher } from ${JSON.stringify(kit)}
    const fetcher = openTestFetcher({ allowPrivate: true, concurrency: 200 })
    const one = async (n) => {
      const told = await fetchWith(fetcher, 'http://h' + n + '.localhost:${web.port}/')
      if (told.crowded) console.error('crowded')
      return told
    }
    const all = await Promise.all(Array.from({ length: 200 }, (_, n) => one(n)))
    const told = all.map(({ outcome, crowded, reason }) => [outcome, crowded, reason].join(' ').trim())
    process.stdout.write([...new Set(told)].sort().join(', '))
    await fetcher[Symbol.asyncDispose]()`
  const args = ['--input-type=module', '-e', script]
  const { stdout, stderr } = await runWith(64, args, crowd.resolve)
  assert.equal(stdout, 'response, stale EMFILE', stderr)
})
