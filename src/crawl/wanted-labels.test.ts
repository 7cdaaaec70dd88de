import assert from 'node:assert/strict'
import { test } from 'node:test'
import { wantedLabels } from './wanted-labels.ts'

const LABELS = ['health', 'science, technology', 'Sports']

test('a label is named in any case, several with commas between them', () => {
  assert.deepEqual(wantedLabels('HEALTH', LABELS, 'm'), ['health'])
  assert.deepEqual(wantedLabels('sports, health', LABELS, 'm'), ['Sports', 'health'])
  assert.deepEqual(wantedLabels('Science, Technology', LABELS, 'm'), ['science, technology'])
})

test('of several labels one must be named, and the message lists them', () => {
  assert.throws(
    () => wantedLabels('', LABELS, 'm.json'),
    /m.json tells these apart: health, science, technology, Sports; say which with --topic/,
  )
})

test('a label that the model does not have is answered with those it has', () => {
  const unknown = () => wantedLabels('health,cooking', LABELS, 'm.json')
  assert.throws(unknown, /not "cooking"; m.json has: health, /)
})

test('of a positive and a negative label the positive one is meant', () => {
  assert.deepEqual(wantedLabels('', ['negative', 'positive'], 'm'), ['positive'])
  assert.deepEqual(wantedLabels('', ['0', '1'], 'm'), ['1'])
  assert.deepEqual(wantedLabels('negative', ['negative', 'positive'], 'm'), ['negative'])
  assert.throws(() => wantedLabels('', ['cats', 'dogs'], 'm'), /cats, dogs/)
})
