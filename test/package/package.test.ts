// The npm package as somebody gets it who has never seen the checkout: packed, installed into an empty folder
// without our environment, and run on both LTS lines of Node it is made for.
import assert from 'node:assert/strict'
import { execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { startSite } from '../../src/sample-web/server.ts'
import { createSite } from '../../src/sample-web/site.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const NODES = [
  join(import.meta.dirname, 'node_modules', 'node', 'bin', 'node'),
  join(ROOT, 'node_modules', 'node', 'bin', 'node'),
]
const { PATH = '', HOME = '' } = process.env
/** Where npm itself finds registry and certificates: it looks beside the Node that runs it, which may be ours. */
const NPM_ENV = Object.fromEntries(
  ['npm_config_globalconfig', 'npm_config_userconfig', 'npm_config_cache']
    .filter((name) => process.env[name] !== undefined)
    .map((name) => [name, process.env[name]]),
)
const run = promisify(execFile)

let folder = ''
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'jelajah-package-'))
  const env = { PATH, HOME, ...NPM_ENV }
  const { stdout } = await run('npm', ['pack', '--silent', '--pack-destination', folder], {
    cwd: ROOT,
    env,
  })
  const tarball = join(folder, stdout.trim().split('\n').at(-1) ?? '')
  const flags = [
    '--omit=optional',
    '--prefer-offline',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ]
  await run('npm', ['install', ...flags, tarball], { cwd: folder, env })
})
after(() => rm(folder, { recursive: true, force: true }))

const program = () => join(folder, 'node_modules', '.bin', 'jelajah')

/** With this Node as the only one on the PATH, and a home of its own. */
async function homeFor(node: string) {
  const home = await mkdtemp(join(folder, 'home-'))
  return { cwd: home, env: { PATH: `${dirname(node)}:/usr/bin:/bin`, HOME: home } }
}

test('the package has neither sources nor tests', async () => {
  const top = await readdir(join(folder, 'node_modules', 'jelajah'), { recursive: true })
  assert.deepEqual(
    top.filter((path) => /^(?!examples\/).*(?<!\.d)\.ts$|\.test\./.test(path)),
    [],
  )
})

test('npm finds the man page: it reads a list only', async () => {
  const at = join(folder, 'node_modules', 'jelajah')
  const { man } = JSON.parse(await readFile(join(at, 'package.json'), 'utf8'))
  assert.ok(Array.isArray(man))
  for (const file of man) assert.match(await readFile(join(at, file), 'utf8'), /^\.TH JELAJAH 1/im)
})

describe('it crawls the sample web to the truth, searches, draws and serves', {
  concurrency: 2,
}, () => {
  for (const node of NODES) {
    test(`on ${versionOf(node)}`, async () => {
      const where = await homeFor(node)
      const jelajah = async (...args: string[]) => (await run(program(), args, where)).stdout
      assert.match(await jelajah('demo', '--quiet'), /^Equal to the truth/m)
      const data = ['--data', 'jelajah-data/demo']
      const { total } = JSON.parse(await jelajah('search', 'health', '--json', ...data))
      assert.ok(total > 0)
      assert.match(
        await jelajah('graph', 'sites', '--format', 'html', ...data),
        /id="data">\{"kind":"sites"/,
      )
      assert.match(await jelajah('doctor', ...data), /node/)
      await servesTheDashboard(['serve', '--port', '0', '--json', ...data], where)
    })
  }
})

async function servesTheDashboard(args: string[], where: Awaited<ReturnType<typeof homeFor>>) {
  const server = spawn(program(), args, { ...where, stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(server, 'exit')
  try {
    const [line] = await once(createInterface(server.stdout), 'line')
    const { url } = JSON.parse(line)
    const page = await (await fetch(url)).text()
    const script = /src="([^"]+\.js)"/.exec(page)?.[1] ?? ''
    assert.equal((await fetch(new URL(script, url))).status, 200)
  } finally {
    server.kill('SIGTERM')
  }
  assert.deepEqual(await ended, [0, null])
}

test('a program that imports it crawls, gets pages and reads them back', async () => {
  await using served = await startSite(createSite({ seed: 4, pages: 6, hosts: 1 }))
  const options = { seeds: served.seeds, allowPrivate: true, delay: 0, contact: 'test' }
  const script = `import { crawl, openWorkspace, runCommand, VERSION } from 'jelajah'
    const said = []
    const code = await runCommand(['--version'], { write: async (text) => said.push(text), warn() {} })
    const data = process.argv[2]
    const urls = []
    for await (const { url } of crawl({ ...${JSON.stringify(options)}, data })) urls.push(url)
    const workspace = await openWorkspace(data)
    const read = await Array.fromAsync(workspace.urls({ state: 'stored' }))
    await workspace.close()
    const same = code === 0 && said.join('') === VERSION + '\\n'
    console.log(JSON.stringify([same, urls.length, read.length]))`
  await writeFile(join(folder, 'own.mjs'), script)
  for (const node of NODES) {
    const args = ['own.mjs', await mkdtemp(join(folder, 'data-'))]
    const { stdout, stderr } = await run(node, args, { cwd: folder, env: { PATH, HOME } })
    const [same, given, read] = JSON.parse(stdout)
    assert.deepEqual([same, given, stderr], [true, read, ''], versionOf(node))
    assert.ok(given > 1)
  }
})

test('a program in TypeScript knows its types', async () => {
  const program = (
    maxPages: string,
  ) => `import { crawl, type Ordering, type StoredPage } from 'jelajah'
    const run = crawl({ seeds: 'a.test', maxPages: ${maxPages} })
    export const deepest: Ordering = {
      name: 'deepest',
      about: 'most links from a seed first',
      rescoreOn: ['depth'],
      createScorer: () => ({ score: ({ depth }) => depth }),
    }
    export async function first(): Promise<StoredPage | null> {
      for await (const page of run) return page
      return null
    }`
  const tsc = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc')
  const flags = [
    '--module',
    'nodenext',
    '--target',
    'esnext',
    '--strict',
    '--noEmit',
    '--skipLibCheck',
  ]
  const types = ['--typeRoots', join(ROOT, 'node_modules', '@types'), '--types', 'node']
  const compile = async (text: string) => {
    await writeFile(join(folder, 'typed.mts'), text)
    const args = [tsc, ...flags, ...types, 'typed.mts']
    return run(process.execPath, args, { cwd: folder }).catch((error) => error)
  }
  assert.equal((await compile(program('3'))).stdout, '')
  assert.match((await compile(program("'many'"))).stdout, /'string' is not assignable/)
})

test('a Node that is too old is refused in one line that says what to do', async () => {
  const bin = join(folder, 'old')
  await mkdir(bin)
  await writeFile(join(bin, 'node'), '#!/bin/sh\necho v20.20.2\n')
  await chmod(join(bin, 'node'), 0o755)
  const env = { PATH: `${bin}:/usr/bin:/bin`, HOME: folder }
  const refused = await run(program(), ['--version'], { cwd: folder, env }).catch((error) => error)
  assert.equal(refused.code, 4)
  assert.match(refused.stderr, /^jelajah needs Node 22\.20 or newer, found v20\.20\.2\. .*npx.*\n$/)
})

function versionOf(node: string): string {
  return execFileSync(node, ['--version'], { encoding: 'utf8' }).trim()
}
