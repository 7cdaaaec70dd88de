import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stemmerFor } from './stem.ts'
import { stopWordsFor } from './stop-words.ts'

test('for texts in both languages, words of each have their own stems', () => {
  const stem = stemmerFor('mul')
  const words = ['perjalanan', 'makanan', 'kelas', 'doctors', 'vaccines', 'running', 'films']
  assert.deepEqual(words.map(stem), ['jalan', 'makan', 'kelas', 'doctor', 'vaccin', 'run', 'film'])
})

test('for texts in both languages, stop words of both are left out', () => {
  const words = stopWordsFor('mul')
  assert.ok(words.has('yang') && words.has('the') && !words.has('dokter'))
})
