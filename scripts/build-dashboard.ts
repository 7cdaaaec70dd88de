// Builds the dashboard. The settings are here and not in a file of vite's own, which would need a
// default export. The page has a strict content security policy: nothing may end up inline.
import { createHash } from 'node:crypto'
import {
  globSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { build } from 'vite'

const root = join(import.meta.dirname, '..')
const source = join(root, 'src', 'dashboard')
const target = join(root, 'dist', 'dashboard')

/** Changes with everything that the build is made from. */
function fingerprint(): string {
  // How maps are made is shared with the command line.
  const files = [source, join(root, 'src', 'map')]
    .flatMap((folder) => globSync('**/*', { cwd: folder }).map((file) => join(folder, file)))
    .filter((file) => statSync(file).isFile() && !file.endsWith('.test.ts'))
  const hash = createHash('sha256')
  for (const file of [...files.sort(), join(root, 'package-lock.json'), import.meta.filename]) {
    hash.update(`${file.slice(root.length)}\n`).update(readFileSync(file))
  }
  return hash.digest('hex')
}

function builtFrom(): string {
  try {
    return readFileSync(join(target, '.stamp'), 'utf8')
  } catch {
    return ''
  }
}

const wanted = fingerprint()
if (builtFrom() !== wanted || process.argv.includes('--force')) {
  // Made aside and put in place whole: another build, or a server, may be at it at the same time.
  const made = `${target}-${process.pid}`
  await build({
    configFile: false,
    root: source,
    // The page may be served below a path: everything is found relative to it.
    base: './/',
    logLevel: 'warn',
    publicDir: false,
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    worker: { format: 'es' },
    build: {
      outDir: made,
      emptyOutDir: true,
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      chunkSizeWarningLimit: 1000,
      reportCompressedSize: false,
      target: 'es2022',
    },
  })
  writeFileSync(join(made, '.stamp'), wanted)
  const before = `${made}-before`
  mkdirSync(target, { recursive: true })
  renameSync(target, before)
  renameSync(made, target)
  rmSync(before, { recursive: true, force: true })
}
