import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseRefresh } from './link-list.ts'

const CASES: readonly (readonly [content: string, delay: number | null, href: string])[] = [
  ['0; url=x', 0, 'x'],
  ['5;URL=x', 5, 'x'],
  ['5,x', 5, 'x'],
  ['5 x', 5, 'x'],
  ['5x', null, ''],
  ['x', null, ''],
  ['', null, ''],
  ['-1; url=x', null, ''],
  ['+1; url=x', null, ''],
  [' \t5 ; \n url \t= x', 5, 'x'],
  ['5', 5, ''],
  ['5;', 5, ''],
  ['.5; url=x', 0, 'x'],
  ['5.9; url=x', 5, 'x'],
  ['5..9; url=x', 5, 'x'],
  ['.; url=x', 0, 'x'],
  ['0; url="x" y', 0, 'x'],
  ["0; url='x", 0, 'x'],
  ['0; "x"y', 0, 'x'],
  ['0; url="', 0, ''],
  ['0; url', 0, 'url'],
  ['0; urlx', 0, 'urlx'],
  ['0; ur=x', 0, 'ur=x'],
  ['0; url==x', 0, '=x'],
  ['0; x;y', 0, 'x;y'],
  ['0;;x', 0, ';x'],
  ['0; url=a b', 0, 'a b'],
]

for (const [content, delaySeconds, href] of CASES) {
  test(`the refresh "${content}" leads to "${delaySeconds === null ? 'nowhere' : href}"`, () => {
    assert.deepEqual(parseRefresh(content), delaySeconds === null ? null : { delaySeconds, href })
  })
}
