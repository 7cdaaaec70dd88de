import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HtmlReader } from '../html/html-reader.ts'
import { removeReadAlso } from './boilerplate-text.ts'

function kept(html: string): number[] {
  const reading = new HtmlReader().read(Buffer.from(html), { isXml: false })
  const chosen = new Uint8Array(reading.outline.blocks.count).fill(1)
  removeReadAlso(reading, chosen)
  return [...chosen]
}

test('lines that lead elsewhere are left out, in many languages', () => {
  for (const line of [
    'Baca juga: ',
    'BACA JUGA ',
    '» Read more: ',
    'Lesen Sie auch: ',
    'Читайте также: ',
  ]) {
    assert.deepEqual(kept(`<p>a<p>${line}<a href=x>Cara membuat tahu</a><p>b`), [1, 0, 1], line)
  }
})

test('invitations to hear from the site elsewhere are left out', () => {
  for (const line of [
    'Dapatkan update berita pilihan setiap hari dari Kabar. Mari bergabung di Grup Telegram "Kabar".',
    'Ikuti berita kami di Google News.',
    'Follow us on Facebook and Instagram!',
    'Sign up for our newsletter.',
  ]) {
    assert.deepEqual(kept(`<p>a<p>${line}<p>b`), [1, 0, 1], line)
  }
  assert.deepEqual(kept('<p>Ikuti langkah berikut ini.<p>Join the two pieces with glue.'), [1, 1])
})

test('sentences that begin like that, or link nowhere, stay', () => {
  const sentence =
    'Read more about the history of this place in <a href=x>the book</a> that came out in May.'
  assert.deepEqual(kept(`<p>${sentence}`), [1])
  assert.deepEqual(kept('<p>Baca juga petunjuknya sebelum mulai.'), [1])
})
