import assert from 'node:assert/strict'
import { test } from 'node:test'
import { idIn, pageFileName } from './text-corpus.ts'

test('a name says where the page is from, and has nothing in it that a file system minds', () => {
  const names: readonly (readonly [number, string, string])[] = [
    [7, 'https://example.com/News/Today.html', '000000/7-example.com-news-today.html.txt'],
    [12345, 'http://a.test/', '000012/12345-a.test.txt'],
    [3_000_000_001, 'http://a.test/x', '3000000/3000000001-a.test-x.txt'],
    [1, 'http://a.test/../../etc/passwd', '000000/1-a.test-.-.-etc-passwd.txt'],
    [1, 'http://con/', '000000/1-con.txt'],
    [1, 'http://a.test/C:%5Cx%00y%E2%80%AE', '000000/1-a.test-c-5cx-00y-e2-80-ae.txt'],
    [1, 'http://a.test/... ...', '000000/1-a.test.txt'],
    [1, 'http://xn--bcher-kva.test/bücher', '000000/1-xn-bcher-kva.test-b-cher.txt'],
  ]
  for (const [id, url, name] of names) assert.equal(pageFileName(id, url), name)
})

test('names are short whatever the URL is, and tell their number', () => {
  for (const url of [
    `http://a.test/${'x'.repeat(8000)}`,
    `http://a.test/${'..%00/'.repeat(900)}`,
  ]) {
    const name = pageFileName(123_456, url)
    assert.match(name, /^000123\/123456-[a-z0-9.-]*[a-z0-9]\.txt$/)
    assert.ok(name.length < 120, name)
    assert.equal(idIn(name), 123_456)
    assert.equal(idIn(`${name}.gz`), 123_456)
  }
  for (const other of ['index.tsv', 'en.txt', '000000/x.txt', '000000/1-a/../b.txt', 'x/1-a.txt']) {
    assert.equal(idIn(other), null, other)
  }
})
