import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { SearchedPage } from '../../core/page.ts'
import { canonicalise } from '../../core/url.ts'
import { seededRandom } from '../../lib/seeded-random.ts'
import { openSqliteSearchIndex } from '../sqlite/open-search-index.ts'
import { isJoined, isPairable, pairTerm, prefixTerm, prefixTermOf } from './joined-terms.ts'

const WORDS = 'the of to be or not in a teapot teacup tea stone stones storm'.split(' ')

function pageOf(id: number, title: readonly string[], text: readonly string[]): SearchedPage {
  const url = canonicalise(`http://zz.test/${id}`)
  assert.ok(url !== null)
  return {
    ...{ id, crawlId: 1, url, title: title.join(' '), contentText: text.join(' ') },
    ...{ description: '', keywords: '', language: 'en', kind: 'other', hot: false },
    ...{ fetchedAt: 1, publishedAt: null, contentType: 'text/html' },
  }
}

/** Whether the words of a phrase follow each other; the last one may be a prefix. */
function has(text: readonly string[], phrase: readonly string[], prefix: boolean): boolean {
  const last = phrase.length - 1
  const fits = (word: string, at: number) =>
    prefix && at === last ? word.startsWith(phrase[at] ?? '') : word === phrase[at]
  return text.some((_, start) => phrase.every((__, at) => fits(text[start + at] ?? '', at)))
}

for (const commonFrom of [1000, 1, 90]) {
  test(`phrases and prefixes find the pages that have them, with words common from page ${commonFrom} on`, () =>
    phrasesAreFound(commonFrom))
}

async function phrasesAreFound(commonFrom: number): Promise<void> {
  const random = seededRandom(4)
  const dir = mkdtempSync(join(tmpdir(), 'jelajah-joined-'))
  const some = (count: number) =>
    Array.from({ length: count }, () => WORDS[Math.floor(random() * WORDS.length)] ?? '')
  const texts = Array.from({ length: 300 }, (_, at) => ({
    ...{ id: at + 1, title: some(4), text: some(3 + Math.floor(random() * 40)) },
  }))
  try {
    await using index = await openSqliteSearchIndex({
      path: join(dir, 'search.db'),
      pagesOf: async () => [],
      commonFrom,
    })
    for (let at = 0; at < texts.length; at += 30) {
      const pages = texts.slice(at, at + 30).map(({ id, title, text }) => pageOf(id, title, text))
      await index.add({ pages, gone: [], position: { mark: 'm', cursor: at + 1 } })
    }
    for (let nth = 0; nth < 300; nth++) {
      const phrase = some(1 + (nth % 5))
      const prefix = random() < 0.3
      const last = phrase.at(-1) ?? ''
      if (prefix && last.length < 3) continue
      const typed = prefix ? phrase.with(-1, last.slice(0, 3 + Math.floor(random() * 2))) : phrase
      const field = random() < 0.3 ? 'title:' : ''
      const wanted = texts.filter(
        ({ title, text }) =>
          has(title, typed, prefix) || (field === '' && has(text, typed, prefix)),
      )
      const query = `${field}"${typed.join(' ')}${prefix ? '*' : ''}"`
      const found = await index.matching({ text: query })
      assert.deepEqual(
        found,
        wanted.map(({ id }) => id),
        query,
      )
    }
  } finally {
    rmSync(dir, { recursive: true })
  }
}

test('terms for several words are no words', () => {
  assert.equal(prefixTerm('tea'), 'tea*')
  assert.equal(prefixTerm('team'), null)
  assert.equal(prefixTermOf('teapot'), 'tea*')
  assert.equal(prefixTermOf('te'), null)
  assert.equal(prefixTermOf('a\u{1F600}b'), null, 'half a character would be lost')
  assert.ok(isJoined(pairTerm('of', 'the')))
  assert.ok(isJoined('tea*'))
  assert.ok(!isJoined('teapot'))
  assert.ok(isPairable('the') && isPairable('yang') && isPairable('der'))
  assert.ok(!isPairable('teapot') && !isPairable('123') && !isPairable('中国'))
})
