import assert from 'node:assert/strict'
import { test } from 'node:test'
import { canonicalise } from '../core/url.ts'
import { languageInAddress } from './address-language.ts'
import { buildTopic } from './build-topic.ts'
import { openTopic } from './open-topic.ts'

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
  }
  for (const [address, tag] of Object.entries(named)) {
    assert.equal(languageInAddress(url(address)), tag, address)
  }
})

test('two letters at other places of an address name no language', () => {
  const unnamed = [
    'http://a.test/view?id=3',
    'http://shop.fr/a',
    'http://id.test/',
    'http://a.test/id-card/',
    'http://a.test/frame.html',
  ]
  for (const address of unnamed) assert.equal(languageInAddress(url(address)), '', address)
})

test('a topic that is a language follows addresses that name it before those that name another', () => {
  const source = { words: 'Pages written in French', keywords: [], positive: [], negative: [] }
  const record = buildTopic({ ...source, model: null, language: '' })
  const topic = openTopic(record, { hotThreshold: 0.5 })
  const [own, none, other] = ['fr', 'doc', 'de'].map((directory) =>
    topic.addressEvidence(url(`http://a.test/${directory}/index.html`)),
  )
  assert.ok(own !== undefined && none !== undefined && other !== undefined)
  assert.ok(own > none && none > other)
})
