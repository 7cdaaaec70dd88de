import assert from 'node:assert/strict'
import { test } from 'node:test'
import { crawlOptions } from '../../options/options.ts'
import { ORDERINGS } from '../../ordering/index.ts'
import { language } from './i18n.ts'
import { ID_OPTIONS, ID_ORDERING_OPTIONS, ID_ORDERINGS } from './id-options.ts'
import { optionWords, orderingOptionHelp } from './option-words.ts'

/** Fields with words of their own in the form. */
const FRONT = [
  'max_pages',
  'max_depth',
  'scope',
  'ordering',
  'ordering_option',
  'topic',
  'keywords',
]

test('every option and every ordering has Indonesian words', () => {
  const names = crawlOptions(ORDERINGS)
    .filter(({ hidden = false }) => !hidden)
    .map(({ name }) => name.replaceAll('-', '_'))
  const missing = names.filter((name) => !FRONT.includes(name) && !ID_OPTIONS.has(name))
  assert.deepEqual(missing, [])
  for (const { name, options = [] } of ORDERINGS) {
    assert.ok(ID_ORDERINGS.has(name), name)
    for (const option of options) {
      assert.ok(ID_ORDERING_OPTIONS.has(`${name} ${option.name}`), `${name} ${option.name}`)
    }
  }
})

test('there are no words for what does not exist', () => {
  const names = crawlOptions(ORDERINGS).map(({ name }) => name.replaceAll('-', '_'))
  assert.deepEqual(
    [...ID_OPTIONS.keys()].filter((name) => !names.includes(name)),
    [],
  )
  const orderings = ORDERINGS.map(({ name }) => name)
  assert.deepEqual(
    [...ID_ORDERINGS.keys()].filter((name) => !orderings.includes(name)),
    [],
  )
})

test('English help is a sentence in the names of the form', () => {
  language.value = 'en'
  const words = optionWords({ name: 'max_body', help: 'as with --min-relevance' })
  assert.deepEqual(words, { label: 'Max body', help: 'As with Min relevance.' })
  assert.equal(orderingOptionHelp('x', 'y', ''), '')
})
