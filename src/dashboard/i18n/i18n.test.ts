import assert from 'node:assert/strict'
import { test } from 'node:test'
import en from './en.json' with { type: 'json' }
import { LANGUAGES, type Message, missingWords, preferredLanguage, write } from './i18n.ts'
import id from './id.json' with { type: 'json' }

const names = (message: Message): string[] => {
  const forms = typeof message === 'string' ? [message] : Object.values(message)
  return [...new Set(forms.flatMap((form) => form.match(/\{\w+\}/g) ?? []))].sort()
}

test('a translation is of an English message and has the same parameters', () => {
  for (const [key, message] of Object.entries(id)) {
    const english: Readonly<Record<string, Message>> = en
    assert.ok(key in english, `${key} is no message`)
    assert.deepEqual(names(message), names(english[key]!), key)
  }
})

test('a message without a translation is written in English and listed', () => {
  const words: Record<string, Message | undefined> = id
  const kept = words['count.pages']
  delete words['count.pages']
  try {
    assert.equal(write('id', 'count.pages', { n: 12345 }), '12,345 pages')
    assert.ok(missingWords('id').includes('count.pages'))
    assert.deepEqual(missingWords('en'), [])
  } finally {
    words['count.pages'] = kept
  }
})

test('no message is empty', () => {
  for (const [key, message] of [...Object.entries(en), ...Object.entries(id)]) {
    const forms: string[] = typeof message === 'string' ? [message] : Object.values(message)
    for (const form of forms) assert.notEqual(form.trim(), '', key)
  }
})

test('a number is written as the language writes it, and chooses the form', () => {
  assert.equal(write('en', 'count.pages', { n: 1 }), '1 page')
  assert.equal(write('en', 'count.pages', { n: 12345 }), '12,345 pages')
  assert.equal(write('id', 'count.pages', { n: 12345 }), '12.345 halaman')
})

test('a text put into a message is not read as a message', () => {
  assert.match(write('en', 'job.documentTitle', { name: '{n} $& $1' }), /\{n\} \$& \$1/)
})

test('the first language the reader prefers and we speak is taken', () => {
  const cases: [string[], string][] = [
    [['id-ID', 'en'], 'id'],
    [['in'], 'id'],
    [['ms-MY', 'en'], 'id'],
    [['fr', 'id'], 'id'],
    [['en-GB', 'id'], 'en'],
    [['ja'], 'en'],
    [[], 'en'],
  ]
  for (const [wanted, chosen] of cases) assert.equal(preferredLanguage(wanted), chosen)
  assert.deepEqual([...LANGUAGES], ['en', 'id'])
})
