import assert from 'node:assert/strict'
import { test } from 'node:test'
import { commandNamed } from '../commands.ts'
import { lookAround } from './demo.ts'

test('the demo ends with what can be done with its crawl, each with its folder', () => {
  const lines = lookAround('/tmp/demo', 'http://a.test/secret').split('\n').slice(1)
  const names = lines.map(
    (line) => /^ {2}bin\/jelajah (\w+) .*--data \/tmp\/demo\b/.exec(line)?.[1],
  )
  for (const name of names) assert.notEqual(commandNamed(name ?? ''), null, name)
  for (const name of ['search', 'rank', 'graph', 'export']) assert.ok(names.includes(name), name)
})
