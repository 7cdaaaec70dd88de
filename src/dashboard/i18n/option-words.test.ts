import assert from 'node:assert/strict'
import { test } from 'node:test'
import { crawlOptions } from '../../options/options.ts'
import { ORDERING_CHOICES } from '../../ordering/index.ts'
import { language } from './i18n.ts'
import indonesian from './id-options.json' with { type: 'json' }
import {
  missingOptionWords,
  optionWords,
  orderingAbout,
  orderingOptionHelp,
  problemText,
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
  const names = crawlOptions(ORDERING_CHOICES).map(({ name }) => name.replaceAll('-', '_'))
  assert.deepEqual(
    Object.keys(indonesian.options).filter((name) => !names.includes(name)),
    [],
  )
  const orderings = ORDERING_CHOICES.map(({ name }) => name)
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

test('what the server says of a field most often is said in the language of the reader', () => {
  const cases: [string, string][] = [
    ['"x y" is not an http or https URL', '"x y" bukan URL http atau https'],
    [
      'needs a whole number from 1 to 100, not "ten"',
      'perlu bilangan bulat dari 1 sampai 100, bukan "ten"',
    ],
    ['needs one of host, domain, any, not "x"', 'pilih salah satu: host, domain, any, bukan "x"'],
    ['is missing', 'wajib diisi'],
    ['something that nobody foresaw', 'something that nobody foresaw'],
    ['"$& $1" is not an http or https URL', '"$& $1" bukan URL http atau https'],
  ]
  for (const [said, words] of cases) {
    language.value = 'id'
    assert.equal(problemText(said), words)
    language.value = 'en'
    assert.equal(problemText(said), said)
  }
})

test('a message of any kind takes a moment only', () => {
  language.value = 'id'
  for (const said of ['needs one of '.repeat(4000), `needs ${','.repeat(50_000)}`]) {
    assert.equal(typeof problemText(said), 'string')
  }
  language.value = 'en'
})
