import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkedFieldRules, decodeFieldRules } from './decode-rules.ts'
import { lineOf } from './read-fields.ts'

const FIELD = { name: 'price', selector: '.price' }
const problemsOf = (raw: unknown) => decodeFieldRules(raw).problems.map(({ at }) => at)

test('rules are read as they are written; for all pages without a match', () => {
  const raw = { rules: [{ match: '/shop/**', fields: [{ ...FIELD, type: 'number', many: true }] }] }
  assert.deepEqual(decodeFieldRules(raw), {
    rules: {
      rules: [
        {
          match: ['/shop/**'],
          fields: [{ ...FIELD, type: 'number', many: true }],
        },
      ],
    },
    problems: [],
  })
  assert.deepEqual(checkedFieldRules({ fields: [FIELD] }, 'fields'), {
    rules: [{ fields: [FIELD] }],
  })
})

test('everything that is wrong is named with its place', () => {
  const cases: readonly (readonly [raw: unknown, at: readonly string[]])[] = [
    [null, ['']],
    [[], ['']],
    [{}, ['rules']],
    [{ rules: [] }, ['rules']],
    [{ rules: [7] }, ['rules[0]']],
    [{ rules: [{ fields: [] }] }, ['rules[0].fields']],
    [{ rules: [{ match: ['{a'], fields: [FIELD] }] }, ['rules[0].match[0]']],
    [{ rules: [{ match: [], fields: [FIELD] }] }, ['rules[0].match']],
    [{ fields: [FIELD, FIELD] }, ['fields[1].name']],
    [{ fields: [{ name: '__proto__', selector: 'a' }] }, ['fields[0].name']],
    [{ fields: [{ name: 'a' }] }, ['fields[0]']],
    [{ fields: [{ ...FIELD, jsonld: 'a' }] }, ['fields[0]']],
    [{ fields: [{ name: 'a', jsonld: 'Product' }] }, ['fields[0].jsonld']],
    [{ fields: [{ name: 'a', jsonld: 'a..b' }] }, ['fields[0].jsonld']],
    [{ fields: [{ name: 'a', jsonld: 'b', attribute: 'x' }] }, ['fields[0].attribute']],
    [{ fields: [{ ...FIELD, type: 'html', attribute: 'x' }] }, ['fields[0].attribute']],
    [{ fields: [{ ...FIELD, type: 'boolean', many: true }] }, ['fields[0].many']],
    [{ fields: [{ ...FIELD, selector: ['a'] }] }, ['fields[0].selector']],
    [{ fields: [{ ...FIELD, selectr: 'a' }] }, ['fields[0].selectr']],
    [{ rules: Array(101).fill({ fields: [FIELD] }) }, ['rules']],
    [
      { fields: Array.from({ length: 201 }, (_, at) => ({ ...FIELD, name: `f${at}` })) },
      ['fields'],
    ],
  ]
  for (const [raw, at] of cases) assert.deepEqual(problemsOf(raw), at, JSON.stringify(raw))
  const twice = { fields: [{ name: '1', selector: 'a >', type: 'txt' }] }
  assert.throws(
    () => checkedFieldRules(twice, 'fields'),
    /fields\[0\]\.name: .*; fields\[0\]\.selector: .*; fields\[0\]\.type: .*did you mean text\?/,
  )
})

test('a place in a file has a line', () => {
  const json = '{\n "other": "\\"{,",\n "rules": [\n  {},\n  {"fields":\n   [{"name": 7}]}\n ]\n}'
  JSON.parse(json)
  const lines = ['', 'rules', 'rules[1].fields[0].name', 'rules[1].fields[9].name', 'rules[5]'].map(
    (path) => lineOf(json, path),
  )
  assert.deepEqual(lines, [1, 3, 6, 6, 3])
})
