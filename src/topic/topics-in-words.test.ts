import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pageText, topicPages } from '../../test/support/topic-pages.ts'
import { buildTopic, type TopicSource } from './build-topic.ts'
import { openTopic } from './open-topic.ts'
import type { Topic } from './topic.ts'
import { shownIn } from './topic-record.ts'

const NONE: TopicSource = {
  words: '',
  keywords: [],
  positive: [],
  negative: [],
  model: null,
  language: '',
}

function opened(source: Partial<TopicSource>): Topic {
  return openTopic(buildTopic({ ...NONE, ...source }), { hotThreshold: 0.5 })
}

function shown(source: Partial<TopicSource>) {
  return shownIn(buildTopic({ ...NONE, ...source }))
}

test('a page full of the stop words of a topic is not hot', () => {
  const topic = opened({ words: 'vaksin dan sistem imun' })
  const text = 'Kami dan mereka pergi ke pasar dan pulang dengan yang lain dan lainnya. '
  const { hot, relevance } = topic.judge(pageText({ text: text.repeat(20) }))
  assert.equal(hot, false)
  assert.ok(relevance < 0.05)
  const about = 'Vaksin melatih sistem imun tubuh, dan imun yang baik menangkal virus. '
  assert.equal(topic.judge(pageText({ text: about.repeat(5) })).hot, true)
})

const FOREIGN_TOPICS: readonly (readonly [
  words: string,
  dropped: readonly string[],
  page: string,
])[] = [
  [
    'les vaccins et le système immunitaire',
    ['les', 'et', 'le'],
    'Les chats et le chien dorment sur le lit et les enfants jouent.',
  ],
  [
    'Impfung und das Immunsystem',
    ['und', 'das'],
    'Die Katze und das Kind spielen, und das Haus ist groß.',
  ],
  [
    'las vacunas y el sistema inmunitario',
    ['las', 'y', 'el'],
    'El gato y las niñas juegan en el jardín y las flores crecen.',
  ],
  ['вакцины и иммунная система', ['и'], 'Кошка и собака спят и едят и играют во дворе.'],
  [
    'vaccins en het immuunsysteem',
    ['en', 'het'],
    'De kat en het kind spelen in het huis en het is mooi.',
  ],
  ['szczepionki i układ odpornościowy', ['i'], 'Kot i pies śpią i jedzą i bawią się w domu.'],
  ['टीके और प्रतिरक्षा प्रणाली', ['और'], 'बिल्ली और कुत्ता घर में सोते और खाते और खेलते हैं।'],
]

for (const [words, dropped, page] of FOREIGN_TOPICS) {
  test(`the function words of “${words}” are no topic words`, () => {
    assert.deepEqual(shown({ words }).dropped, dropped)
    const topic = opened({ words })
    assert.ok(topic.judge(pageText({ text: `${page} `.repeat(10) })).relevance < 0.05)
    const about = words.repeat(3)
    assert.equal(topic.judge(pageText({ text: `${about} ${page} ` })).hot, true)
  })
}

test('a named language decides which function words are no topic words', () => {
  assert.deepEqual(shown({ words: 'energia solar ou vento', language: 'pt' }).dropped, ['ou'])
  assert.deepEqual(shown({ words: 'vent sous mer', language: 'pt' }).dropped, [])
})

test('words of English and Indonesian topics stay, though other languages have them', () => {
  for (const words of ['die casting', 'camper van conversion', 'vitamin c', 'red hat linux']) {
    assert.deepEqual(shown({ words }).dropped, [], words)
  }
  assert.deepEqual(shown({ words: 'resep mie ayam, pangsit' }).dropped, [])
})

test('a topic of nothing but foreign function words is still looked for', () => {
  assert.equal(shown({ words: 'sur', language: 'fr' }).words.length, 1)
})

test('words of a topic are shown with their stems, as typed, and which were dropped', () => {
  const { words, dropped } = shown({ words: 'Pertandingan dan bertanding di stadion' })
  assert.deepEqual(dropped, ['dan', 'di'])
  assert.deepEqual(
    words.map(({ stem, forms }) => [stem, forms]),
    [
      ['tanding', ['pertandingan', 'bertanding']],
      ['stadion', ['stadion']],
    ],
  )
  for (const { weight } of words) assert.ok(weight > 0)
})

test('a word that most pages have weighs less than a rare one', () => {
  const { words } = shown({ words: 'resep rumah' })
  assert.deepEqual(
    words.map(({ stem }) => stem),
    ['resep', 'rumah'],
  )
  assert.ok(words[0]!.weight > 1.3 * words[1]!.weight)
})

test('a phrase among keywords is shown whole and weighs more than its words', () => {
  const { words } = shown({ keywords: ['sepak bola', 'dan'] })
  assert.deepEqual(words[0], { stem: 'sepak bola', forms: ['sepak bola'], weight: 1 })
  assert.ok(words.slice(1).every(({ weight }) => weight < 0.5))
})

test('the words that examples speak for are shown', () => {
  const { words } = shown({
    positive: topicPages('stars', 20, 1),
    negative: topicPages('others', 40, 2),
  })
  assert.ok(words.length > 5)
  assert.ok(words.some(({ stem }) => stem === 'telescop'))
})

const FRENCH =
  'Les pages que vous lisez ici sont écrites pour ceux qui aiment la langue et ne veulent pas la perdre. '
const ENGLISH =
  'The pages that you read here are written for those who love the language and would not lose it. '
const INDONESIAN =
  'Halaman yang Anda baca di sini ditulis untuk mereka yang mencintai bahasa dan tidak ingin kehilangan. '

const LANGUAGE_TOPICS: readonly (readonly [words: string, on: string, off: string])[] = [
  ['Pages written in French', FRENCH, ENGLISH],
  ['French pages', FRENCH, INDONESIAN],
  ['halaman berbahasa Indonesia', INDONESIAN, ENGLISH],
  ['artikel dalam bahasa Prancis', FRENCH, INDONESIAN],
]

for (const [words, on, off] of LANGUAGE_TOPICS) {
  test(`“${words}” means pages by their language, whatever they are about`, () => {
    const topic = opened({ words })
    assert.equal(topic.judge(pageText({ text: on.repeat(3) })).hot, true)
    assert.equal(topic.judge(pageText({ text: off.repeat(3) })).hot, false)
    assert.ok(topic.evidence(on) > topic.evidence(off))
    const name = on === FRENCH ? 'Français' : 'Bahasa Indonesia'
    assert.ok(topic.evidence(name) > topic.evidence('Deutsch') + 1)
  })
}

test('every language that a page can be told by can be named, also by its usual other names', () => {
  const named: readonly (readonly [words: string, languages: readonly string[]])[] = [
    ['pages in Bengali', ['bn']],
    ['Pages written in Tamil and Hindi', ['ta', 'hi']],
    ['Bulgarian texts', ['bg']],
    ['halaman berbahasa Mandarin', ['zh']],
    ['artikel bahasa Polandia', ['pl']],
  ]
  for (const [words, languages] of named) {
    assert.deepEqual(buildTopic({ ...NONE, words }).languages, languages, words)
  }
  const topic = opened({ words: 'pages in Bengali' })
  const bengali = 'এটি একটি বাংলা পাতা যা বাংলায় লেখা হয়েছে '
  assert.equal(topic.judge(pageText({ text: bengali.repeat(3) })).hot, true)
  assert.equal(topic.judge(pageText({ text: ENGLISH.repeat(3) })).hot, false)
})

test('a language beside a subject is a word like others', () => {
  for (const words of [
    'French cuisine',
    'learning French',
    'sejarah bahasa Indonesia',
    'Indonesia',
  ]) {
    assert.notEqual(buildTopic({ ...NONE, words }).judge, 'language')
  }
})

test('topics that were kept before are opened, but those of words, which were judged otherwise', () => {
  const examples = { positive: topicPages('stars', 5, 1), negative: topicPages('others', 20, 2) }
  const { shown: _, languages: __, ...kept } = buildTopic({ ...NONE, ...examples })
  openTopic({ ...kept, version: 1 }, { hotThreshold: 0.5 })
  const words = buildTopic({ ...NONE, words: 'telescopes' })
  assert.throws(() => openTopic({ ...words, version: 1 }, { hotThreshold: 0.5 }), /version 1/)
})
