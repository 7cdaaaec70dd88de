import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HtmlReader } from '../html/html-reader.ts'
import { removeConsentText } from './boilerplate-text.ts'

const TEXT = `<p>${'A long text about the sea and the ships. '.repeat(20)}`

function kept(html: string, title = 'Ships'): number[] {
  const reading = new HtmlReader().read(Buffer.from(html), { isXml: false })
  const chosen = new Uint8Array(reading.outline.blocks.count).fill(1)
  removeConsentText(reading, chosen, title)
  return [...chosen]
}

test('sentences that ask for consent are left out', () => {
  for (const line of [
    'We use cookies and similar tools to enhance your shopping experience.',
    'These cookies are necessary for the website to function.',
    'Information about your activity on this service can be stored and combined.',
    'Kami menggunakan cookie untuk meningkatkan pengalaman Anda.',
    'Wir verwenden auf dieser Seite Cookies.',
  ]) {
    assert.deepEqual(kept(`${TEXT}<p>${line}<p>b`), [1, 0, 1], line)
  }
})

test('what is about cookies stays: a recipe, a page on consent, a page of nothing else', () => {
  assert.deepEqual(kept(`${TEXT}<p>These cookies are soft. Bake them for ten minutes.`), [1, 1])
  assert.deepEqual(kept(`${TEXT}<p>These cookies are set by us.`, 'Cookie policy'), [1, 1])
  assert.deepEqual(kept('<p>We use cookies to count visits.<p>a'), [1, 1])
})
