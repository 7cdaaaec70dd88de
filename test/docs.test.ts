// The documents name only files and headings that exist.
import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, dirname, join, normalize } from 'node:path'
import { test } from 'node:test'

const root = join(import.meta.dirname, '..')
const DOCUMENTS = globSync(['*.md', '{docs,bench,training,test}/**/*.md'], { cwd: root }).filter(
  (file) => !file.includes('node_modules'),
)
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
  const sources = globSync('{src,bench,training,test,scripts}/**/*.{ts,lua,sql}', {
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

test('the README is short enough to be read', () => {
  const words = textOf('README.md').split(/\s+/).length
  assert.ok(words <= MAX_WORDS_OF_README, `it has ${words} words; move details to docs/`)
})

function hasHeading(file: string, anchor: string): boolean {
  const headings = [...textOf(file).matchAll(/^#+ (.*)$/gm)].map(([, text = '']) =>
    text
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\- _]/gu, '')
      .replaceAll(' ', '-'),
  )
  return headings.includes(anchor) || textOf(file).includes(`<a id="${anchor}">`)
}
