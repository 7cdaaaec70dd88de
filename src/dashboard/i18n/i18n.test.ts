import assert from 'node:assert/strict'
import { test } from 'node:test'
import { en } from './en.ts'
import { LANGUAGES, preferredLanguage, write } from './i18n.ts'
import { id } from './id.ts'
import type { Message } from './message.ts'

const names = (message: Message): string[] => {
  const forms = typeof message === 'string' ? [message] : Object.values(message)
  return [...new Set(forms.flatMap((form) => form.match(/\{\w+\}/g) ?? []))].sort()
}

test('both languages have the same messages with the same parameters', () => {
  assert.deepEqual(Object.keys(id).sort(), Object.keys(en).sort())
  for (const [key, message] of Object.entries(id)) {
    const english: Readonly<Record<string, Message>> = en
    assert.deepEqual(names(message), names(english[key]!), key)
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
    [['fr', 'id'], 'id'],
    [['en-GB', 'id'], 'en'],
    [['ja'], 'en'],
    [[], 'en'],
  ]
  for (const [wanted, chosen] of cases) assert.equal(preferredLanguage(wanted), chosen)
  assert.deepEqual([...LANGUAGES], ['en', 'id'])
})
