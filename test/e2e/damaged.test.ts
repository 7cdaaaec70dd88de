// Files that something else has damaged: every command says so in one line, with what to do, and none
// claims that all is well.
import assert from 'node:assert/strict'
import { chmodSync, cpSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, test } from 'node:test'
import { startSite } from '../../src/sample-web/server.ts'
import { createSite } from '../../src/sample-web/site.ts'
import { query, temporaryFolder } from './crawling.ts'
import { type End, runHere } from './in-process.ts'

const PAGE_BYTES = 4096
const all = new AsyncDisposableStack()
after(() => all.disposeAsync())

let seed = ''
let whole = ''
let bad = ''
let word = ''
before(async () => {
  const site = createSite({ seed: 3, hosts: [{ name: 'satu', pages: 25 }], meanBytes: 3_000 })
  const served = all.use(await startSite(site))
  const folder = all.use(await temporaryFolder())
  seed = served.seeds[0] ?? ''
  whole = join(folder.path, 'whole')
  bad = join(folder.path, 'bad')
  assert.equal((await crawl(whole)).code, 0)
  const [page] = query<{ title: string }>(join(whole, 'jelajah.db'), 'SELECT title FROM pages')
  word = page?.title.split(' ').at(-1) ?? ''
  assert.ok(totalOf(await runHere(['search', word, '--json', '--data', whole])) > 0)
  for (const name of ['jelajah.db', 'frontier-1.db', 'search.db']) {
    const db = new DatabaseSync(join(whole, name))
    db.exec('PRAGMA wal_checkpoint(TRUNCATE)')
    db.close()
  }
})

function crawl(dataDir: string): Promise<End> {
  const how = ['--delay', '0', '--allow-private', '--quiet', '--json']
  return runHere(['crawl', seed, '--data', dataDir, ...how])
}

function totalOf({ code, stdout, stderr }: End): number {
  assert.equal(code, 0, stderr)
  return JSON.parse(stdout).total
}

type Command = (dataDir: string) => readonly string[]
const READERS: Readonly<Record<string, Command>> = {
  crawls: () => ['crawls'],
  pages: () => ['pages', '--json'],
  urls: () => ['urls', '--json'],
  explain: () => ['explain', seed],
  search: () => ['search', word],
  rank: () => ['rank'],
  graph: () => ['graph', 'pages', '--format', 'json'],
  export: (dataDir) => ['export', '--format', 'ndjson', '--out', join(dataDir, 'out.ndjson')],
}

function copyWhole(): void {
  rmSync(bad, { recursive: true, force: true })
  cpSync(whole, bad, { recursive: true })
  chmodSync(bad, 0o700)
}

/** Runs a command on a copy in which one file is damaged. */
async function onDamaged(
  file: string,
  damage: (path: string) => void,
  args: readonly string[],
): Promise<End> {
  copyWhole()
  for (const suffix of ['-wal', '-shm']) rmSync(join(bad, `${file}${suffix}`), { force: true })
  damage(join(bad, file))
  return runHere([...args, '--data', bad])
}

function overwrite(path: string, from: number, end?: number): void {
  const bytes = readFileSync(path)
  bytes.fill(0xa5, from, end)
  writeFileSync(path, bytes)
}

const DAMAGES: Readonly<Record<string, (path: string) => void>> = {
  'with other bytes': (path) => overwrite(path, PAGE_BYTES + 64),
  'without its beginning': (path) => overwrite(path, 0, 100),
  'cut in half': (path) => truncateSync(path, Math.floor(readFileSync(path).length / 2)),
  'that is a text': (path) => writeFileSync(path, 'no database, but long enough '.repeat(200)),
  'that is empty': (path) => truncateSync(path, 0),
}

/** Overwrites the first page of a table. */
function inTable(table: string): (path: string) => void {
  const sql = `SELECT rootpage FROM sqlite_schema WHERE name = '${table}'`
  return (path) => {
    const [row] = query<{ rootpage: number }>(path, sql)
    assert.ok(row !== undefined, table)
    overwrite(path, (row.rootpage - 1) * PAGE_BYTES, row.rootpage * PAGE_BYTES)
  }
}

function assertTold({ code, stderr }: End, what: string): void {
  assert.equal(code, 8, `${what}: ${stderr}`)
  assert.equal(stderr.trimEnd().split('\n').length, 1, `${what}: ${stderr}`)
  assert.match(stderr, /^jelajah: .*\.db (is damaged|is empty|is missing).*\. [A-Z'].*\.$/m, what)
}

for (const [how, damage] of Object.entries(DAMAGES)) {
  test(`a store ${how} is reported in one line by every command`, async () => {
    for (const [name, args] of Object.entries(READERS)) {
      assertTold(await onDamaged('jelajah.db', damage, args(bad)), name)
    }
    const doctor = await onDamaged('jelajah.db', damage, ['doctor'])
    assert.equal(doctor.code, 1)
    assert.match(doctor.stdout, /^FAIL {2}stores .*jelajah\.db is (damaged|empty)/m)
  })

  test(`a frontier ${how} is reported in one line, and its pages are still read`, async () => {
    for (const name of ['urls', 'explain'] as const) {
      const end = await onDamaged('frontier-1.db', damage, READERS[name]?.(bad) ?? [])
      // An empty one may be one that is just being made.
      if (how !== 'that is empty') assertTold(end, name)
    }
    const pages = await onDamaged('frontier-1.db', damage, ['pages', '--json'])
    assert.equal(pages.code, 0, pages.stderr)
    assert.ok(pages.stdout.split('\n').length > 20)
  })

  test(`a search index ${how} is rebuilt`, async () => {
    assert.ok(totalOf(await onDamaged('search.db', damage, ['search', word, '--json'])) > 0)
  })
}

test('damage that comes to light with a row is reported as well, never with a stack', async () => {
  const tables = { pages: ['pages', 'explain', 'graph'], page_parts: ['graph', 'export', 'rank'] }
  for (const [table, names] of Object.entries(tables)) {
    for (const name of names) {
      assertTold(await onDamaged('jelajah.db', inTable(table), READERS[name]?.(bad) ?? []), name)
    }
  }
})

for (const [file, table] of [
  ['jelajah.db', 'page_parts'],
  ['frontier-1.db', 'robots'],
] as const) {
  test(`a finished crawl does not end well when ${table} of ${file} is damaged`, async () => {
    copyWhole()
    inTable(table)(join(bad, file))
    assertTold(await crawl(bad), table)
  })
}
