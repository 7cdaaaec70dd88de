import assert from 'node:assert/strict'
import { test } from 'node:test'
import { templateOf } from './template.ts'
import { canonicalise } from './url.ts'

const template = (path: string) => templateOf(canonicalise(`http://a.test${path}`)!)

test('a URL without a variable part needs no budget', () => {
  const paths = [
    '/',
    '/about',
    '/blog/how-to-cook-rice',
    '/a/b.html',
    '/wiki/%E4%B8%AD%E6%96%87',
    '/N',
  ]
  for (const path of paths) assert.equal(template(path), null, path)
})

test('numbered and named pages share a template that is closed only when all are alike', () => {
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
    '/d/facadefacade': null,
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
    '/12024-05-12': '/N-N-N',
    '/mp3/v2/x': '/mpN/vN/x',
  }
  for (const [path, key] of Object.entries(cases)) {
    assert.deepEqual(template(path), key === null ? null : { key, strict: false }, path)
  }
})

test('queries, bare dates and sessions get the hard budget', () => {
  const cases = {
    '/x?b=1&a=2': '/x?a&b',
    '/x?a=3': '/x?a',
    '/x?a=1&a=2': '/x?a',
    '/x?': '/x?',
    '/x?article300': '/x?articleN',
    '/x?f[0]=a&f[1]=b': '/x?f%5BN%5D',
    '/p/123?page=2': '/p/N?page',
    '/how-to-cook-rice?page=2': '/how-to-cook-rice?page',
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
    '/a;jsessionid=1F0C?b=1': '/a;sid?b',
    '/s/sid=abc/page': '/s/;sid/page',
    '/(S(lit3py55t21z5v55vlm25s55))/page': '/;sid/page',
  }
  for (const [path, key] of Object.entries(cases)) {
    assert.deepEqual(template(path), { key, strict: true }, path)
  }
})

test('one budget is never shared by strict and other URLs', () => {
  const paths = ['/cal/2024-05-12', '/cal/20240512', '/cal/12345678', '/cal/2024/05', '/cal/2024/0']
  const strictOf = new Map<string, boolean>()
  for (const path of paths) {
    const { key, strict } = template(path)!
    assert.equal(strictOf.get(key) ?? strict, strict, key)
    strictOf.set(key, strict)
  }
})
