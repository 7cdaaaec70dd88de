// Who may import whom. The table is the architecture; changing it is a design change.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { test } from 'node:test'

const root = join(import.meta.dirname, '..', 'src')
const INTERFACES = ['frontier/*', 'store/*', 'search/*']

/** A folder alone allows all of it; `frontier/*` allows its own files but no folder below it. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  core: [],
  lib: [],
  ordering: ['core', 'lib', 'text', 'topic', 'graph'],
  topic: ['core', 'lib', 'text'],
  request: ['core', 'lib', 'ordering'],
  robots: ['core', 'lib'],
  text: ['core', 'lib'],
  graph: ['core', 'lib'],
  map: ['core', 'lib'],
  wire: ['core', 'lib'],
  db: ['lib', 'core/errors.ts', 'core/place-text.ts'],
  frontier: ['core', 'lib', 'ordering', 'graph'],
  store: ['core', 'lib'],
  search: ['core', 'lib', 'text'],
  scouter: ['core', 'lib', 'robots', 'wire', 'ordering', 'frontier/*'],
  parser: ['core', 'lib', 'text', 'topic', 'wire', 'ordering', 'store/*'],
  feed: ['core', 'lib', 'store/*'],
  indexer: ['core', 'lib', 'feed', 'wire', 'graph', ...INTERFACES],
  crawl: ['core', 'lib', 'wire', ...INTERFACES],
  simulate: ['core', 'lib', 'text', 'topic', 'graph', 'ordering', ...INTERFACES],
  api: ['core', 'lib', 'ordering', 'request', 'crawl', ...INTERFACES],
  export: ['core', 'lib', 'text', 'store/*', 'search/*'],
  cli: [
    'core',
    'lib',
    'ordering',
    'request',
    'simulate',
    'export/exporter.ts',
    'export/index.ts',
    'map',
  ],
  main: [
    'core',
    'lib',
    'ordering',
    'request',
    'robots',
    'text',
    'topic',
    'graph',
    'map',
    'wire',
    'db',
    'feed',
    'frontier',
    'store',
  ].concat(['search', 'scouter', 'parser', 'indexer', 'crawl', 'simulate', 'export', 'api', 'cli']),
  // It runs in a browser, from a bundle that a build makes: no folder has it in its list.
  dashboard: ['map', 'api/shapes'],
}
/** What the dashboard may only know the types of: at run time the browser gets answers of that shape. */
const ONLY_TYPES_IN_BROWSER = /^api\//
const WITH_ADAPTERS = ['frontier', 'store', 'search', 'scouter', 'crawl']
const ALL = '**/*.{ts,tsx}'
/** Files of src/main without tests. It only goes down: entry points belong there, and nothing else. */
const MAX_FILES_OF_MAIN = 142

test('every import goes down the table', () => {
  const breaches: string[] = []
  for (const file of globSync(ALL, { cwd: root })) {
    if (file.endsWith('.test.ts')) continue
    for (const target of importsOf(file)) {
      if (!allowed(file, target)) breaches.push(`${file} imports ${target}`)
    }
  }
  assert.deepEqual(breaches, [])
})

test('no file imports itself in a circle', () => {
  const done = new Set<string>()
  const visit = (file: string, path: readonly string[]): void => {
    assert.ok(!path.includes(file), `a circle: ${[...path, file].join(' → ')}`)
    if (done.has(file)) return
    for (const target of importsOf(file)) {
      if (!target.startsWith('..')) visit(target, [...path, file])
    }
    done.add(file)
  }
  for (const file of globSync(ALL, { cwd: root })) visit(file, [])
})

test('in the parser, what reads a page and what judges it know nothing of each other', () => {
  const reads = /^parser\/(?:html|about|parts|sitemap)\/(?!html-names\.ts)/
  const judges = /^parser\/(?:features|forest)\//
  for (const file of globSync('parser/*/*.ts', { cwd: root })) {
    const others = judges.test(file) ? reads : reads.test(file) ? judges : null
    if (others === null || file.endsWith('.test.ts')) continue
    const breaches = [...loadedBy(file)].filter((loaded) => others.test(loaded))
    assert.deepEqual(breaches, [], `${file} loads them`)
  }
})

test('the dashboard loads nothing in the browser that needs Node or the server', () => {
  const files = globSync(`dashboard/${ALL}`, { cwd: root }).filter((f) => !f.endsWith('.test.ts'))
  assert.ok(files.length > 0)
  const loaded = new Set(files.flatMap((file) => [file, ...loadedBy(file)]))
  const breaches = [...loaded].filter(
    (file) => ONLY_TYPES_IN_BROWSER.test(file) || /from 'node:/.test(textOf(file)),
  )
  assert.deepEqual(breaches, [])
})

test('only the build knows the dashboard', () => {
  const inSources = globSync(ALL, { cwd: root }).filter((file) => !file.startsWith('dashboard/'))
  const knowing = inSources.filter((file) =>
    importsOf(file).some((target) => target.startsWith('dashboard/')),
  )
  assert.deepEqual(knowing, [])
})

test('main has no more files than it had', () => {
  const files = globSync('main/**/*.ts', { cwd: root }).filter((f) => !f.endsWith('.test.ts'))
  assert.ok(
    files.length <= MAX_FILES_OF_MAIN,
    `src/main has ${files.length} files, more than the ${MAX_FILES_OF_MAIN} that are allowed. ` +
      'It is for entry points: put what a command does beside what it does it with, in the folder of ' +
      'that concept. The number in test/layers.test.ts only goes down: lower it when you move files out.',
  )
})

test('no word of TypeScript that needs a compiler and no default export', () => {
  for (const file of globSync(ALL, { cwd: root })) {
    assert.doesNotMatch(textOf(file), /^export default/m, file)
  }
})

/** All that is there at run time when the file is. */
function loadedBy(file: string, known = new Set<string>()): Set<string> {
  for (const target of importsOf(file, /^(?:import|export) type [^']+'[^']+'/gm)) {
    if (known.has(target)) continue
    known.add(target)
    loadedBy(target, known)
  }
  return known
}

function importsOf(file: string, passedOver?: RegExp): string[] {
  const whole = textOf(file)
  const text = passedOver === undefined ? whole : whole.replaceAll(passedOver, '')
  const found = [...text.matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)].map((match) => match[1]!)
  return found.map((path) => relative(root, join(root, dirname(file), path)))
}

function textOf(file: string): string {
  return readFileSync(join(root, file), 'utf8')
}

function allowed(file: string, target: string): boolean {
  if (target.startsWith('..')) return file.startsWith('main/')
  const [folder, inner] = file.split('/') as [string, string]
  const [targetFolder, targetInner, deeper] = target.split('/') as [string, string, string?]
  if (folder === targetFolder) {
    const adapter = adapterOf(folder, file)
    const other = adapterOf(folder, target)
    // One adapter never imports another, and an interface never its adapter.
    return other === null || adapter === other || inner === 'policy'
  }
  const list = MAY_IMPORT[folder] ?? []
  if (list.includes(targetFolder) || list.includes(target)) return true
  if (list.includes(`${targetFolder}/${targetInner}`)) return true
  if (list.includes(`${targetFolder}/*`)) return deeper === undefined || targetInner === 'policy'
  // Only an adapter folder may reach the database.
  return targetFolder === 'db' && adapterOf(folder, file) !== null
}

function adapterOf(folder: string, file: string): string | null {
  const [, inner, deeper] = file.split('/')
  return WITH_ADAPTERS.includes(folder) && deeper !== undefined && inner !== 'policy'
    ? inner!
    : null
}
