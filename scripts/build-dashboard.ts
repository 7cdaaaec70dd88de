// Builds the dashboard, the pages that are saved with data in them, and the search box for other sites. The settings are here and not in
// a file of vite's own, which would need a default export.
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
import { build, type InlineConfig } from 'vite'

const root = join(import.meta.dirname, '..')
const source = join(root, 'src', 'dashboard')
const target = join(root, 'dist', 'dashboard')
/** Entry points in `src/dashboard/saved`. */
const SAVED = ['map', 'report', 'experiment']

/** What the browser runs from outside of `src/dashboard`. */
const SHARED_SOURCES = ['map/**/*', 'core/languages.ts', 'lib/terminal.ts']

/** Changes with everything that the build is made from. */
function fingerprint(): string {
  const files = globSync(['dashboard/**/*', ...SHARED_SOURCES], { cwd: join(root, 'src') })
    .map((file) => join(root, 'src', file))
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

const SHARED = {
  configFile: false,
  root: source,
  logLevel: 'warn',
  publicDir: false,
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
} as const satisfies InlineConfig

/** How long a build takes depends on what else the machine does. */
const BUNDLE = { checks: { bundlerTimings: false } } as const

const BUILD = {
  emptyOutDir: true,
  modulePreload: { polyfill: false },
  chunkSizeWarningLimit: 1000,
  reportCompressedSize: false,
  target: 'es2022',
  rolldownOptions: BUNDLE,
} as const

async function buildDashboard(folder: string): Promise<void> {
  await build({
    ...SHARED,
    // The page may be served below a path: everything is found relative to it.
    base: './',
    worker: { format: 'es', rolldownOptions: BUNDLE },
    // The page has a strict content security policy: nothing may end up inline.
    build: { ...BUILD, outDir: folder, assetsInlineLimit: 0 },
  })
}

/** One file: script and style are in it, and a content policy that allows these two and nothing else. */
async function buildSavedPage(name: string): Promise<string> {
  const made = await build({
    ...SHARED,
    build: {
      ...BUILD,
      write: false,
      cssCodeSplit: false,
      rolldownOptions: {
        ...BUNDLE,
        input: join(source, 'saved', `${name}.tsx`),
        output: { format: 'iife', codeSplitting: false },
      },
    },
  })
  const files = [made].flat().flatMap((each) => ('output' in each ? each.output : []))
  const script = files.map((file) => (file.type === 'chunk' ? file.code : '')).join('')
  const style = files.map((file) => (file.type === 'asset' ? String(file.source) : '')).join('')
  if (/<\/script|<!--/i.test(script) || /<\/style/i.test(style)) {
    throw new Error(`the script or the style of ${name} would end its element`)
  }
  return pageOf(script, style)
}

/** A module for Node that draws figures as files. */
async function buildFigures(): Promise<string> {
  const made = await build({
    ...SHARED,
    build: {
      ...BUILD,
      write: false,
      rolldownOptions: {
        ...BUNDLE,
        input: join(source, 'saved', 'figures.tsx'),
        preserveEntrySignatures: 'strict',
        output: { format: 'es', codeSplitting: false },
      },
    },
  })
  const files = [made].flat().flatMap((each) => ('output' in each ? each.output : []))
  return files.map((file) => (file.type === 'chunk' ? file.code : '')).join('')
}

/** One script for pages of other sites. */
async function buildSearchBox(): Promise<string> {
  const made = await build({
    ...SHARED,
    build: {
      ...BUILD,
      write: false,
      rolldownOptions: {
        ...BUNDLE,
        input: join(source, 'search-box', 'search-box.ts'),
        output: { format: 'iife', codeSplitting: false },
      },
    },
  })
  const files = [made].flat().flatMap((each) => ('output' in each ? each.output : []))
  return files.map((file) => (file.type === 'chunk' ? file.code : '')).join('')
}

function pageOf(script: string, style: string): string {
  const policy = [
    "default-src 'none'",
    `style-src '${hashOf(style)}'`,
    `script-src '${hashOf(script)}'`,
    "base-uri 'none'",
    "form-action 'none'",
  ]
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy.join('; ')}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<meta name="generator" content="Jelajah">
<title>Jelajah</title>
<style>${style}</style>
</head>
<body>
<div id="app"></div>
<noscript>This page needs JavaScript. It fetches nothing and works without a network.</noscript>
<script type="application/json" id="data"><!--data--></script>
<script>${script}</script>
</body>
</html>
`
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`
}

const wanted = fingerprint()
if (builtFrom() !== wanted || process.argv.includes('--force')) {
  // Made aside and put in place whole: another build, or a server, may use it at the same time.
  const made = `${target}-${process.pid}`
  await buildDashboard(made)
  mkdirSync(join(made, 'saved'))
  for (const name of SAVED) {
    writeFileSync(join(made, 'saved', `${name}.html`), await buildSavedPage(name))
  }
  writeFileSync(join(made, 'saved', 'figures.js'), await buildFigures())
  writeFileSync(join(made, 'search.js'), await buildSearchBox())
  writeFileSync(join(made, '.stamp'), wanted)
  const before = `${made}-before`
  mkdirSync(target, { recursive: true })
  renameSync(target, before)
  renameSync(made, target)
  rmSync(before, { recursive: true, force: true })
}
