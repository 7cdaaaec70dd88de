import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cosine } from './cosine.ts'
import { DocumentFrequencies } from './document-frequencies.ts'
import { centroid } from './term-vector.ts'
import { createTermReader } from './terms.ts'
import { tfIdf } from './tf-idf.ts'

const reader = createTermReader('en')
const vectorOf = (text: string, frequencies?: DocumentFrequencies) =>
  tfIdf(reader.count(text), frequencies)

const HEALTH = 'Doctors in hospitals treat patients with infectious disease and fever.'
const MORE_HEALTH = 'A hospital doctor explains how a fever of a patient shows disease.'
const SPORT = 'The striker scored two goals in the final match of the league.'

test('a text is like itself, and like nothing with which it shares no term', () => {
  assert.ok(Math.abs(cosine(vectorOf(HEALTH), vectorOf(HEALTH)) - 1) < 1e-12)
  assert.equal(cosine(vectorOf(HEALTH), vectorOf(SPORT)), 0)
  assert.equal(cosine(vectorOf(HEALTH), vectorOf('')), 0)
  assert.equal(cosine(vectorOf(''), vectorOf('')), 0)
})

test('likeness goes both ways, whichever was looked up before', () => {
  const [a, b] = [vectorOf(HEALTH), vectorOf(`${MORE_HEALTH} ${SPORT}`)]
  const first = cosine(a, b)
  assert.equal(cosine(b, a), first)
  a.weightOf(1)
  assert.ok(Math.abs(cosine(a, b) - first) < 1e-12)
  assert.ok(first > 0 && first < 1)
})

test('texts on one topic are more alike than others', () => {
  const topic = vectorOf(HEALTH)
  assert.ok(cosine(topic, vectorOf(MORE_HEALTH)) > cosine(topic, vectorOf(`${SPORT} disease`)))
})

test('a term that all documents have weighs less than a rare one', () => {
  const frequencies = new DocumentFrequencies()
  for (const text of ['page fever', 'page match', 'page goal'])
    frequencies.learn(reader.count(text))
  const vector = vectorOf('page fever', frequencies)
  assert.ok(vector.weightOf(reader.termOf('fever')) > vector.weightOf(reader.termOf('page')))
  assert.equal(vector.weightOf(reader.termOf('league')), 0)
})

test('the tenth mention weighs more than the first, but not ten times', () => {
  const vector = vectorOf(`match ${'goal '.repeat(10)}`)
  const ratio = vector.weightOf(reader.termOf('goal')) / vector.weightOf(reader.termOf('match'))
  assert.ok(ratio > 2 && ratio < 4)
})

test('a centroid is near each of its texts and does not care for their length', () => {
  const middle = centroid([vectorOf(HEALTH), vectorOf(SPORT), vectorOf('')])
  const long = centroid([vectorOf(HEALTH), vectorOf(SPORT), vectorOf('')])
  assert.ok(Math.abs(cosine(middle, vectorOf(HEALTH)) - cosine(middle, vectorOf(SPORT))) < 1e-9)
  assert.equal(cosine(middle, long) > 0.999999, true)
})
