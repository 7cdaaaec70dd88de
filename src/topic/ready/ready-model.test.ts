import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readTopicTexts } from '../../../training/topics/read-texts.ts'
import { modelOf } from '../../../training/topics/train-topics.ts'
import { NO_TOPIC, READY_TOPICS } from '../../core/topic-text.ts'
import { likeliest } from '../linear-classifier.ts'
import { decodeModel } from '../model-file.ts'
import { createTextReader } from '../reading.ts'
import { MODEL } from './model.ts'
import { readyModel } from './ready-model.ts'

const model = decodeModel(readyModel(), 'the model')

function topicOf(text: string): string {
  const { logisticRegression: judge, reading } = model
  const shares = judge.probabilities(createTextReader(reading).count(text))
  return judge.labels[likeliest(shares)] ?? ''
}

test('the model has one label per ready topic, and one for everything else', () => {
  const names = READY_TOPICS.map(({ name }) => name)
  assert.deepEqual([...model.logisticRegression.labels].sort(), [...names, NO_TOPIC].sort())
})

test('the model is small', () => {
  assert.ok(MODEL.length < 200_000, `${MODEL.length} bytes`)
})

test('training on the texts beside it makes the same model again', () => {
  const { accuracy } = JSON.parse(readyModel())
  assert.equal(modelOf(readTopicTexts(), accuracy), readyModel())
})

test('a topic has the same number of texts in both languages, and none twice', () => {
  const count = (language: 'en' | 'id') =>
    Object.groupBy(readTopicTexts([language]), ({ label }) => label)
  const [english, indonesian] = [count('en'), count('id')]
  for (const [label, texts = []] of Object.entries(english)) {
    assert.equal(indonesian[label]?.length, texts.length, label)
  }
  const all = readTopicTexts().map(({ text }) => text)
  assert.equal(new Set(all).size, all.length)
})

for (const [text, topic] of [
  ['The vaccine is safe, and doctors at the clinic give it to every patient.', 'health'],
  ['Dokter di rumah sakit memeriksa pasien yang terkena penyakit jantung.', 'health'],
  ['Pelatih dan pemain merayakan gol kemenangan di stadion.', 'sport'],
  ['Bank sentral menaikkan suku bunga karena inflasi.', 'economy'],
  ['Parties nominate candidates for the presidential election.', 'politics'],
  ['Polisi menahan tersangka pencurian sepeda motor.', 'other'],
] as const) {
  test(`"${text}" is about ${topic}`, () => assert.equal(topicOf(text), topic))
}
