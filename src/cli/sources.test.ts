import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'
import { parseCrawl } from './crawl/crawl.ts'
import { parseServe } from './serve/serve.ts'

let cwd = ''
let told: string[] = []
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'jelajah-notices-'))
  told = []
})
afterEach(() => rmSync(cwd, { recursive: true }))

const tell = (text: string) => void told.push(text)
const SEED = 'http://a.test/'

function write(files: { readonly config?: object; readonly env?: string }): void {
  if (files.config) writeFileSync(join(cwd, 'jelajah.config.json'), JSON.stringify(files.config))
  if (files.env) writeFileSync(join(cwd, '.env'), files.env)
}

async function crawl(argv: readonly string[], env: Record<string, string> = {}): Promise<void> {
  const around = { cwd, env, cores: 2, tell, readStdin: async () => '', checkTopic: () => {} }
  await parseCrawl([SEED, ...argv], around)
  // Told when all is read.
  await Promise.resolve()
}

test('what files of the folder set of some weight is reported in one line, without values', async () => {
  write({
    config: { proxy: ['http://u:s3cret@p:1'], connectTo: ['*.test=127.0.0.1:1'], max_pages: 5 },
    env: 'JELAJAH_DATA=./elsewhere\nCRAWL_DELAY_MS=5\n',
  })
  await crawl([])
  assert.equal(told.length, 1)
  assert.match(told[0] ?? '', /jelajah\.config\.json sets proxy, connect-to/)
  assert.match(told[0] ?? '', /\.env sets JELAJAH_DATA/)
  assert.ok(told[0]?.includes(cwd))
  assert.doesNotMatch(told[0] ?? '', /s3cret|elsewhere|max-pages|DELAY/)
})

test('what a flag or the environment says instead is not told, nor what changes nothing of weight', async () => {
  write({ config: { proxy: ['http://p:1'], delay: 5 }, env: 'JELAJAH_DATA=./elsewhere\n' })
  await crawl(['--proxy', 'http://own:1'], { JELAJAH_DATA: './mine' })
  assert.deepEqual(told, [])
})

test('a server says that a file set its token, and never the token', async () => {
  write({
    env: 'JELAJAH_TOKEN=0123456789abcdef0123\nHOST=127.0.0.2\n',
    config: { allow_private: true },
  })
  parseServe([], { cwd, env: {}, cores: 2, memoryBytes: 2 ** 33, tell })
  await Promise.resolve()
  assert.equal(told.length, 1)
  assert.match(told[0] ?? '', /\.env sets HOST, JELAJAH_TOKEN$/)
})

test('code that a file names is not run if another user may have written that file', async () => {
  write({ config: { plugin: ['./theirs.ts'] }, env: 'JELAJAH_ORDERING=./order.ts\n' })
  writeFileSync(join(cwd, 'theirs.ts'), 'throw new Error("was run")')
  for (const name of ['jelajah.config.json', '.env']) chmodSync(join(cwd, name), 0o666)
  await assert.rejects(crawl([]), (error: Error) => {
    const text = String(error.message)
    return (
      /config\.json: plugin/.test(text) && /JELAJAH_ORDERING/.test(text) && !/was run/.test(text)
    )
  })
})

test('a config file that is a program is not run if another user may have written it', async () => {
  const path = join(cwd, 'jelajah.config.ts')
  writeFileSync(path, 'throw new Error("was run")')
  chmodSync(path, 0o666)
  await assert.rejects(crawl([]), /jelajah\.config\.ts.*another user/)
})
