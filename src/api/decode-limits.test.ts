import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RIG_SETTINGS } from '../../test/support/api-rig.ts'
import { DEFAULT_CEILINGS } from '../options/job-ceilings.ts'
import { DEFAULT_SETTINGS } from '../options/settings.ts'
import { decodeLimits } from './decode-limits.ts'
import { BadFields } from './errors.ts'

const WORLD = { settings: RIG_SETTINGS, dispatcher: { maxConnections: 128 } }

function decoded(body: unknown, settings = {}) {
  return decodeLimits(body, { ...DEFAULT_SETTINGS, ...settings }, WORLD)
}

function refused(body: unknown, settings = {}): Readonly<Record<string, string>> {
  try {
    decoded(body, settings)
  } catch (error) {
    if (!(error instanceof BadFields)) throw error
    return Object.fromEntries(error.problems.map(({ at, message }) => [at, message]))
  }
  assert.fail('it was taken')
}

test('limits are read under all their names, and nothing is no limit', () => {
  for (const body of [undefined, null, {}, { max_pages: null }]) assert.deepEqual(decoded(body), {})
  assert.deepEqual(decoded({ limit: 20, depth: 4, duration: 1.5 }), {
    ...{ maxPages: 20, maxDepth: 4, durationMs: 1500 },
  })
  const focused = { topic: 'kopi' }
  assert.deepEqual(decoded({ max_hot: 7, harvest_floor: 5 }, focused), {
    ...{ maxHot: 7, harvestFloor: 0.05 },
  })
})

test('all that cannot be changed, is unknown or wrong is named at once', () => {
  const problems = refused({ max_pages: 0, topic: 'teh', url: 'a.test', maxdepth: 3, max_hot: 2 })
  assert.deepEqual(Object.keys(problems).toSorted(), [
    ...['max_hot', 'max_pages', 'maxdepth', 'topic', 'url'],
  ])
  assert.match(problems.topic ?? '', /goes on as it was asked for, but for max_pages, max_depth/)
  assert.match(problems.maxdepth ?? '', /did you mean "max_depth"/)
  assert.match(problems.max_hot ?? '', /needs a topic/)
  assert.throws(() => decoded([1]), /JSON object such as \{"max_pages": 500\}/)
})

test('a job goes on within the ceilings of the server', () => {
  const ceilings = { ...DEFAULT_CEILINGS, maxPages: 50, maxDurationMs: 10_000 }
  const world = { ...WORLD, settings: { ...RIG_SETTINGS, ceilings } }
  const limits = (body: unknown) => decodeLimits(body, DEFAULT_SETTINGS, world)
  assert.deepEqual(limits({ max_pages: 50, duration: 10 }), { maxPages: 50, durationMs: 10_000 })
  assert.throws(() => limits({ max_pages: 51 }), /at most 50 on this server/)
  assert.throws(() => limits({ duration: 11 }), /at most 10 on this server/)
})
