import assert from 'node:assert/strict'
import { test } from 'node:test'
import { languageOfWords } from './words-language.ts'

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
