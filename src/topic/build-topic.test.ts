import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pageText, topicPages } from '../../test/support/topic-pages.ts'
import { FAMILIES } from '../../test/support/word-families.ts'
import { InvalidInput } from '../core/errors.ts'
import { buildTopic, type TopicSource } from './build-topic.ts'
import { openTopic } from './open-topic.ts'
import type { PageText, Topic } from './topic.ts'
import { countTexts, trainOnAll } from './train.ts'

const NONE: TopicSource = {
  words: '',
  keywords: [],
  positive: [],
  negative: [],
  model: null,
  language: '',
}
const positive = topicPages('stars', 20, 1)
const negative = topicPages('others', 100, 2)

/** Through JSON, as in a crawl. */
function opened(source: Partial<TopicSource>): Topic {
  const record = JSON.parse(JSON.stringify(buildTopic({ ...NONE, ...source })))
  return openTopic(record, { hotThreshold: 0.5 })
}

const trained = trainOnAll(
  countTexts(
    [
      ...positive.map(({ text }) => ({ text, label: 'stars' })),
      ...negative.slice(0, 40).map(({ text }) => ({ text, label: 'others' })),
    ],
    'en',
  ),
)

const method = 'logistic-regression'
const KINDS: Readonly<Record<string, Partial<TopicSource>>> = {
  'a text': { words: 'Telescopes, galaxies and comets seen from an observatory' },
  keywords: { keywords: ['telescope', 'galaxy', 'planet', 'orbit', 'nebula', 'comet'] },
  'pages on topic': { positive },
  'pages on and off topic': { positive, negative },
  'pages and keywords': { positive, negative, keywords: ['telescope'] },
  'a model': { model: { ...trained, method, wanted: ['stars'] } },
  'a model whose Naive Bayes decides': {
    model: { ...trained, method: 'naive-bayes', wanted: ['stars'] },
  },
  'a model and keywords': {
    model: { ...trained, method, wanted: ['stars'] },
    keywords: ['telescope'],
  },
}

for (const [kind, source] of Object.entries(KINDS)) {
  test(`a topic built from ${kind} tells pages on topic from others`, () => {
    const topic = opened(source)
    const share = (pages: readonly PageText[]) =>
      pages.filter((page) => topic.judge(page).hot).length / pages.length
    // With pages on topic only, the line runs through the middle of such pages.
    assert.ok(share(topicPages('stars', 50, 7)) >= 0.3)
    assert.ok(share(topicPages('others', 50, 8)) <= 0.1)
  })

  test(`a topic built from ${kind} knows words that lead to it`, () => {
    const topic = opened(source)
    assert.ok(topic.evidence('telescope') > 0)
    assert.ok(topic.evidence('telescope') > topic.evidence('garlic butter'))
    assert.ok(topic.addressEvidence(pageText({ url: 'http://a.test/telescope' }).url) > 0)
    assert.ok(topic.similarity('telescope and galaxy') > topic.similarity('garlic butter'))
  })
}

test('the same source gives the same record, another one another fingerprint', () => {
  const one = buildTopic({ ...NONE, positive, negative })
  assert.deepEqual(buildTopic({ ...NONE, positive, negative }), one)
  const other = buildTopic({ ...NONE, positive, negative: negative.slice(1) })
  assert.notEqual(other.fingerprint, one.fingerprint)
})

test('a record of 120 examples of great length stays below a megabyte', () => {
  let word = 0
  const long = (page: PageText): PageText => {
    const rare = Array.from({ length: 2000 }, () => `w${(word++).toString(36)}`).join(' ')
    return { ...page, text: `${page.text} ${rare}` }
  }
  const record = buildTopic({ ...NONE, positive: positive.map(long), negative: negative.map(long) })
  assert.ok(JSON.stringify(record).length < 1_000_000)
})

const [page] = positive
const REFUSED: readonly (readonly [what: string, at: string, source: Partial<TopicSource>])[] = [
  ['nothing at all', 'topic', {}],
  ['only stop words', 'topic', { words: 'the and of it' }],
  ['no words', 'topic', { words: '?! …' }],
  ['a keyword without letters', 'keywords', { keywords: ['star', '!!'] }],
  ['keywords that are all stop words', 'keywords', { keywords: ['the', 'of the'] }],
  ['one character of a script without spaces', 'keywords', { keywords: ['星'] }],
  ['a keyword that is a text', 'keywords', { keywords: ['word '.repeat(30)] }],
  ['only pages off topic', 'examples', { negative }],
  ['examples without text', 'examples', { positive: [pageText({}), pageText({ title: 'x' })] }],
  ['one page again and again', 'examples', { positive: [page!, page!, page!] }],
  ['a page both on and off topic', 'examples', { positive, negative: [page!] }],
  ['a keyword in a script no example has', 'keywords', { positive, keywords: ['звезда'] }],
  ['an unknown label', 'classifier', { model: { ...trained, method, wanted: ['cats'] } }],
  ['no label', 'classifier', { model: { ...trained, method, wanted: [] } }],
  ['all labels', 'classifier', { model: { ...trained, method, wanted: ['stars', 'others'] } }],
]

for (const [what, at, source] of REFUSED) {
  test(`${what} is refused, naming ${at}`, () => {
    assert.throws(
      () => buildTopic({ ...NONE, ...source }),
      (error) => error instanceof InvalidInput && error.at === at && error.message.length > 10,
    )
  })
}

test('fewer than three pages on topic are refused: everything would look like them', () => {
  const few = { ...NONE, positive: positive.slice(0, 2), negative }
  assert.throws(() => buildTopic(few), /2 pages on topic .*: give at least 3/)
  buildTopic({ ...NONE, positive: positive.slice(0, 3), negative })
})

test('stop words among keywords do no harm beside examples: languages are told by them', () => {
  assert.ok(opened({ positive, negative, keywords: ['the'] }).mentions('the') === 1)
})

test('an Indonesian topic is read with Indonesian stems', () => {
  const topic = opened({ keywords: ['kesehatan'], language: 'id' })
  assert.equal(topic.mentions('menyehatkan badan, kesehatannya'), 2)
})

test('stop words of both languages say nothing in a topic of words, whatever its language', () => {
  const page = (text: string) => pageText({ text })
  const topic = opened({ words: 'the vaksin dan sistem imun' })
  assert.equal(topic.mentions('dan the dan the'), 0)
  assert.ok(topic.mentions('bervaksin') > 0)
  assert.ok(!topic.judge(page('Ibu dan anak dan ayah pergi ke pasar dan pulang. '.repeat(20))).hot)
  for (const words of ['dan yang untuk', 'the and of', 'dan the', 'apakah itu']) {
    assert.throws(() => buildTopic({ ...NONE, words }), { at: 'topic', message: /only stop words/ })
    assert.throws(() => buildTopic({ ...NONE, keywords: words.split(' ') }), { at: 'keywords' })
  }
})

test("the user's own stop words count as such, and other words of the same stem do not", () => {
  const source = { ...NONE, words: 'vaksin gratis', stopWords: ['vaksin', 'gratis'] }
  assert.throws(() => buildTopic(source), { at: 'topic', message: /only stop words/ })
  assert.equal(opened({ ...source, words: 'vaksin imun' }).mentions('vaksin'), 0)
  // "guna" (for) is a stop word; "pengguna" (user) has the same stem and is not one.
  assert.equal(opened({ words: 'pengguna internet' }).mentions('pengguna'), 1)
})

test('words of a topic find other words of their family', () => {
  for (const [asked, found] of FAMILIES) {
    assert.equal(opened({ keywords: [asked] }).mentions(found), 1, `${asked} finds ${found}`)
    assert.equal(opened({ words: asked }).mentions(found), 1, `${asked} finds ${found}`)
  }
})

test('words that only ask for pages are no subject, wherever else they may be one', () => {
  const asked = (words: string) => opened({ words })
  for (const words of [
    'I am looking for pages about child health',
    'articles on child health',
    'saya ingin mencari halaman tentang child health',
  ]) {
    assert.equal(asked(words).mentions('look page article halaman cari'), 0, words)
    assert.ok(asked(words).mentions('child health') > 0, words)
  }
  assert.ok(asked('search engines').mentions('search') > 0)
  assert.ok(asked('news pages').mentions('news') > 0)
  assert.ok(asked('pages about this').mentions('pages') > 0)
})

test('a keyword that says its word twice, as Indonesian plurals do, is that word', () => {
  const topic = opened({ keywords: ['anak-anak', 'buku-buku sekolah'], language: 'id' })
  assert.equal(topic.mentions('seorang anak'), 1)
  assert.equal(topic.mentions('buku sekolah'), 1)
})
