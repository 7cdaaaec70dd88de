import assert from 'node:assert/strict'
import { test } from 'node:test'
import { urlFor } from '../../test/contract/sample-page.ts'
import type { LearnedState } from '../frontier/url-states.ts'
import { DEFAULT_SETTINGS } from '../options/settings.ts'
import type { Candidate, Ordering } from '../ordering/ordering.ts'
import { explainScore } from './explanation.ts'

const CANDIDATE: Candidate = {
  url: urlFor('a.test/'),
  depth: 2,
  foundAt: 1,
  inLinks: 3,
  signals: [0.25, 4],
}
const OWN: Ordering = {
  name: 'own',
  about: '',
  rescoreOn: [],
  signals: ['parent', 'anchor', 'context'],
  options: [{ name: 'beta', help: '', default: 2, min: 0, max: 9 }],
  createScorer: ({ beta = 0 }) => ({ score: ({ signals }) => beta * (signals?.[0] ?? 0) }),
}
/** Adds what it has learned, and tells so. */
const LEARNING: Ordering = {
  ...OWN,
  name: 'learning',
  createScorer: () => {
    let learned = 0
    return {
      load: (bytes) => {
        learned = bytes[0] ?? 0
      },
      score: () => learned,
      explain: () => [{ name: 'learned', value: learned }],
    }
  },
}

function explained(ordering: string, changes: { learned?: LearnedState; given?: string } = {}) {
  const { learned, given } = changes
  const orderingOptions = given === undefined ? {} : { beta: given }
  const settings = { ...DEFAULT_SETTINGS, ordering, orderingOptions }
  const urlStates = {
    candidate: async () => CANDIDATE,
    learned: async () => (learned === undefined ? [] : [learned]),
  }
  return explainScore(urlStates, { settings, salt: 1 }, CANDIDATE.url, [OWN, LEARNING])
}

test('the parts of a score are the signals under their names, with the options that were chosen', async () => {
  assert.deepEqual(await explained('own', { given: '8' }), {
    options: { beta: 8 },
    score: 2,
    parts: [
      { name: 'parent', value: 0.25 },
      { name: 'anchor', value: 4 },
    ],
  })
  assert.equal((await explained('own'))?.score, 0.5)
})

test('an ordering that explains itself does so by what it had learned', async () => {
  const learned = { name: 'learning', bytes: new Uint8Array([7]) }
  const known = await explained('learning', { learned })
  assert.deepEqual([known?.score, known?.parts], [7, [{ name: 'learned', value: 7 }]])
  const others = { ...learned, name: 'another' }
  assert.equal((await explained('learning', { learned: others }))?.score, 0)
})

test('of an ordering or option that this version does not have, nothing is said', async () => {
  assert.equal(await explained('future'), null)
  assert.equal(await explained('own', { given: '99' }), null)
})
