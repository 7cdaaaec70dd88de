import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRandom } from '../../test/html/mutate.ts'
import { addressOf } from './address.ts'

const STARTS = ['', 'http://docs.example.org', 'https://a.test', 'http://1.2.3.4', 'http://0x7f']
const PIECES = [
  ...[
    'http://',
    'HTTP://',
    'ftp://',
    'xn--a',
    'B',
    '.',
    '..',
    '/',
    '//',
    '/.',
    '/..',
    '%2e',
    '%41',
  ],
  ...['_', '-', '2024', '?', '?a=b', '#', '#x', 'index.html', 'é', ' ', '\t', ':80', ':70000', '@'],
  ...['u:p@', '[::1]', '~', '|', '"', "'", '<', '>', '`', '\\', '&', ';', '*', '(', '!', '$', '+'],
]

test('the parts of an address are those of the URL parser', () => {
  for (let round = 0; round < 20_000; round++) {
    const random = createRandom(round)
    let url = STARTS[random(STARTS.length)]!
    for (let left = 1 + random(5); left > 0; left--) url += PIECES[random(PIECES.length)]
    const parsed = URL.parse(url)
    const expected =
      parsed === null
        ? null
        : { host: parsed.hostname, path: parsed.pathname, query: parsed.search }
    assert.deepEqual(addressOf(url), expected, url)
  }
})
