// Everyday topics as people type them, on the sample web, whose pages are known by their topic: what a
// crawl calls hot must be right, from the first page on, and most of what is there must be found.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type CanonicalUrl, canonicalise } from '../../src/core/url.ts'
import { seededRandom, shuffledNumbers } from '../../src/lib/seeded-random.ts'
import { pathOf, sectionAt } from '../../src/sample-web/path.ts'
import { titleOf, Writer } from '../../src/sample-web/prose.ts'
import { mix, Stream } from '../../src/sample-web/random.ts'
import { createSite, originAt } from '../../src/sample-web/site.ts'
import type { Language, TopicName } from '../../src/sample-web/vocabulary.ts'
import { buildTopic } from '../../src/topic/build-topic.ts'
import { openTopic } from '../../src/topic/open-topic.ts'
import type { PageText } from '../../src/topic/topic.ts'

type TruePage = PageText & { readonly topic: TopicName; readonly language: Language }

const HOSTS = 36
const PAGES = 12
const SENTENCES = { least: 15, more: 40 }
const SHOW = process.env.JELAJAH_SHOW_TOPICS !== undefined

const PAGES_IN_ORDER = writePages()

function writePages(): TruePage[] {
  const hosts = Array.from({ length: HOSTS }, (_, at) => {
    const language: Language = at % 4 === 3 ? 'en' : 'id'
    return { name: `host${at}`, pages: PAGES, language, style: 'news' as const }
  })
  const site = createSite({ seed: 5, hosts })
  const pages = site.hosts.flatMap((host) =>
    Array.from({ length: host.pages }, (_, index): TruePage => {
      const stream = new Stream(mix(host.key, index))
      const writer = new Writer(stream, host, index)
      return {
        url: canonicalise(`${originAt(host, 80)}${pathOf(host, index)}`) as CanonicalUrl,
        title: titleOf(host, index),
        description: '',
        text: writer.sentences(SENTENCES.least + stream.below(SENTENCES.more)),
        anchors: [],
        topic: sectionAt(host, index).topic.name,
        language: host.words.language,
      }
    }),
  )
  return [...shuffledNumbers(pages.length, seededRandom(3))].map((at) => pages[at]!)
}

const INDONESIAN: readonly (readonly [topic: TopicName, words: string])[] = [
  ['health', 'vaksin dan sistem imun'],
  ['health', 'pengobatan demam dan gejala penyakit'],
  ['health', 'cara menjaga kesehatan, tekanan darah dan gula darah'],
  ['travel', 'wisata ke pulau dengan kapal penyeberangan'],
  ['travel', 'mendaki gunung lewat jalur pendakian'],
  ['technology', 'keamanan jaringan dan kata sandi'],
  ['technology', 'basis data dan mesin pencari'],
  ['food', 'resep masakan dengan sambal dan santan'],
  ['food', 'memasak ikan bakar dengan bumbu kacang'],
  ['football', 'pertandingan sepak bola dan klasemen liga'],
  ['football', 'bertanding di laga tandang, tendangan penalti dan wasit'],
  ['finance', 'suku bunga bank dan pinjaman'],
  ['finance', 'cara menabung dan membayar pajak'],
  ['environment', 'banjir, curah hujan dan air tanah'],
  ['environment', 'pelestarian hutan bakau dan terumbu karang'],
  ['education', 'beasiswa dan ujian sekolah'],
  ['education', 'guru mengajar murid di ruang kelas'],
]
/** Words that stand on every other page here, or on none of those that are meant. */
const HARDER: readonly (readonly [topic: TopicName, words: string])[] = [
  ['health', 'obat sakit kepala dan demam pada anak'],
  ['food', 'resep soto ayam dan sayur lodeh untuk makan malam'],
  ['travel', 'liburan murah ke pantai dan penginapan'],
  ['technology', 'cara memperbaiki komputer dan memasang perangkat lunak'],
  ['finance', 'investasi saham dan cara mengatur keuangan rumah tangga'],
  ['finance', 'harga emas dan kredit rumah'],
  ['environment', 'pencemaran sungai, sampah plastik dan perubahan iklim'],
  ['education', 'kuliah di universitas dan biaya pendidikan anak'],
]
const ENGLISH: readonly (readonly [topic: TopicName, words: string])[] = [
  ['health', 'vaccines and the immune response'],
  ['travel', 'night trains, ferries and mountain trails'],
  ['technology', 'databases and search engines'],
  ['food', 'cooking with coconut milk and palm sugar'],
  ['football', 'football matches, penalty kicks and goalkeepers'],
  ['finance', 'interest rates, loans and share prices'],
  ['environment', 'mangroves, coral reefs and solar panels'],
  ['education', 'scholarships, exams and homework'],
]

/** Shares of the hot pages that are right, and of the right ones that are hot. */
function judged(words: string, topic: TopicName, language: Language) {
  const source = { words, keywords: [], positive: [], negative: [], model: null, language: '' }
  const opened = openTopic(buildTopic(source), { hotThreshold: 0.5 })
  const hot = PAGES_IN_ORDER.filter((page) => opened.judge(page).hot)
  const right = hot.filter((page) => page.topic === topic)
  const there = PAGES_IN_ORDER.filter((page) => page.topic === topic && page.language === language)
  const [precision, recall] = [right.length / hot.length, right.length / there.length]
  const figures = `${hot.length} hot, ${percent(precision)} right, ${percent(recall)} of ${there.length}`
  if (SHOW) console.log(`${topic.padEnd(12)} ${words.padEnd(58)} ${figures}`)
  return { precision, recall, figures, hot: hot.length, right: right.length }
}

function percent(share: number): string {
  return `${(100 * share).toFixed(0)} %`
}

for (const [language, topics] of [
  ['id', INDONESIAN],
  ['en', ENGLISH],
] as const) {
  for (const [topic, words] of topics) {
    test(`“${words}” finds pages about ${topic} and hardly any others`, () => {
      const { precision, recall, figures } = judged(words, topic, language)
      assert.ok(precision >= 0.9, figures)
      // Who names one thing of many wants only pages that have it.
      assert.ok(recall >= 0.2, figures)
    })
  }
}

test('sentences of common words find few pages rather than wrong ones', () => {
  const all = HARDER.map(([topic, words]) => judged(words, topic, 'id'))
  const sum = (key: 'hot' | 'right') => all.reduce((total, figures) => total + figures[key], 0)
  assert.ok(sum('right') >= 0.9 * sum('hot'), all.map(({ figures }) => figures).join('; '))
  assert.ok(sum('right') >= 100)
})
