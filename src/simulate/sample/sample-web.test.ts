import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeWorld } from '../made-world.ts'
import { reachableFrom } from '../reach.ts'
import { readTopics } from '../topics-file.ts'
import { readTruth } from '../truth-file.ts'
import { sampleTopics, sampleTruth } from './sample-topics.ts'
import { makeSampleWeb } from './sample-web.ts'
import { SAMPLE_TOPICS } from './sample-words.ts'

const WEB = makeSampleWeb()
const WORLD = makeWorld(WEB.pages)

test('the sample web has pages on many sites, each with an address of its own', () => {
  assert.ok(WORLD.alive > 2000)
  assert.equal(new Set(WORLD.urls).size, WORLD.alive)
  assert.ok(new Set(WORLD.hostOf).size > 50)
})

test('all of it can be reached from the portal', () => {
  const reached = reachableFrom([WORLD.find(WEB.seed)!], WORLD.links)
  assert.ok(reached.every((mark) => mark === 1))
})

test('its topics and its truth are files as people would give them', () => {
  const topics = readTopics(sampleTopics(WEB), 'topics')
  const truth = readTruth(sampleTruth(WEB), 'truth', WORLD)
  assert.deepEqual(
    topics.map(({ id }) => id),
    SAMPLE_TOPICS.map(({ id }) => id),
  )
  assert.equal(truth.known, WORLD.alive)
  for (const { id, positive, negative } of topics) {
    const marks = truth.topics.get(id)!
    assert.ok(positive.every((url) => marks[WORLD.find(url)!] === 1))
    assert.ok(negative.every((url) => marks[WORLD.find(url)!] === 0))
    assert.ok(marks.reduce((sum, mark) => sum + mark, 0) > 50)
  }
})

test('the same number makes the same web, another one another', () => {
  assert.deepEqual(makeSampleWeb(), WEB)
  assert.notDeepEqual(makeSampleWeb(2).pages.length, WEB.pages.length)
})
