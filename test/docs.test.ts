// The documents name only files, headings, commands and flags that exist, and so do the pages of the site that is made of
// them. The generator itself is not needed here: `npm run docs -- --check` runs it, and all commands of the guides.
import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, dirname, join, normalize } from 'node:path'
import { test } from 'node:test'
import { missingLines, shownAs, stepsOf, typedCommands } from '../site/guide.ts'
import { referencePages } from '../site/reference.ts'
import { sidebarOf } from '../site/sidebar.ts'
import { anchorOf, stagePages } from '../site/stage.ts'
import { COMMANDS } from '../src/cli/commands.ts'

const root = join(import.meta.dirname, '..')
const DOCUMENTS = globSync(['*.md', '{docs,bench,clients,training,test}/**/*.md'], {
  cwd: root,
}).filter((file) => !file.includes('node_modules'))
const MAX_WORDS_OF_README = 900

const textOf = (file: string) => readFileSync(join(root, file), 'utf8')

test('every link of a document leads to a file and a heading that exist', () => {
  const broken: string[] = []
  for (const file of DOCUMENTS) {
    for (const [, path = '', anchor = ''] of textOf(file).matchAll(/\]\(([^)#\s]*)#?([^)]*)\)/g)) {
      if (/^[a-z]+:/.test(path)) continue
      const target = path === '' ? file : normalize(join(dirname(file), path))
      const leads = existsSync(join(root, target)) && (anchor === '' || hasHeading(target, anchor))
      if (!leads) broken.push(`${file}: ${path}${anchor === '' ? '' : `#${anchor}`}`)
    }
  }
  assert.deepEqual(broken, [])
})

test('every source file that a document names exists', () => {
  const sources = globSync('{src,bench,training,test,scripts,examples}/**/*.{ts,lua,sql}', {
    cwd: root,
    exclude: ['**/node_modules/**'],
  })
  const names = new Set(sources.map((source) => basename(source)))
  const missing: string[] = []
  for (const file of DOCUMENTS.filter((name) => name !== 'CHANGELOG.md')) {
    for (const [, name = ''] of textOf(file).matchAll(
      /`((?:[\w-]+\/)*[\w.-]+\.(?:ts|lua|sql))`/g,
    )) {
      if (names.has(name)) continue
      const places = [name, `src/${name}`, `src/parser/${name}`, join(dirname(file), name)]
      if (!places.some((place) => existsSync(join(root, place)))) missing.push(`${file}: ${name}`)
    }
  }
  assert.deepEqual(missing, [])
})

test('every flag that a document names is a flag of a command', () => {
  const help = globSync('test/golden/files/help/*.txt', { cwd: root }).map(textOf).join('\n')
  const flags = new Set(help.match(/--[a-z][a-z0-9-]*/g))
  const unknown: string[] = []
  for (const file of DOCUMENTS.filter((name) => /^(?:README|docs\/.*)\.md$/.test(name))) {
    for (const [, flag = ''] of textOf(file).matchAll(/`(--[a-z][a-z0-9-]*)/g)) {
      // `--job-…` stands for all flags that begin so.
      if (!flag.endsWith('-') && !flags.has(flag)) unknown.push(`${file}: ${flag}`)
    }
  }
  assert.deepEqual(unknown, [])
})

test('code is fenced: the site gives only fenced code a box that scrolls', () => {
  const indented = DOCUMENTS.filter((file) =>
    /\n\n {4}(?![-*\d])\S/.test(textOf(file).replaceAll(/^```.*?^```/gms, '')),
  )
  assert.deepEqual(indented, [])
})

test('every page of the site is in its sidebar, and its links lead to pages and headings', async () => {
  const openapi = JSON.parse(textOf('test/golden/files/openapi.json'))
  const { pages, files } = stagePages(await referencePages(openapi))
  const anchors = new Map(pages.map(({ path, text }) => [path, anchorsOf(text)]))
  const broken: string[] = []
  for (const { path, text } of pages) {
    for (const [, target = '', anchor = ''] of linksOf(text)) {
      if (/^(?:[a-z]+:|<)/.test(target)) continue
      const to = target === '' ? path : normalize(join(dirname(path), target))
      const isFile = files.has(to) || files.has(`public${target}`)
      const leads = isFile || (anchor === '' ? anchors.has(to) : anchors.get(to)?.has(anchor))
      if (!leads) broken.push(`${path}: ${target}#${anchor}`)
    }
  }
  assert.deepEqual(broken, [])
  const listed = sidebarOf(pages).flatMap(({ items }) => items.map(({ link }) => link))
  const hidden = pages.filter(({ path, source }) => {
    const link = `/${path.replace(/(?:index)?\.md$/, '')}`
    return source !== null && !path.startsWith('id/') && !listed.includes(link)
  })
  assert.deepEqual(hidden, [])
  assert.equal(new Set(listed).size, listed.length)
})

test('a page that no table names is in the sidebar all the same, beside others of its folder', () => {
  const { pages } = stagePages(new Map())
  const page = (path: string) => ({ path, source: `docs/${path}`, text: `# About ${path}` })
  const groups = sidebarOf([...pages, ...['new/1-one.md', 'new/2-two.md', 'ODD.md'].map(page)])
  const found = groups.flatMap(({ text: group, items }) =>
    items.filter(({ text }) => text.startsWith('About ')).map(({ text }) => `${group}: ${text}`),
  )
  const wanted = ['More: About ODD.md', 'New: About new/1-one.md', 'New: About new/2-two.md']
  assert.deepEqual(found, wanted)
})

test('what a guide shows is compared with what is printed, but for numbers and what it leaves out', () => {
  const text = '```sh\njelajah pages\n```\n\n```text\n3 pages in 2s\n…\n```\n'
  const [step] = stepsOf(text)
  assert.deepEqual(missingLines(step!.shown!, '14 pages in 1.5s\nmore\n'), [])
  assert.deepEqual(missingLines(step!.shown!, '14 hosts\n'), ['3 pages in 2s'])
  assert.equal(shownAs(step!.shown!, '14 pages\nmore\nand more\n'), '14 pages\n…\n')
})

test('the reference has every command and every option', async () => {
  const openapi = JSON.parse(textOf('test/golden/files/openapi.json'))
  const pages = await referencePages(openapi)
  for (const { name, load } of COMMANDS) {
    const { options, more } = (await load()).command
    const page = pages.get(`reference/commands/${name}.md`) ?? ''
    const shown = [...options, ...(more?.options ?? [])].filter(({ hidden }) => !hidden)
    const missing = shown.filter((option) => !page.includes(`-${option.name}`))
    assert.deepEqual(missing, [], name)
  }
  const described = [...pages].map(([, text]) => text).join('')
  for (const path of Object.keys(openapi.paths)) {
    assert.ok(described.includes(path.replaceAll('{', '\\{')), path)
  }
})

test('every command that a document shows is one of ours, with flags that it has', async () => {
  const flags = new Map<string, Set<string>>()
  for (const { name, load } of COMMANDS) {
    const { options, more } = (await load()).command
    const all = [...options, ...(more?.options ?? [])]
    const names = all.flatMap(({ name, aliases = [] }) => [name, `no-${name}`, ...aliases])
    flags.set(name, new Set([...names, 'help']))
  }
  const wrong: string[] = []
  for (const file of DOCUMENTS.filter((name) => /^(?:README|docs\/.*)\.md$/.test(name))) {
    const scripts = stepsOf(textOf(file)).map(({ script }) => script)
    for (const { name, flags: used } of scripts.flatMap(typedCommands)) {
      if (name === 'help') continue
      const known = flags.get(name)
      const unknown = used.filter((flag) => known?.has(flag) !== true)
      if (known === undefined || unknown.length > 0) wrong.push(`${file}: ${name} ${unknown}`)
    }
  }
  assert.deepEqual(wrong, [])
})

test('the lessons of the course have the same commands and outputs in both languages', () => {
  const lessons = (folder: string) => globSync(`${folder}/[1-6]-*.md`, { cwd: root }).sort()
  const [english, indonesian] = [lessons('docs/course'), lessons('docs/course/id')]
  assert.deepEqual([english.length, indonesian.length], [6, 6])
  for (const [nth, file] of english.entries()) {
    const parts = (name: string) =>
      stepsOf(textOf(name)).map(({ script, shown }) => [script, shown?.lines])
    assert.deepEqual(parts(indonesian[nth]!), parts(file), file)
  }
})

test('the README is short enough to be read', () => {
  const words = textOf('README.md').split(/\s+/).length
  assert.ok(words <= MAX_WORDS_OF_README, `it has ${words} words; move details to docs/`)
})

function hasHeading(file: string, anchor: string): boolean {
  return anchorsOf(textOf(file)).has(anchor)
}

function anchorsOf(text: string): ReadonlySet<string> {
  const headings = [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => anchorOf(heading))
  const named = [...text.matchAll(/<a id="([^"]+)">/g)].map(([, id = '']) => id)
  return new Set([...headings, ...named])
}

/** Links and pictures, but not in code. */
function linksOf(text: string) {
  const prose = text.replaceAll(/^```.*?^```/gms, '').replaceAll(/`[^`\n]*`/g, '')
  return prose.matchAll(/\]\(([^)#\s]*)#?([^)\s]*)\)/g)
}
