// Who may import whom. The table is the architecture; changing it is a design change.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { test } from 'node:test'

const root = join(import.meta.dirname, '..', 'src')
/** A folder alone allows all of it; `frontier/*` allows its own files but no folder below it. */
const PORTS = ['frontier/*', 'store/*', 'search/*']
const RULES = [
  'core',
  'lib',
  'options',
  'fields',
  'ordering',
  'plugin',
  'topic',
  'text',
  'graph',
  'robots',
  'http',
]
const SERVICES = [...RULES, 'wire', 'workspace', 'feed', ...PORTS]

/** From the bottom to the top. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  lib: [],
  // A job carries its settings, whose type is that of the table of options.
  core: ['lib', 'options/table.ts'],
  text: ['core', 'lib'],
  graph: ['core', 'lib'],
  topic: ['core', 'lib', 'text'],
  cluster: ['core', 'lib', 'text'],
  ordering: ['core', 'lib', 'text', 'topic', 'graph'],
  options: ['core', 'lib', 'ordering'],
  // Rules that take values from pages.
  fields: ['core', 'lib', 'options'],
  // Modules of users, and what keeps a crawl safe from them.
  plugin: ['core', 'lib', 'ordering', 'options', 'export/exporter.ts'],
  wire: ['core', 'lib'],
  http: ['core', 'lib'],
  robots: ['core', 'lib', 'http'],
  map: ['core', 'lib'],
  db: ['lib', 'core/errors.ts', 'core/workspace-url.ts'],
  frontier: ['core', 'lib', 'ordering', 'graph'],
  store: ['core', 'lib', 'options'],
  search: ['core', 'lib', 'text', 'graph', 'feed', 'workspace/workspace.ts', 'store/*'],
  feed: ['core', 'lib', 'store/*'],
  scouter: ['core', 'lib', 'http', 'robots', 'wire', 'ordering', 'plugin', 'frontier/*'],
  parser: ['core', 'lib', 'text', 'topic', 'fields', 'wire', 'ordering', 'plugin', 'store/*'],
  // The port knows other ports; what opens it knows the adapters.
  workspace: ['core', 'lib', 'db', 'frontier', 'store', 'search', 'fleet', 'scouter'],
  // A crawl may be shared with a fleet, and who shares it ends it by the rules of a crawl.
  crawl: [...SERVICES, 'fleet', 'scouter', 'parser', 'search/index', 'db/sqlite-errors.ts'].concat(
    'db/postgres-schema.ts',
  ),
  fleet: [...SERVICES, 'crawl'],
  jobs: [...SERVICES, 'crawl', 'db/sqlite-errors.ts'],
  // Pages without a crawl are fetched and parsed as in one.
  reads: [...SERVICES, 'crawl', 'map', 'search/index', 'scouter', 'parser'],
  simulate: ['core', 'lib', 'text', 'topic', 'graph', 'ordering', 'options', ...PORTS],
  export: ['core', 'lib', 'text', 'store/*', 'search/*'],
  // What a program that imports the package has, and commands use too.
  library: [...SERVICES, 'parser', 'crawl', 'reads', 'export', 'search/index'].concat(
    'db/sqlite-errors.ts',
  ),
  'sample-web': ['core', 'lib', 'http'],
  // Grids of real and simulated crawls: it runs and reads crawls as other programs do.
  experiment: [...SERVICES, 'crawl', 'reads', 'map', 'simulate', 'library', 'sample-web'].concat([
    'frontier/engine',
    'frontier/memory',
    'db/lock.ts',
    'export/csv.ts',
  ]),
  api: [
    'core',
    'lib',
    'ordering',
    'options',
    'fields',
    'crawl',
    'jobs',
    'fleet',
    'reads',
    ...PORTS,
  ],
  cli: [...SERVICES, 'db', 'frontier', 'map', 'search/index', 'scouter', 'parser', 'crawl'].concat([
    'jobs',
    'fleet',
    'reads',
    'cluster',
    'simulate',
    'export',
    'library',
    'sample-web',
    'experiment',
    'api',
  ]),
  main: [...SERVICES, 'db/sqlite-errors.ts', 'search/index', 'scouter', 'parser', 'crawl'].concat([
    'library',
    'cli',
  ]),
  // It runs in a browser, from a bundle that a build makes: no folder has it in its list.
  dashboard: ['map', 'api/shapes', 'reads/shapes', 'simulate/report/report-data.ts'].concat(
    'experiment/report-data.ts',
    'core/languages.ts',
    'lib/terminal.ts',
  ),
}
/** What the dashboard may only know the types of: at run time the browser gets answers of that shape. */
const ONLY_TYPES_IN_BROWSER = /^(?:api|reads|simulate|experiment)\//
const WITH_ADAPTERS = ['frontier', 'store', 'search', 'scouter', 'fleet']
/** Folders inside a folder with adapters that are none. */
const NO_ADAPTER = [
  ...['policy', 'engine', 'partitions', 'limiter', 'index', 'segments', 'sql', 'batch'],
]
const ALL = '**/*.{ts,tsx}'
/** Files of src/main without tests. It only goes down: entry points belong there, and nothing else. */
const MAX_FILES_OF_MAIN = 5

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

test('the rules of the frontier know no database', () => {
  const engine = globSync('frontier/engine/*.ts', { cwd: root })
  assert.ok(engine.length > 0)
  for (const file of engine) {
    if (file.endsWith('.test.ts')) continue
    const adapters = importsOf(file).filter((target) => /^(?:db|frontier\/\w+)\//.test(target))
    const others = adapters.filter((target) => !/^frontier\/(?:engine|policy)\//.test(target))
    assert.deepEqual(others, [], file)
    assert.doesNotMatch(textOf(file), /node:sqlite|\b(?:SELECT|INSERT|UPDATE|DELETE) /, file)
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
  const [folder] = file.split('/') as [string]
  const [targetFolder, targetInner, deeper] = target.split('/') as [string, string, string?]
  if (folder === targetFolder) {
    const other = adapterOf(folder, target)
    // One adapter never imports another, and an interface never its adapter.
    return other === null || adapterOf(folder, file) === other
  }
  const list = MAY_IMPORT[folder] ?? []
  if ([targetFolder, `${targetFolder}/${targetInner}`, target].some((one) => list.includes(one)))
    return true
  if (list.includes(`${targetFolder}/*`)) return deeper === undefined || targetInner === 'policy'
  // Only an adapter folder may reach the database.
  return targetFolder === 'db' && adapterOf(folder, file) !== null
}

function adapterOf(folder: string, file: string): string | null {
  const [, inner, deeper] = file.split('/')
  const isAdapter = WITH_ADAPTERS.includes(folder) && deeper !== undefined
  return isAdapter && !NO_ADAPTER.includes(inner!) ? inner! : null
}
