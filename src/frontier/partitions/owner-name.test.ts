import assert from 'node:assert/strict'
import { test } from 'node:test'
import { markOf, newOwner, programMark } from './membership.ts'

test('the name of an owner begins with the mark of its program, and no two are the same', () => {
  const program = { machine: 'one', pid: 7 }
  const [a, b] = [newOwner(program), newOwner(program)]
  assert.notEqual(a, b)
  assert.equal(a.length, 12)
  assert.equal(markOf(a), programMark(program))
  assert.notEqual(programMark(program), programMark({ machine: 'one', pid: 8 }))
})
