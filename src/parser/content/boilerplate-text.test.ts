import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HtmlReader } from '../html/html-reader.ts'
import { removeConsentText, removeReadAlso } from './boilerplate-text.ts'

const TEXT = `<p>${'A long text about the sea and the ships. '.repeat(20)}`

function kept(html: string, title = 'Ships'): number[] {
  const reading = new HtmlReader().read(Buffer.from(html), { isXml: false })
  const chosen = new Uint8Array(reading.outline.blocks.count).fill(1)
  removeConsentText(reading, chosen, title)
  return [...chosen]
}

test('sentences about consent are removed', () => {
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

test('text about cookies stays: a recipe, a page on consent, a page of nothing else', () => {
  assert.deepEqual(kept(`${TEXT}<p>These cookies are soft. Bake them for ten minutes.`), [1, 1])
  assert.deepEqual(kept(`${TEXT}<p>These cookies are set by us.`, 'Cookie policy'), [1, 1])
  assert.deepEqual(kept('<p>We use cookies to count visits.<p>a'), [1, 1])
})

test('text about cookies stays: a bakery, an article on sessions, the settings of a program', () => {
  const long =
    'The middleware runs before the handlers and adds a session to each request. '.repeat(3)
  for (const [line, around] of [
    ['At night we store the cookies in tins.', ''],
    ['For the base we use crushed cookies and butter.', '<p>b'],
    [`${long}Here we set signed session cookies that the browser returns with each visit.`, '<p>b'],
    [`${long}The cookie settings of the framework decide how long they last.`, ''],
    ['We set signed cookies that the browser returns.', '<p>A cookie has a name and a value.'],
  ] as const) {
    const html = `${TEXT}<p>${line}${around}`
    assert.ok(!kept(html).includes(0), line)
  }
})

test('a long sentence about consent is removed at the end of the text, labels where they are short', () => {
  const long = 'This lets us see which of our pages are read most and which are not. '.repeat(3)
  const use = `On our website we use cookies. ${long}`
  assert.deepEqual(kept(`${TEXT}<p>${use}`), [1, 0])
  assert.deepEqual(kept(`${TEXT}<p>${use}<p>b`), [1, 1, 1])
  assert.deepEqual(kept(`${TEXT}<p>Accept all cookies<p>b`), [1, 0, 1])
})

function keptLines(html: string): number[] {
  const reading = new HtmlReader().read(Buffer.from(html), { isXml: false })
  const chosen = new Uint8Array(reading.outline.blocks.count).fill(1)
  removeReadAlso(reading, chosen)
  return [...chosen]
}

test('lines that lead elsewhere are removed, in many languages', () => {
  for (const line of [
    'Baca juga: ',
    'BACA JUGA ',
    '» Read more: ',
    'Lesen Sie auch: ',
    'Читайте также: ',
  ]) {
    assert.deepEqual(
      keptLines(`<p>a<p>${line}<a href=x>Cara membuat tahu</a><p>b`),
      [1, 0, 1],
      line,
    )
  }
})

test('invitations to follow the site elsewhere are removed', () => {
  for (const line of [
    'Dapatkan update berita pilihan setiap hari dari Kabar. Mari bergabung di Grup Telegram "Kabar".',
    'Ikuti berita kami di Google News.',
    'Follow us on Facebook and Instagram!',
    'Sign up for our newsletter.',
    'Simak berita terbaru di WhatsApp.',
    'Cek berita lain di aplikasi Kabar.',
    'Yuk, gabung di Telegram!',
    'MARI IKUTI KAMI DI INSTAGRAM',
    'Join our channel on YouTube.',
    'Subscribe to the newsletter.',
    'Folgen Sie uns auf Facebook!',
    'Suivez-nous sur Twitter.',
    'SÍGUENOS EN TIKTOK',
    'Siga-nos no Instagram.',
    '“Follow us on Facebook!”',
    '(Ikuti terus kabar kami di Google News)',
  ]) {
    assert.deepEqual(keptLines(`<p>a<p>${line}<p>b`), [1, 0, 1], line)
  }
  assert.deepEqual(
    keptLines('<p>Ikuti langkah berikut ini.<p>Join the two pieces with glue.'),
    [1, 1],
  )
})

test('sentences that begin like that, or link nowhere, stay', () => {
  const sentence =
    'Read more about the history of this place in <a href=x>the book</a> that came out in May.'
  assert.deepEqual(keptLines(`<p>${sentence}`), [1])
  assert.deepEqual(keptLines('<p>Baca juga petunjuknya sebelum mulai.'), [1])
})
