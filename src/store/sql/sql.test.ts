import assert from 'node:assert/strict'
import { test } from 'node:test'
import { postgresDialect } from '../postgres/postgres-sql.ts'
import { tableConditions } from './page-rows.ts'
import { Conditions } from './sql.ts'

test('values are bound in their order, and one with a NUL matches nothing', () => {
  const wanted = new Conditions().on(1, (hole) => `a = ${hole}`).add('b IS NULL')
  wanted.on('x', (hole) => `(c = ${hole} OR d = ${hole})`).on('z\0', (hole) => `e = ${hole}`)
  assert.equal(wanted.where, 'a = $1 AND b IS NULL AND (c = $2 OR d = $2) AND false')
  assert.equal(wanted.hole(9), '$3')
  assert.deepEqual(wanted.values, [1, 'x', 9])
  assert.equal(new Conditions().where, 'true')
})

test('only so much of a text is looked for', () => {
  const { values } = tableConditions(postgresDialect, 1, { text: 'x'.repeat(5000) })
  assert.deepEqual(
    values.map((value) => String(value).length),
    [1, 202],
  )
})
