import assert from 'node:assert/strict'
import { test } from 'node:test'
import { language } from './i18n.ts'
import { problemText } from './problem-words.ts'

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
