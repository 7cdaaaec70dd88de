import assert from 'node:assert/strict'
import { test } from 'node:test'
import { canonicalise } from '../core/url.ts'
import { buildTopic } from './build-topic.ts'
import { openTopic } from './open-topic.ts'
import { languageInAddress, languageOfWords } from './words-language.ts'

test('a few words tell their language, though no running text is there', () => {
  for (const text of [
    'vaksin dan sistem imun',
    'penelitian',
    'harga saham',
    'jalur kereta api',
    'machine learning untuk pertanian',
  ]) {
    assert.equal(languageOfWords(text), 'id', text)
  }
  for (const text of [
    'solar power',
    'climate change',
    'the price of stocks',
    'data program bank',
  ]) {
    assert.equal(languageOfWords(text), 'en', text)
  }
})

test('words of other languages, and words of both, tell none', () => {
  for (const text of [
    '',
    '東京',
    'Impfung und Immunsystem',
    'photovoltaic inverter',
    'virus corona',
  ]) {
    assert.equal(languageOfWords(text), '', text)
  }
})

function url(text: string) {
  const canonical = canonicalise(text)
  assert.ok(canonical)
  return canonical
}

test('an address names a language by its tag as directory, end of a name, first label or parameter', () => {
  const named = {
    'http://a.test/latest/fr/text/main.html': 'fr',
    'http://a.test/browse/id-ID/index.html': 'id',
    'http://a.test/manuals/ch08.id.html': 'id',
    'http://a.test/stable/manual-pt_BR.html': 'pt',
    'http://a.test/fr': 'fr',
    'http://id.wiki.test/artikel/Laut': 'id',
    'http://a.test/help?page=2&lang=fr': 'fr',
    'http://a.test/docs/index.html.fr': 'fr',
    'http://a.test/tr/spec/fr/main.html': 'fr',
  }
  for (const [address, tag] of Object.entries(named)) {
    assert.equal(languageInAddress(url(address), ['fr', 'id', 'pt']), tag, address)
  }
})

test('two letters at other places of an address name no language', () => {
  const unnamed = [
    'http://a.test/view?id=3',
    'http://shop.fr/a',
    'http://id.test/',
    'http://a.test/id-card/',
    'http://a.test/frame.html',
    'http://a.test/cgi-bin/search.pl',
    'http://a.test/src/main.cs?x=1',
    'http://a.test/what-is-it.html',
  ]
  const wanted = ['fr', 'id', 'pl', 'cs']
  for (const address of unnamed) assert.equal(languageInAddress(url(address), wanted), '', address)
})

function evidenceOf(words: string): (address: string) => number {
  const source = { words, keywords: [], positive: [], negative: [], model: null, language: '' }
  const topic = openTopic(buildTopic(source), { hotThreshold: 0.5 })
  return (address) => topic.addressEvidence(url(address))
}

test('a topic that is a language follows addresses that name it before all others', () => {
  const evidence = evidenceOf('Pages written in French')
  const [own = 0, none = 0, other = 0] = ['fr', 'doc', 'de'].map((directory) =>
    evidence(`http://a.test/${directory}/index.html`),
  )
  assert.ok(own > none + 1)
  assert.ok(none >= other)
})

test('what may be the tag of another language does not speak against an address', () => {
  const evidence = evidenceOf('Pages written in French')
  const none = evidence('http://uni.test/jobs')
  for (const address of [
    'http://cs.uni.test/jobs',
    'http://it.uni.test/jobs',
    'http://uni.test/TR/jobs',
    'http://uni.test/hr/jobs',
    'http://uni.test/jobs.pl',
  ]) {
    assert.ok(evidence(address) > none - 0.5, `${address}: ${evidence(address)}, not ${none}`)
  }
})
