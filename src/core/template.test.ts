import assert from 'node:assert/strict'
import { test } from 'node:test'
import { templateOf } from './template.ts'
import { canonicalise } from './url.ts'

const template = (path: string) => templateOf(canonicalise(`http://a.test${path}`)!)

test('a URL without a variable part belongs to its folder, and a deep one to all below', () => {
  const cases = {
    '/': '/*',
    '/about': '/*',
    '/N': '/*',
    '/blog/how-to-cook-rice': '/blog/*',
    '/a/b.html': '/a/*',
    '/wiki/%E4%B8%AD%E6%96%87': '/wiki/*',
    '/d/facadefacade': '/d/*',
    '/a/b/c': '/a/b/*',
    '/a/b/c/d': '/a/b/**',
    '/a/b/b/a/b/a/a/b': '/a/b/**',
  }
  for (const [path, key] of Object.entries(cases)) {
    assert.deepEqual(template(path), { key, isSeries: false, pairs: [], turnsPage: false }, path)
  }
})

test('numbered, dated and named pages share a template', () => {
  const cases = {
    '/p/123': '/p/N',
    '/p/4': '/p/N',
    '/item-12.html': '/item-N.html',
    '/page12': '/pageN',
    '/d/3f2504e04f89': '/d/H',
    '/d/3F2504E0-4F89-11D3-9A0C-0305E82C3301': '/d/H',
    '/d/3f2504e04f8911d39a0c0305e82c3301/edit': '/d/H/edit',
    '/watch/dQw4w9WgXcQ': '/watch/H',
    '/d/123456789012': '/d/N',
    '/2024/05/12/how-to-cook-rice': '/D/S',
    '/2024/05/12/rice': '/D/rice',
    '/2024/05/12/12345': '/D/N',
    '/2024/05/page/3': '/D/page/N',
    '/news/12345/how-to-cook-rice': '/news/N/S',
    '/news/12345-how-to-cook-rice': '/news/S',
    '/news/12345-rice': '/news/N-rice',
    '/12/vitamin-D': '/N/vitamin-D',
    '/12/%E4%B8%AD%E6%96%87': '/N/%E4%B8%AD%E6%96%87',
    '/archive/2024': '/archive/N',
    '/2024/13': '/N/N',
    '/1/2/3': '/N+',
    '/1/2/3/4/5': '/N+',
    '/12024-05-12': '/N-N-N',
    '/mp3/v2/x': '/mpN/vN/x',
    '/2024/05': '/D',
    '/cal/2024/5/': '/cal/D/',
    '/cal/2024/05/12': '/cal/D',
    '/cal/2024/05/12.html': '/cal/D.html',
    '/cal/2024/05/12/index.html': '/cal/D/index.html',
    '/cal/2024-05-12': '/cal/D',
    '/cal/2024_05/': '/cal/D/',
    '/cal/20240512': '/cal/D',
    '/archive-2024-05.html': '/archive-D.html',
    '/a;jsessionid=1F0C': '/a;sid',
    '/s/sid=abc/page': '/s/;sid/page',
    '/(S(lit3py55t21z5v55vlm25s55))/page': '/;sid/page',
  }
  for (const [path, key] of Object.entries(cases)) {
    assert.deepEqual(template(path), { key, isSeries: true, pairs: [], turnsPage: false }, path)
  }
})

test('queries share a template by the names of their keys, in any order', () => {
  const cases = {
    '/x?b=1&a=2': '/x?a&b',
    '/x?a=3': '/x?a',
    '/x?a=1&a=2': '/x?a',
    '/x?article300': '/x?articleN',
    '/x?f[0]=a&f[1]=b': '/x?f%5BN%5D',
    '/p/123?page=2': '/p/N?page',
    '/how-to-cook-rice?page=2': '/how-to-cook-rice?page',
    '/a;jsessionid=1F0C?b=1': '/a;sid?b',
    '/list?cat=5&sort=price&page=2': '/list?cat&page&sort',
    '/list?cat=5&sort=price&view=grid&page=2': '/list?*',
    '/list?view=grid&cat=5&sort=price': '/list?*',
  }
  for (const [path, key] of Object.entries(cases)) assert.equal(template(path).key, key, path)
})

test('a query of three keys and more is known by its pairs, the number of a page left out', () => {
  const first = template('/list?cat=5&sort=price&view=grid')
  const second = template('/list?page=2&view=grid&cat=5&sort=price')
  assert.deepEqual([...first.pairs].sort(), [...second.pairs].sort())
  assert.deepEqual([first.turnsPage, second.turnsPage], [false, true])
  assert.deepEqual(template('/list?cat=5&page=2').pairs, [])
})
