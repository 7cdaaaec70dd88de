import assert from 'node:assert/strict'
import {
  chmodSync,
  lchownSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'
import { closeFolder, refuseForeignFolder } from './close-folder.ts'
import { LocalWorkspace } from './local-workspace.ts'

const NOBODY = 65_534
const needsRoot = { skip: process.geteuid?.() !== 0 && 'only root can give files away' }
let above = ''
let dir = ''
beforeEach(() => {
  above = mkdtempSync(join(tmpdir(), 'jelajah-close-'))
  dir = join(above, 'data')
})
afterEach(() => rmSync(above, { recursive: true }))

function modeOf(path: string): number {
  return statSync(path).mode & 0o777
}

function openFolder(): readonly string[] {
  for (const name of ['run', 'frontier-2']) mkdirSync(join(dir, name), { recursive: true })
  const files = [
    ...['jelajah.db', 'jelajah.db-wal', 'frontier-1.db'],
    ...['frontier-2/division.json', 'frontier-2/partition-0.db'],
    ...['frontier-2/division.json.7-123', 'frontier-2/one.alive', 'frontier-2/one.alive.7.tmp'],
    ...['run/folder.lock', 'run/hosts.db', 'run/hosts.db-lock'],
  ]
  const paths = files.map((name) => join(dir, name))
  for (const path of paths) writeFileSync(path, '')
  for (const path of paths) chmodSync(path, 0o664)
  for (const name of ['', 'run', 'frontier-2']) chmodSync(join(dir, name), 0o777)
  return paths
}

test('a folder that was made open is closed with all that is in it, and that is said once', () => {
  const files = openFolder()
  assert.match(closeFolder(dir) ?? '', /was open to other users of this machine; it is closed now$/)
  for (const name of ['', 'run', 'frontier-2']) assert.equal(modeOf(join(dir, name)), 0o700)
  for (const path of files) assert.equal(modeOf(path), 0o600)
  assert.equal(closeFolder(dir), null)
})

test('a link to a data folder closes the folder', () => {
  openFolder()
  const link = join(above, 'link')
  symlinkSync(dir, link)
  assert.match(closeFolder(link) ?? '', /it is closed now$/)
  assert.equal(modeOf(dir), 0o700)
})

test('files that are open in a closed folder are closed without a word', () => {
  const [store = ''] = openFolder()
  chmodSync(dir, 0o700)
  assert.equal(closeFolder(dir), null)
  assert.equal(modeOf(store), 0o600)
})

test('what else a user keeps in the folder, and a file that a link leads to, keep their modes', () => {
  openFolder()
  const own = join(dir, 'notes.txt')
  const elsewhere = join(above, 'elsewhere.db')
  for (const path of [own, elsewhere]) writeFileSync(path, '')
  for (const path of [own, elsewhere]) chmodSync(path, 0o644)
  symlinkSync(elsewhere, join(dir, 'search.db'))
  closeFolder(dir)
  assert.deepEqual([modeOf(own), modeOf(elsewhere)], [0o644, 0o644])
})

test('a folder that holds other things keeps its readers, and loses those who could change it', () => {
  const [store = ''] = openFolder()
  writeFileSync(join(dir, 'index.html'), '')
  assert.match(closeFolder(dir) ?? '', /they cannot change it now$/)
  assert.deepEqual([modeOf(dir), modeOf(join(dir, 'run')), modeOf(store)], [0o755, 0o700, 0o600])
  assert.equal(closeFolder(dir), null)
})

test('databases, locks and folders of other programs in the folder keep their modes', () => {
  openFolder()
  mkdirSync(join(dir, 'node_modules'))
  const others = ['app.db', 'yarn.lock', 'run/app.lock', 'run/web.sock'].map((name) =>
    join(dir, name),
  )
  for (const path of others) writeFileSync(path, '')
  for (const path of others) chmodSync(path, 0o664)
  closeFolder(dir)
  assert.deepEqual(others.map(modeOf), [0o664, 0o664, 0o664, 0o664])
  assert.deepEqual([modeOf(dir), modeOf(join(dir, 'run'))], [0o755, 0o755])
})

test('a folder with databases and locks of other programs alone stays as it is', () => {
  mkdirSync(join(dir, 'run'), { recursive: true })
  const others = ['app.db', 'poetry.lock', 'run/app.lock'].map((name) => join(dir, name))
  for (const path of others) writeFileSync(path, '')
  for (const path of [dir, ...others]) chmodSync(path, 0o755)
  assert.equal(closeFolder(dir), null)
  for (const path of [dir, ...others]) assert.equal(modeOf(path), 0o755)
})

test('a folder without crawls in it stays as it is, with all that is in it and that it leads to', () => {
  const elsewhere = join(above, 'elsewhere')
  for (const path of [dir, elsewhere]) mkdirSync(path)
  symlinkSync(elsewhere, join(dir, 'run'))
  for (const path of ['log', 'elsewhere.db']) writeFileSync(join(dir, path), '')
  for (const path of [dir, elsewhere, join(dir, 'elsewhere.db')]) chmodSync(path, 0o755)
  assert.equal(closeFolder(dir), null)
  for (const path of [dir, elsewhere, join(dir, 'elsewhere.db')]) assert.equal(modeOf(path), 0o755)
})

test('a folder that is shared on purpose stays so; what is ours in it is closed', () => {
  const [store = ''] = openFolder()
  writeFileSync(join(dir, 'of-others'), '')
  chmodSync(dir, 0o1777)
  assert.equal(closeFolder(dir), null)
  assert.deepEqual([modeOf(dir), modeOf(store)], [0o777, 0o600])
})

test('an empty folder is closed when crawls are put into it, and not before', async () => {
  mkdirSync(dir)
  chmodSync(dir, 0o755)
  assert.equal(closeFolder(dir), null)
  assert.equal(modeOf(dir), 0o755)
  await using workspace = new LocalWorkspace({ data: dir, frontier: null })
  await workspace.make()
  assert.equal(modeOf(dir), 0o700)
})

test('a folder that is not there is nothing to close', () => {
  assert.equal(closeFolder(dir), null)
})

test('a folder is made for its owner alone, whatever the umask', async () => {
  const umask = process.umask(0)
  try {
    await using workspace = new LocalWorkspace({ data: dir, frontier: null })
    await workspace.make()
    await using _lock = await workspace.lock('folder')
    assert.deepEqual([modeOf(dir), modeOf(join(dir, 'run'))], [0o700, 0o700])
    assert.equal(modeOf(join(dir, 'run', 'folder.lock')), 0o600)
  } finally {
    process.umask(umask)
  }
})

test('what another user put into the folder is refused by name', needsRoot, () => {
  openFolder()
  lchownSync(join(dir, 'run', 'folder.lock'), NOBODY, NOBODY)
  assert.throws(() => refuseForeignFolder(dir), {
    code: 'store-unreachable',
    message: /folder\.lock belongs to another user \(number 65534\): remove it, or choose/,
  })
})

test(
  'root may work in the folder of a user, and what it makes there is that user’s',
  needsRoot,
  async () => {
    mkdirSync(dir, { mode: 0o700 })
    lchownSync(dir, NOBODY, NOBODY)
    await using workspace = new LocalWorkspace({ data: dir, frontier: null })
    await workspace.make()
    {
      await using _lock = await workspace.lock('folder')
      await using _jobs = await workspace.jobStore()
    }
    for (const name of ['run', 'run/folder.lock', 'jelajah.db']) {
      assert.equal(statSync(join(dir, name)).uid, NOBODY, name)
    }
    await workspace.make()
  },
)
