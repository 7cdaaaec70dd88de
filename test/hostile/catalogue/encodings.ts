// E: bytes that are no text, or not the text they say they are.
import assert from 'node:assert/strict'
import type { HostileCase, Web } from '../case.ts'
import { ended, http } from '../expect.ts'
import { misbehave, page } from '../server/answers.ts'

type Bytes = { readonly type?: string; readonly body: Uint8Array }

function web(id: string, pages: Readonly<Record<string, Bytes>>): Web {
  return {
    crawl: 'web',
    hosts: Object.fromEntries(
      Object.entries(pages).map(([name, { type = 'text/html', body }]) => [
        `${name}.${id.toLowerCase()}.test`,
        misbehave(page(body, { type })),
      ]),
    ),
  }
}

const SJIS = Buffer.from([0x93, 0xfa, 0x96, 0x7b, 0x8c, 0xea])
const text = (value: string): Buffer => Buffer.from(value, 'utf8')
const latin1 = (value: string): Buffer => Buffer.from(value, 'latin1')
const PAD = '<p>some words so that there is a text of this page, and a few more of them</p>'

function utf16(value: string, { bom, big }: { bom: boolean; big: boolean }): Buffer {
  const bytes = Buffer.from(`${bom ? '\ufeff' : ''}${value}`, 'utf16le')
  return big ? bytes.swap16() : bytes
}

const E1 = {
  header: {
    type: 'text/html; charset=iso-8859-1',
    body: Buffer.concat([text('<meta charset=utf-8><title>'), SJIS, text(`</title>${PAD}`)]),
  },
  bom: {
    type: 'text/html; charset=iso-8859-1',
    body: text('\ufeff<title>caf\u00e9</title><p>bom wins'),
  },
  meta: {
    body: text('<meta charset=utf-8><title>caf\u00e9</title><p>meta counts where no header speaks'),
  },
}
const E2 = {
  le: { body: utf16(`<title>sixteen</title>${PAD}le`, { bom: true, big: false }) },
  be: { body: utf16(`<title>sixteen</title>${PAD}be`, { bom: true, big: true }) },
  declared: {
    type: 'text/html; charset=utf-16le',
    body: utf16(`<title>sixteen</title>${PAD}declared`, { bom: false, big: false }),
  },
  bare: { body: utf16(`<title>sixteen</title>${PAD}bare`, { bom: false, big: false }) },
  utf32: {
    body: Buffer.concat([
      Buffer.from([0xff, 0xfe, 0, 0]),
      Buffer.from(Uint32Array.from([...'<p>thirty-two'], (c) => c.charCodeAt(0)).buffer),
    ]),
  },
  utf7: {
    type: 'text/html; charset=utf-7',
    body: text('+ADw-script+AD4-alert(1)+ADw-/script+AD4-'),
  },
  kr: { type: 'text/html; charset=iso-2022-kr', body: text('<script>x</script><p>replacement kr') },
  hz: { type: 'text/html; charset=hz-gb-2312', body: text('<p>replacement hz') },
  user: { type: 'text/html; charset=x-user-defined', body: latin1('<p>user \xe9 defined') },
  replacement: { type: 'text/html; charset=replacement', body: text('<p>replacement itself') },
}
const E3 = {
  invalid: {
    type: 'text/html; charset=utf-8',
    body: Buffer.concat([
      text('<title>a'),
      Buffer.from([0xff, 0xfe, 0xc0, 0xaf]),
      text(`b</title>${PAD}`),
    ]),
  },
  surrogate: {
    type: 'text/html; charset=utf-8',
    body: Buffer.concat([
      text('<title>a'),
      Buffer.from([0xed, 0xa0, 0x80]),
      text(`b</title>${PAD}2`),
    ]),
  },
  cut: {
    type: 'text/html; charset=utf-8',
    body: Buffer.concat([text(`<title>cut</title>${PAD}3`), Buffer.from([0xf0, 0x9f, 0x98])]),
  },
}

export const ENCODINGS: readonly HostileCase[] = [
  {
    id: 'E1',
    does: 'says one charset in its header, another in its page, and is in a third',
    holds: 'byte order mark before header before meta; what was taken is recorded',
    web: web('E1', E1),
    check: async (stage) => {
      const seen = await stage.crawl('web')
      const charset = (name: string): string =>
        `${seen.page(`http://${name}.e1.test/`).charset}`.toLowerCase()
      assert.match(charset('header'), /windows-1252|iso-8859-1/)
      assert.equal(charset('bom'), 'utf-8')
      assert.equal(charset('meta'), 'utf-8')
      assert.equal(seen.page('http://bom.e1.test/').title, 'caf\u00e9')
      assert.equal(seen.page('http://meta.e1.test/').title, 'caf\u00e9')
      return `header: ${charset('header')}, byte order mark and meta: utf-8`
    },
  },
  {
    id: 'E2',
    does: 'is UTF-16 of all kinds, UTF-32, UTF-7, or in a charset that browsers replace',
    holds: 'UTF-16 is read; nothing else is taken for script, and nothing throws',
    web: web('E2', E2),
    check: async (stage) => {
      const seen = await stage.crawl('web')
      for (const name of ['le', 'be', 'declared'])
        assert.equal(seen.page(`http://${name}.e2.test/`).title, 'sixteen', name)
      ended(
        seen,
        http(...Object.keys(E2).map((name) => `${name}.e2.test`)),
        /^(?:stored|duplicate|refused|failed)$/,
      )
      const odd = ['bare', 'utf32', 'utf7', 'kr', 'hz', 'user', 'replacement']
      return odd.map((name) => `${name}: ${seen.url(`http://${name}.e2.test/`).state}`).join(', ')
    },
  },
  {
    id: 'E3',
    does: 'has bytes that are no UTF-8, half characters, a character cut off',
    holds: 'they become U+FFFD; no half of a character is stored',
    web: web('E3', E3),
    check: async (stage) => {
      const seen = await stage.crawl('web')
      const rows = Object.keys(E3).map((name) => seen.page(`http://${name}.e3.test/`))
      for (const { title, content_text } of rows)
        assert.doesNotMatch(`${title}${content_text}`, /[\ud800-\udfff](?![\udc00-\udfff])/)
      assert.match(rows[0]?.title ?? '', /^a\ufffd+b$/)
      assert.match(rows[1]?.title ?? '', /^a\ufffd+b$/)
      return 'stored with U+FFFD'
    },
  },
  {
    id: 'E4',
    does: 'has NUL in its text, its title, a link and a header',
    holds: 'no NUL is stored in a text',
    web: web('E4', {
      nul: { body: text(`<title>a\0b</title><a href="/x\0y">l</a><p>te\0xt ${PAD}`) },
    }),
    check: async (stage) => {
      const seen = await stage.crawl('web')
      const { title, content_text, url } = seen.page('http://nul.e4.test/')
      assert.ok(!`${title}${content_text}${url}`.includes('\0'))
      assert.ok(seen.urls.every((row) => !row.url.includes('\0')))
      return `title ${JSON.stringify(title)}`
    },
  },
  {
    id: 'E5',
    does: 'declares its charset behind the first 1,024 bytes, in a comment, in a script',
    holds: 'only a declaration among the first bytes, where a browser would look, counts',
    web: web('E5', {
      late: {
        body: latin1(
          `<!--${'x'.repeat(1100)}--><meta charset=shift_jis><title>caf\xe9</title>${PAD}late`,
        ),
      },
      comment: {
        body: latin1(`<!-- <meta charset=shift_jis> --><title>caf\xe9</title>${PAD}comment`),
      },
      script: {
        body: text(
          `<script>"<meta charset=utf-8>"</script><meta charset=utf-8><title>caf\u00e9</title>${PAD}script`,
        ),
      },
    }),
    check: async (stage) => {
      const seen = await stage.crawl('web')
      assert.equal(seen.page('http://comment.e5.test/').title, 'caf\u00e9')
      assert.equal(seen.page('http://script.e5.test/').title, 'caf\u00e9')
      return `comment and script not taken; late: ${seen.page('http://late.e5.test/').charset}`
    },
  },
  {
    id: 'E6',
    does: 'mixes encodings in one page',
    holds: 'decoded once, by one of them',
    web: web('E6', {
      mixed: {
        type: 'text/html; charset=utf-8',
        body: Buffer.concat([
          text('<title>caf\u00e9 '),
          latin1('caf\xe9'),
          text(' '),
          SJIS,
          text(`</title>${PAD}`),
        ]),
      },
    }),
    check: async (stage) => {
      const { title } = (await stage.crawl('web')).page('http://mixed.e6.test/')
      assert.match(title ?? '', /^caf\u00e9 caf\ufffd/)
      return `title ${JSON.stringify(title)}`
    },
  },
  {
    id: 'E7',
    does: 'has text that runs the other way, zero-width characters, a megabyte of accents, escapes for terminals',
    holds: 'stored; what a terminal or a log is told has no control characters',
    web: web('E7', {
      odd: {
        type: 'text/html; charset=utf-8',
        body: text(
          `<title>\u202eevil\u202c \u001b[31mred\u001b[0m \u200bzero z${'\u0300'.repeat(100_000)}</title>${PAD}`,
        ),
      },
    }),
    check: async (stage) => {
      const seen = await stage.crawl('web')
      const { title } = seen.page('http://odd.e7.test/')
      assert.ok((title ?? '').length <= 1024)
      const { stdout, stderr, code } = await stage.run([
        'pages',
        '--data',
        seen.data,
        '--limit',
        '2000',
      ])
      assert.equal(code, 0, stderr)
      assert.doesNotMatch(
        stdout,
        /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/,
        'a control character was printed',
      )
      return 'stored; nothing of it is printed as it is'
    },
  },
  {
    id: 'E8',
    does: 'sends noise as HTML',
    holds: 'known for no text and refused, or stored as what it is',
    web: web('E8', {
      noise: {
        body: Buffer.from(
          Uint8Array.from(
            { length: 50_000 },
            (_, n) => (Math.imul(n + 7, 2654435761) >>> 13) & 255,
          ),
        ),
      },
    }),
    check: async (stage) => {
      const seen = await stage.crawl('web')
      const { state, reason } = seen.url('http://noise.e8.test/')
      assert.match(`${state} ${reason}`, /^refused type/)
      return `${state} ${reason}`
    },
  },
]
