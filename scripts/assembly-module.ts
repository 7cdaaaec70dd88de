// The WebAssembly module of the parser as a source file, and what it was compiled from.
import { execFileSync } from 'node:child_process'
import { hash } from 'node:crypto'
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '..')
const FOLDER = join(ROOT, 'assembly')
export const MODULE_FILE = join(ROOT, 'src', 'parser', 'assembly', 'module.ts')
/** The addresses of assembly/layout.ts, for the other side of the memory. */
export const LAYOUT_FILE = join(ROOT, 'src', 'parser', 'assembly', 'layout.ts')
const COMPILER = join(FOLDER, 'node_modules', 'assemblyscript', 'bin', 'asc.js')
const OPTIONS = [
  ...['-O3', '--noAssert', '--runtime', 'stub', '--enable', 'simd', '--enable', 'bulk-memory'],
  // The first kilobyte is a table that the loader writes (assembly/memory.ts).
  ...['--memoryBase', '1024', '--initialMemory', '1'],
]

/** Changes with every source, with the compiler and with its options. */
export function sourcesKey(): string {
  const names = globSync(['*.ts', 'package.json'], { cwd: FOLDER }).sort()
  const sources = names.map((name) => `${name}\n${readFileSync(join(FOLDER, name), 'utf8')}`)
  return hash('sha256', [...sources, ...OPTIONS].join('\n'), 'hex').slice(0, 16)
}

export function compileAssembly(): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'jelajah-assembly-'))
  try {
    const file = join(folder, 'module.wasm')
    execFileSync(process.execPath, [COMPILER, 'index.ts', ...OPTIONS, '-o', file], { cwd: FOLDER })
    return readFileSync(file)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

export function moduleSource(module: Buffer): string {
  return `// Made by scripts/build-assembly from assembly/. Not written by hand.

/** The sources, the compiler and its options: a test compares them. */
export const SOURCES_KEY = '${sourcesKey()}'

export const MODULE =
  '${module.toString('base64')}'
`
}

/** The same constants without the types of AssemblyScript. */
export function layoutSource(): string {
  const layout = readFileSync(join(FOLDER, 'layout.ts'), 'utf8')
  return `// Made by scripts/build-assembly. Not written by hand.\n${layout.replaceAll(': usize =', ' =')}`
}
