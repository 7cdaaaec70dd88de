import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HookMark } from './hook-mark.ts'
import { PageHooks } from './page-hooks.ts'

test('a hook that threw does not run any more', async () => {
  const mark = new HookMark(['mine'])
  const admit = (): never => {
    assert.equal(mark.running, 'mine.admit')
    throw new Error('no')
  }
  const hooks = new PageHooks([{ name: 'mine', admit }], mark)
  const told = { anchor: '', rel: '', context: '', page: 'http://a.test/', depth: 1 }
  assert.equal(await hooks.bars({ ...told, url: 'http://a.test/b', via: 'link' }), 'unanswered')
  assert.equal(mark.running, null)
})
