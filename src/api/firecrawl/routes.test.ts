import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InvalidInput } from '../../core/errors.ts'
import { compileGlob } from '../../core/glob.ts'
import { canonicalise } from '../../core/url.ts'
import { parseQuery } from '../../search/query.ts'
import { crawlBodyOf, formatsOf, readBody } from './requests.ts'
import { sitesOf } from './routes.ts'

test('a page of any of the domains is found', () => {
  const { all } = parseQuery(`${sitesOf(['a.test', 'b.test'])} tea`)
  const sites = all.find((terms) => terms.some(({ fields }) => fields?.includes('host')))
  assert.equal(all.length, 2)
  assert.equal(sites?.length, 2)
  assert.equal(sitesOf(undefined), '')
})

test('a field that every object has is refused as any other', () => {
  for (const name of ['constructor', 'toString']) {
    assert.throws(() => readBody({ [name]: 1 }, []), /is not done here: there is nothing like it/)
  }
})

test('a domain is a name of a host, and no query', () => {
  assert.throws(() => sitesOf(['a.test OR b']), InvalidInput)
})

test('a pattern of paths holds where the regular expression would', () => {
  const paths = [
    '/',
    '/blog',
    '/blog/',
    '/blog/a',
    '/en/blog/a',
    '/my-blog/a',
    '/blogs',
    '/a.html',
    '/a/b',
  ]
  const patterns = [
    '/blog',
    '/blog/.*',
    '^/blog/.*$',
    '^/blog',
    'blog/.+',
    '/blog$',
    '.*',
    '^.*/a$',
    '\\.html$',
  ]
  for (const pattern of patterns) {
    const { exclude } = crawlBodyOf({ url: 'https://a.test/', excludePaths: [pattern] }, 10)
    const glob = compileGlob(String(exclude))
    const found = paths.filter((path) =>
      glob.matches(canonicalise(path, 'https://a.test/') ?? assert.fail()),
    )
    assert.deepEqual(
      found,
      paths.filter((path) => new RegExp(pattern).test(path)),
      pattern,
    )
  }
  for (const pattern of ['(a|b)', '^blog', '', 7]) {
    const asked = { url: 'https://a.test/', includePaths: [pattern] }
    assert.throws(() => crawlBodyOf(asked, 10), /patterns here are plain paths/)
  }
})

test('what would change nothing here is refused, not left out', () => {
  const url = 'https://a.test/'
  assert.throws(() => formatsOf({ onlyMainContent: false }), { at: 'onlyMainContent' })
  assert.deepEqual(formatsOf({ onlyMainContent: false, formats: ['rawHtml'] }), ['rawHtml'])
  assert.throws(() => readBody({ skipTlsVerification: true }, []), { at: 'skipTlsVerification' })
  assert.throws(() => crawlBodyOf({ url, crawlEntireDomain: 'yes' }, 10), {
    at: 'crawlEntireDomain',
  })
  assert.throws(() => crawlBodyOf({ url, scrapeOptions: 5 }, 10), { at: 'scrapeOptions' })
  assert.throws(() => sitesOf('a.test'), { at: 'includeDomains' })
})

test('a crawl without a limit gets that of the server where it is lower than theirs', () => {
  assert.equal(crawlBodyOf({ url: 'https://a.test/' }, 50).max_pages, 50)
  assert.equal(crawlBodyOf({ url: 'https://a.test/' }, 1e7).max_pages, 10_000)
})
