import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { BadOptions } from '../../options/bad-options.ts'
import { parseParse } from './parse.ts'

const AROUND = { cwd: '/nowhere', env: {}, cores: 1 }
const parse = (...argv: string[]) => parseParse(argv, AROUND)

test('what to parse is a file, a URL or stdin', () => {
  assert.deepEqual(parse('a/page.html').source, {
    kind: 'file',
    path: '/nowhere/a/page.html',
    name: 'a/page.html',
  })
  assert.deepEqual(parse('file:///x/a%20b.html').source, {
    kind: 'file',
    path: '/x/a b.html',
    name: 'file:///x/a%20b.html',
  })
  assert.deepEqual(parse('HTTP://A.test').source, { kind: 'url', url: 'http://a.test/' })
  assert.deepEqual(parse('-').source, { kind: 'stdin' })
  assert.deepEqual(parse('--', '-x').source, { kind: 'file', path: '/nowhere/-x', name: '-x' })
})

test('a page can be given the address and the type it had', () => {
  const { url, contentType } = parse('-', '--url', 'a.test/p', '--content-type', 'text/plain')
  assert.deepEqual([url, contentType], ['https://a.test/p', 'text/plain'])
  assert.deepEqual([parse('-').url, parse('-').contentType], [null, null])
})

test('what makes no sense is refused, all of it at once', () => {
  const cases: [argv: string[], says: RegExp[]][] = [
    [[], [/give a file/]],
    [
      ['a', 'b', 'c'],
      [/b: .*too many/, /c: .*too many/],
    ],
    [['ftp://a.test/'], [/ftp:\/\/a.test/]],
    [['file://elsewhere/x'], [/no file on this machine/]],
    [
      ['http://a.test', '--url', 'http://b.test', '--content-type', 'x'],
      [/--url/, /--content-type/],
    ],
    [['-', '--url', 'mailto:x'], [/--url: needs an http/]],
    [
      ['-', '--parts', 'legs', '--timeout', 'soon'],
      [/--parts/, /--timeout/],
    ],
    [['-', '--depth', '3'], [/no such flag/]],
    [['-', '--markdown', '--parts', 'links'], [/--parts: .*add --json/]],
  ]
  for (const [argv, says] of cases) {
    const refused = (error: unknown) =>
      error instanceof BadOptions && error.byFlag && says.every((line) => line.test(error.message))
    assert.throws(() => parse(...argv), refused, argv.join(' '))
  }
})

test('Markdown and parts go together as JSON', () => {
  const { markdown, parts } = parse('-', '--markdown', '--parts', 'links', '--json')
  assert.deepEqual([markdown, parts], [true, ['links']])
})

test('how a crawl fetches counts here too, what it keeps does not', () => {
  const cwd = mkdtempSync(join(tmpdir(), 'jelajah-parse-'))
  try {
    const config = { 'user-agent': 'Mine/1', parts: 'none', max_pages: 3, delay: 5 }
    writeFileSync(join(cwd, 'jelajah.config.json'), JSON.stringify(config))
    const { settings, parts } = parseParse(['-', '--delay', '7'], { ...AROUND, cwd })
    assert.deepEqual([settings.userAgent, settings.delayMs, parts], ['Mine/1', 7, null])
  } finally {
    rmSync(cwd, { recursive: true })
  }
})

test('a password in the URL is not used, and that is said', () => {
  assert.match(parse('http://u:p@a.test/').warnings[0] ?? '', /not used/)
  assert.deepEqual(parse('me@home.html').warnings, [])
})
