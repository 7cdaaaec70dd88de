// Writes the JavaScript of the package to dist/src: few files in place of a thousand modules, because Node looks for,
// opens and links each module, which costs more than the code in it. Whatever is imported on demand stays apart.
//
// Programs that start others by file name, and SQL and Lua that is read, stay where the sources have them.
import { globSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join, posix, relative } from 'node:path'
import { type OutputChunk, type Plugin, rolldown } from 'rolldown'

const ROOT = join(import.meta.dirname, '..')
const SRC = join(ROOT, 'src')
const OUT = join(ROOT, 'dist', 'src')
/** Sources, and what the build adds where it writes newer syntax in older words. */
const INSIDE = /^(?:\.|\0|@oxc-project\/runtime\/)/
const BESIDE = /moduleBeside\(import\.meta, '([^']+)'\)/g

/**
 * What a crawl loads until its first page: at once or, each name by itself, on demand. Modules that the same of them
 * load make one file, so a program opens few files and nothing that it does not need.
 */
const STARTS: readonly string[] = [
  'main/jelajah',
  'cli/crawl/crawl',
  'cli/crawl/run-crawl',
  'store/sqlite/sqlite-store',
  'frontier/sqlite/sqlite-url-states',
  'main/scouter',
  'frontier/sqlite/sqlite-frontier',
  'scouter/sqlite/sqlite-host-limiter',
  'main/parser',
  'store/sqlite/sqlite-page-store',
  'parser/thread-program',
  'workspace/folder/store-of-thread',
]

/** Entry points, and all that is started by file name. */
function programs(): Readonly<Record<string, string>> {
  const names = new Set(globSync('main/*.ts', { cwd: SRC }).map(withoutEnd))
  for (const file of globSync('**/*.ts', { cwd: SRC })) {
    if (file.endsWith('.test.ts')) continue
    for (const [, beside = ''] of readFileSync(join(SRC, file), 'utf8').matchAll(BESIDE)) {
      names.add(posix.join(dirname(file), beside))
    }
  }
  return Object.fromEntries([...names].map((name) => [name, fileOf(name)]))
}

function fileOf(name: string): string {
  return join(SRC, `${name}.ts`)
}

function withoutEnd(file: string): string {
  return file.replace(/\.ts$/, '')
}

/** The numbers of the STARTS that load a module. */
const startsOf = new Map<string, readonly number[]>()

const noteStarts: Plugin = {
  name: 'note-starts',
  buildEnd() {
    for (const [nth, name] of STARTS.entries()) {
      const seen = new Set<string>()
      const visit = (id: string): void => {
        if (seen.has(id)) return
        seen.add(id)
        const module = this.getModuleInfo(id)
        if (module === null || !id.startsWith(SRC)) return
        startsOf.set(id, [...(startsOf.get(id) ?? []), nth])
        module.importedIds.forEach(visit)
      }
      visit(fileOf(name))
    }
  },
}

/** `import.meta` of a source is that of a file where the source has its place. */
const MARK = /__PLACE__\("([^"]+)"\)(?:\.(\w+))?/g
const placed: Plugin = {
  name: 'placed',
  transform(code, id) {
    if (!code.includes('import.meta')) return null
    const place = relative(SRC, id).replace(/ts$/, 'js')
    return code.replaceAll('import.meta', `__PLACE__(${JSON.stringify(place)})`)
  },
  renderChunk(code, chunk) {
    return code.replaceAll(MARK, (_, place: string, property?: string) =>
      metaOf(posix.relative(posix.dirname(chunk.fileName), place), property),
    )
  },
}

function metaOf(path: string, property?: string): string {
  const url = `new URL(${JSON.stringify(path)}, import.meta.url)`
  const filename = `import.meta.dirname + ${JSON.stringify(`/${path}`)}`
  if (property === 'url') return `${url}.href`
  if (property === 'filename') return `(${filename})`
  if (property === 'dirname')
    return `(import.meta.dirname + ${JSON.stringify(`/${posix.dirname(path)}`)})`
  return `{ url: ${url}.href, filename: ${filename} }`
}

/**
 * An import of a module of Node makes a list of all that it has, for which Node loads what few use: 5 ms of processor
 * time in each thread of a crawl. Who asks for the module itself gets the few things that he names.
 */
const FROM_NODE = /^import (?:\{ ([^}]*) \}|([\w$]+)) from "(node:[\w/]+)";$/gm
const named: Plugin = {
  name: 'named-parts-of-node',
  renderChunk: (code) =>
    code.replaceAll(FROM_NODE, (_, names: string | undefined, whole: string, module: string) => {
      const wanted = names === undefined ? whole : `{ ${names.replaceAll(' as ', ': ')} }`
      return `const ${wanted} = globalThis.process.getBuiltinModule(${JSON.stringify(module)});`
    }),
}

const input = programs()
/**
 * A program waits for its work where it is loaded, and what it loads meanwhile must not be in the same file: it would
 * wait for the program.
 */
const programOf = new Map(Object.entries(input).map(([name, file]) => [file, name]))
const bundle = await rolldown({
  input,
  platform: 'node',
  // Node 22 does not know `using`.
  transform: { target: 'es2023' },
  // What one command loads on demand, another may need at once. How long a build takes depends on the machine.
  checks: { ineffectiveDynamicImport: false, bundlerTimings: false },
  preserveEntrySignatures: 'allow-extension',
  external: (id) => !INSIDE.test(id) && !id.startsWith(SRC),
  plugins: [noteStarts, placed, named],
})
rmSync(OUT, { recursive: true, force: true })
const { output } = await bundle.write({
  dir: OUT,
  format: 'es',
  comments: false,
  entryFileNames: '[name].js',
  chunkFileNames: 'shared/[name]-[hash].js',
  codeSplitting: {
    // The dependencies of a module have all its starts and maybe more: they are in another file, never in a circle.
    includeDependenciesRecursively: false,
    groups: [
      {
        debugName: 'programs and starts',
        name: (id) => {
          const program = programOf.get(id)
          if (program !== undefined) return `program-${posix.basename(program)}`
          const starts = startsOf.get(id)
          return starts === undefined ? null : `start-${starts.join('-')}`
        },
      },
    ],
  },
})
const chunks = output.filter((file): file is OutputChunk => file.type === 'chunk')
const bytes = chunks.reduce((sum, { code }) => sum + code.length, 0)
console.log(`${chunks.length} files, ${Math.round(bytes / 1024)} KiB`)
