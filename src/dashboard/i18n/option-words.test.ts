import assert from 'node:assert/strict'
import { test } from 'node:test'
import { crawlOptions } from '../../options/options.ts'
import { ORDERINGS } from '../../ordering/index.ts'
import { language } from './i18n.ts'
import indonesian from './id-options.json' with { type: 'json' }
import {
  missingOptionWords,
  optionWords,
  orderingAbout,
  orderingOptionHelp,
} from './option-words.ts'

test('an option or an ordering without Indonesian words is listed, and shown in English', (t) => {
  t.after(() => {
    language.value = 'en'
  })
  language.value = 'id'
  const added = { name: 'quick-sort', options: [{ name: 'pivot' }] }
  const known = { options: [{ name: 'max_body' }, { name: 'new_one' }], orderings: [added] }
  assert.deepEqual(missingOptionWords('id', known), [
    'option new_one',
    'ordering quick-sort',
    'ordering quick-sort pivot',
  ])
  assert.deepEqual(missingOptionWords('en', known), [])
  const words = optionWords({ name: 'new_one', help: 'does something new' })
  assert.deepEqual(words, { label: 'New one', help: 'Does something new.' })
  assert.equal(
    orderingAbout({ name: 'quick-sort', about: 'the quickest first' }),
    'The quickest first.',
  )
})

test('there are no words for what does not exist', () => {
  const names = crawlOptions(ORDERINGS).map(({ name }) => name.replaceAll('-', '_'))
  assert.deepEqual(
    Object.keys(indonesian.options).filter((name) => !names.includes(name)),
    [],
  )
  const orderings = ORDERINGS.map(({ name }) => name)
  assert.deepEqual(
    Object.keys(indonesian.orderings).filter((name) => !orderings.includes(name)),
    [],
  )
})

test('English help is a sentence in the names of the form', () => {
  language.value = 'en'
  const words = optionWords({ name: 'max_body', help: 'as with --min-relevance' })
  assert.deepEqual(words, { label: 'Max body', help: 'As with Min relevance.' })
  assert.equal(orderingOptionHelp('x', 'y', ''), '')
})
