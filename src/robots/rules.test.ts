import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeRobots, MAX_ROBOTS_BYTES } from './robots-answer.ts'
import { parseRobots } from './rules.ts'

const rulesOf = (...lines: string[]) => parseRobots(lines.join('\n'), 'Jelajah')
const forAll = (...lines: string[]) => rulesOf('User-agent: *', ...lines)

function verdicts(rules: ReturnType<typeof parseRobots>, paths: readonly string[]): string[] {
  return paths.filter((path) => rules.allows(path))
}

test('an empty file, a file without rules and an HTML page allow everything', () => {
  for (const text of ['', '\n\n', '# nothing', '<!doctype html><title>Not found: /</title>']) {
    assert.equal(parseRobots(text, 'jelajah').allows('/any'), true, text)
  }
})

test('the longest match decides, and allow wins a tie', () => {
  const cases: readonly (readonly [readonly string[], string, boolean])[] = [
    [['Disallow: /a'], '/abc', false],
    [['Disallow: /a'], '/b', true],
    [['Disallow: /a', 'Allow: /a/b'], '/a/b/c', true],
    [['Allow: /a', 'Disallow: /a/b'], '/a/b/c', false],
    [['Disallow: /page', 'Allow: /page'], '/page', true],
    [['Allow: /p', 'Disallow: /'], '/page', true],
    [['Allow: /$', 'Disallow: /'], '/', true],
    [['Allow: /$', 'Disallow: /'], '/x', false],
    [['Allow: /page', 'Disallow: /*.htm'], '/page.htm', false],
    [['Disallow: /page', 'Allow: /*age'], '/page', true],
    [['Disallow:'], '/x', true],
    [['Disallow: /x?id='], '/x?id=1', false],
    [['Disallow: /x?id='], '/x', true],
    [['Disallow: private'], '/private', true],
  ]
  for (const [lines, path, allowed] of cases) {
    assert.equal(forAll(...lines).allows(path), allowed, `${lines.join('; ')} on ${path}`)
  }
})

test('stars stand for anything and a final dollar for the end', () => {
  const cases: readonly (readonly [string, readonly string[], readonly string[]])[] = [
    ['/*.php', ['/a.php', '/a.php?x', '/.php/b'], ['/a.ph', '/php']],
    ['/*.php$', ['/a.php', '/a.php.php'], ['/a.php?x', '/a.php5', '/.php/']],
    ['/fish*.php', ['/fish.php', '/fishheads/cat.php?x'], ['/Fish.php', '/fis.php']],
    ['/a*b*c$', ['/abc', '/a-b-c', '/abcbc'], ['/acb', '/ab', '/abcd']],
    ['/ab*b$', ['/abb', '/abab'], ['/ab']],
    ['*', ['/', '/x'], []],
    ['/*$', ['/', '/x'], []],
    ['/a$b', ['/a$b', '/a%24bc'], ['/a', '/ab']],
    ['/*?*sid=', ['/x?a=1&sid=2'], ['/sid=', '/x?a']],
  ]
  for (const [pattern, forbidden, allowed] of cases) {
    const rules = forAll(`Disallow: ${pattern}`)
    assert.deepEqual(verdicts(rules, [...forbidden, ...allowed]), allowed, pattern)
  }
})

test('escapes are compared in one spelling, reserved characters apart from their escapes', () => {
  const cases: readonly (readonly [string, string, boolean])[] = [
    ['/foo/bar/ツ', '/foo/bar/%E3%83%84', false],
    ['/foo/bar/%e3%83%84', '/foo/bar/%E3%83%84', false],
    ['/foo/bar/%62%61%7A', '/foo/bar/baz', false],
    ['/~mak', '/%7Emak/x', false],
    ['/a%2Fb', '/a/b', true],
    ['/a%2fb', '/a%2Fb', false],
    ['/x%2A', '/x*', false],
    ['/x%2A', '/xy', true],
    ['/x%24', '/x$', false],
    ['/a b', '/a%20b', false],
    ['/a|b', '/a%7Cb', false],
    ['/100%', '/100', true],
  ]
  for (const [pattern, path, allowed] of cases) {
    assert.equal(forAll(`Disallow: ${pattern}`).allows(path), allowed, `${pattern} on ${path}`)
  }
})

test('the groups that name us are merged and all others ignored', () => {
  const rules = rulesOf(
    'User-agent: *',
    'Disallow: /all',
    'User-agent: jelajah',
    'Disallow: /one',
    'User-agent: other',
    'Disallow: /other',
    'User-agent: another',
    'User-agent: JELAJAH/2.0 (x)',
    'Disallow: /two',
  )
  assert.deepEqual(verdicts(rules, ['/all', '/one', '/other', '/two']), ['/all', '/other'])
})

test('only the product token itself names us', () => {
  const names = ['jelajah', 'Jelajah/0.1', 'jelajahbot', 'jelajah-news', 'jela', 'x jelajah', '']
  const ours = names.filter((name) => !rulesOf(`User-agent: ${name}`, 'Disallow: /').allows('/x'))
  assert.deepEqual(ours, ['jelajah', 'Jelajah/0.1'])
})

test('a group that names us without a rule sets us free', () => {
  const rules = rulesOf('User-agent: *', 'Disallow: /', 'User-agent: jelajah')
  assert.equal(rules.allows('/x'), true)
})

test('unknown lines, sitemaps, blank lines and delays do not end a list of agents', () => {
  for (const between of [
    '',
    'Sitemap: /s.xml',
    'Host: example.com',
    'Crawl-delay: 1',
    'nonsense',
  ]) {
    const rules = rulesOf('User-agent: jelajah', between, 'User-agent: other', 'Disallow: /')
    assert.equal(rules.allows('/x'), false, between)
  }
})

test('rules before the first agent belong to nobody', () => {
  assert.equal(rulesOf('Disallow: /', 'User-agent: *', 'Disallow: /a').allows('/x'), true)
})

test('common slips in keys are forgiven', () => {
  const agents = [
    'user-agent: *',
    'USERAGENT:*',
    'user agent : *',
    'User-Agent *',
    '  user-agent: *',
  ]
  const rules = [
    'Disallow: /x',
    'dissallow:/x',
    'Dissalow : /x',
    'disalow: /x # why',
    'diasllow /x',
  ]
  for (const agent of agents) {
    for (const rule of rules) {
      assert.equal(rulesOf(agent, rule).allows('/x'), false, `${agent} / ${rule}`)
    }
  }
  assert.equal(forAll('Disallow /x and more').allows('/x'), true)
})

test('lines end in any of the three ways, and a byte order mark is skipped', () => {
  for (const end of ['\n', '\r', '\r\n']) {
    const text = `\ufeffUser-agent: *${end}Disallow: /x${end}${end}Allow: /x/y`
    assert.deepEqual(verdicts(parseRobots(text, 'jelajah'), ['/x', '/x/y', '/z']), ['/x/y', '/z'])
  }
})

test('a URL is judged by its path and query', () => {
  const rules = forAll('Disallow: /x', 'Disallow: /?q')
  const urls = [
    'http://h/x',
    'HTTPS://h:8443/x?y',
    'http://h?q=1',
    '/x#f',
    'http://x.test/',
    'http://h',
  ]
  assert.deepEqual(verdicts(rules, urls), ['http://x.test/', 'http://h'])
})

test('robots.txt itself may always be asked for', () => {
  assert.equal(forAll('Disallow: /').allows('/robots.txt'), true)
})

test('allowing an index page in a closed folder opens the folder page', () => {
  const rules = forAll('Disallow: /shop/', 'Allow: /shop/index.html')
  assert.deepEqual(verdicts(rules, ['/shop/', '/shop/index.html', '/shop/a']), [
    '/shop/',
    '/shop/index.html',
  ])
})

test('the delay of the agents above it is taken, the longest when there are several', () => {
  const cases: readonly (readonly [readonly string[], number | null])[] = [
    [['User-agent: *', 'Crawl-delay: 10'], 10_000],
    [['User-agent: *', 'Crawl-delay: 0.5'], 500],
    [['User-agent: *', 'Crawl-delay: .5'], 500],
    [['User-agent: *', 'Crawl-delay: 0'], 0],
    [['User-agent: *', 'crawl delay: 2', 'Crawl-delay: 1'], 2000],
    [['User-agent: *', 'Crawl-delay: -1'], null],
    [['User-agent: *', 'Crawl-delay: abc'], null],
    [['User-agent: *', 'Crawl-delay: 1e9'], null],
    [['User-agent: *', 'Crawl-delay: 9', 'User-agent: jelajah', 'Disallow: /x'], null],
    [['User-agent: x', 'Crawl-delay: 9', 'User-agent: jelajah', 'Disallow: /x'], null],
    [['User-agent: x', 'User-agent: jelajah', 'Crawl-delay: 9'], 9000],
    [['Crawl-delay: 9'], null],
  ]
  for (const [lines, ms] of cases)
    assert.equal(rulesOf(...lines).crawlDelayMs, ms, lines.join('; '))
})

test('sitemaps are collected from anywhere in the file, as written', () => {
  const rules = rulesOf(
    'Sitemap: http://a.test/S.xml',
    'user-agent: x',
    'site-map: /b.xml',
    'Sitemap:',
  )
  assert.deepEqual(rules.sitemaps, ['http://a.test/S.xml', '/b.xml'])
  const many = Array.from({ length: 2000 }, (_, i) => `Sitemap: /${i}`)
  assert.equal(rulesOf(...many).sitemaps.length, 1000)
})

test('what follows 500 KiB is not read, and neither is the line that is cut', () => {
  const filler = `# ${'x'.repeat(97)}\n`.repeat(MAX_ROBOTS_BYTES / 100)
  const late = `User-agent: *\nDisallow: /a\n${filler}Disallow: /b\n`
  assert.deepEqual(verdicts(parseRobots(late, 'jelajah'), ['/a', '/b']), ['/b'])
  const head = 'User-agent: *\nDisallow: /a\n'
  const cut = `${head}#${'x'.repeat(MAX_ROBOTS_BYTES - head.length - 14)}\nDisallow: /b/c/d/e`
  assert.deepEqual(verdicts(parseRobots(cut, 'jelajah'), ['/a', '/b']), ['/b'])
  const bytes = decodeRobots(Buffer.from('é'.repeat(MAX_ROBOTS_BYTES)))
  assert.equal(bytes, '')
})

test('bytes are read as UTF-8, by their byte order mark, or as windows-1252', () => {
  const text = 'User-agent: *\nDisallow: /é'
  const bigEndian = Buffer.from(`\ufeff${text}`, 'utf16le').swap16()
  const forms = [
    Buffer.from(text),
    Buffer.from(`\ufeff${text}`),
    Buffer.from(`\ufeff${text}`, 'utf16le'),
    bigEndian,
    Buffer.from(text, 'latin1'),
  ]
  for (const form of forms) {
    assert.equal(parseRobots(decodeRobots(form), 'jelajah').allows('/%C3%A9'), false)
  }
})

test('five thousand stars are matched like any pattern', () => {
  const path = `/${'a'.repeat(2000)}`
  assert.equal(forAll(`Disallow: /${'*a'.repeat(5000)}`).allows(path), true)
  assert.equal(forAll(`Disallow: /${'*a'.repeat(2000)}$`).allows(path), false)
  assert.equal(forAll(`Disallow: /${'*'.repeat(5000)}b`).allows(path), true)
})

test('a file whose patterns are made to be slow forbids what it would take too long to judge', () => {
  const slow = Array.from({ length: 20_000 }, (_, i) => `Disallow: *aaaaaaa${i}`)
  assert.equal(forAll(...slow).allows(`/${'a'.repeat(2000)}`), false)
  assert.equal(forAll(...slow).allows('/short'), true)
})

test('tens of thousands of rules give the verdict of the one that matches', () => {
  const rules = forAll(...Array.from({ length: 25_000 }, (_, i) => `Disallow: /d${i}/*.p$`))
  assert.deepEqual(verdicts(rules, ['/d17/x.p', '/d17/x.q', '/e17/x.p']), ['/d17/x.q', '/e17/x.p'])
})
