// A client whose types are generated from /openapi.json: it must compile, what is wrong must not, and
// the compiled one must work against the real server.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { copyFileSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { type ServedSite, startSite } from '../../src/sample-web/server.ts'
import { createSite } from '../../src/sample-web/site.ts'
import { type Served, startServer } from '../e2e/serving.ts'

const here = import.meta.dirname
const run = promisify(execFile)
const folder = mkdtempSync(join(tmpdir(), 'jelajah-client-'))
const program = (path: string) => join(here, 'node_modules', path)
let site: ServedSite
let server: Served

before(async () => {
  site = await startSite(createSite({ seed: 4, pages: 40, hosts: 1 }))
  server = await startServer(join(folder, 'crawls'), ['--allow-private', '--delay', '0'])
  writeFileSync(join(folder, 'openapi.json'), (await server.ask('/openapi.json')).text)
  symlinkSync(join(here, 'node_modules'), join(folder, 'node_modules'))
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  for (const file of ['client.ts', 'wrong.ts']) copyFileSync(join(here, file), join(folder, file))
  const generator = program('openapi-typescript/bin/cli.js')
  await run(process.execPath, [generator, 'openapi.json', '-o', 'generated.ts'], { cwd: folder })
})

after(async () => {
  await server[Symbol.asyncDispose]()
  await site[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true, force: true })
})

test('a client with types from the document compiles, and reads a crawl of the real server', async () => {
  assert.equal(await compile('client.ts'), '')
  const { crawlAndRead } = await import(pathToFileURL(join(folder, 'client.ts')).href)
  const seed = site.seeds[0]!
  const told = await crawlAndRead(server.url, seed)
  assert.deepEqual(
    { ...told, links: told.links > 5, refused: told.refused >= 0, found: told.found > 0 },
    {
      status: 'completed',
      pages: 5,
      links: true,
      rows: 3,
      host: new URL(seed).host,
      refused: true,
      mapped: 5,
      found: true,
      refusedFields: ['max_pages', 'delay'],
    },
  )
})

test('what the document forbids does not compile', async () => {
  const complaints = await compile('wrong.ts')
  const lines = new Set([...complaints.matchAll(/^wrong\.ts\((\d+),/gm)].map(([, line]) => line))
  assert.equal(lines.size, 4, complaints)
})

/** What the compiler says; '' when all is well. */
async function compile(file: string): Promise<string> {
  const flags =
    '--noEmit --strict --target esnext --module nodenext --lib esnext,dom --skipLibCheck'
  const all = [...flags.split(' '), '--allowImportingTsExtensions', file]
  return run(process.execPath, [program('typescript/bin/tsc'), ...all], { cwd: folder }).then(
    () => '',
    ({ stdout }) => String(stdout),
  )
}
