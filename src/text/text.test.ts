import assert from 'node:assert/strict'
import { test } from 'node:test'
import { canonicalTag, primaryLanguage } from './text.ts'

test('a tag’s language is recognised in any spelling', () => {
  const cases = { en: 'en', 'EN-us': 'en', ' id_ID': 'id', in: 'id', fil: 'tl', 'nb-NO': 'no' }
  for (const [tag, language] of Object.entries(cases)) assert.equal(primaryLanguage(tag), language)
  for (const tag of ['', 'indonesia', '-', 'x', '12', '\0', 'e'.repeat(1_000_000)]) {
    assert.equal(primaryLanguage(tag), '')
  }
})

test('a canonical tag keeps language, script and region only', () => {
  const cases = {
    'ZH-hans-cn': 'zh-Hans-CN',
    'es-419': 'es-419',
    'de-DE-1996': 'de-DE',
    'en-x-private': 'en',
    iw: 'he',
    und: '',
    english: '',
  }
  for (const [tag, canonical] of Object.entries(cases)) assert.equal(canonicalTag(tag), canonical)
})
