// What another user of the machine can do with the crawls of this one: nothing. A server and its crawl run
// with an open umask in a folder whose path everybody can walk; then a process of the user `nobody` tries.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, globSync, lstatSync, mkdirSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { startSite } from '../../src/sample-web/server.ts'
import { createSite } from '../../src/sample-web/site.ts'
import { temporaryFolder } from '../e2e/crawling.ts'
import { startServer, until } from '../e2e/serving.ts'

const NOBODY = 65_534
const TRY = join(import.meta.dirname, 'try.ts')

/** What worked; null where this machine has no way to be that user. */
function tryAs(user: number, paths: readonly string[], ...server: string[]): string[] | null {
  const { status, stdout } = spawnSync(process.execPath, [TRY, ...server], {
    ...{ uid: user, gid: user, cwd: '/', encoding: 'utf8', input: JSON.stringify(paths) },
    env: { PATH: process.env.PATH, NODE_NO_WARNINGS: '1' },
  })
  return status === 0 ? JSON.parse(stdout) : null
}

function whyNot(): string | false {
  if (process.geteuid?.() !== 0) return 'only root can become another user'
  return tryAs(NOBODY, []) === null && 'the user nobody cannot run Node here'
}

test('nobody can read, change, hold or speak to anything of a crawl', {
  skip: whyNot(),
}, async () => {
  await using above = await temporaryFolder()
  chmodSync(above.path, 0o755)
  const data = join(above.path, 'data')
  // As an earlier version made it.
  mkdirSync(join(data, 'run'), { recursive: true })
  for (const path of [data, join(data, 'run')]) chmodSync(path, 0o777)
  const site = createSite({
    seed: 3,
    hosts: [{ name: 'satu', pages: 30, language: 'id', style: 'news' }],
  })
  await using web = await startSite(site)
  const before = runFolders()
  const umask = process.umask(0)
  const server = await startServer(data, ['--allow-private']).finally(() => process.umask(umask))
  await using _server = server
  await server.crawl({ url: web.url('satu'), delay: 200, max_pages: 20 })
  const newRuns = () => runFolders().filter((path) => !before.includes(path))
  await until(async () => newRuns().some((path) => existsSync(join(path, 'control.sock'))))
  const runs = newRuns().filter((path) => existsSync(path))
  const owned = [data, ...allBelow(data)]
  const paths = [...owned, ...runs.flatMap((folder) => [folder, ...allBelow(folder)])]
  assert.ok(paths.some((path) => path.endsWith('.lock')))
  assert.ok(paths.some((path) => path.endsWith('control.sock')))
  assert.ok(paths.some((path) => path.endsWith('feed.sock')))
  assert.deepEqual(tryAs(NOBODY, paths, server.url), [])
  assert.equal((await server.ask('/crawl/crawl_1/overview')).status, 200)
  // The same tries by the owner work: they are able to fail.
  const verbs = new Set(tryAs(0, owned)?.map((line) => line.split(' ', 1)[0]))
  for (const verb of ['enter', 'make', 'read', 'write', 'lock', 'connect'])
    assert.ok(verbs.has(verb), verb)
})

function runFolders(): string[] {
  return globSync(join(tmpdir(), 'jelajah-run-*'))
}

function allBelow(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const paths = names.map((name) => join(folder, name))
  return paths.filter((path) => lstatSync(path, { throwIfNoEntry: false }) !== undefined)
}
