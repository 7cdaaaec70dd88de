import assert from 'node:assert/strict'
import { test } from 'node:test'
import { robotsStateOf } from './robots-answer.ts'

test('an answer means rules, no rules, or that nothing is allowed for now', () => {
  const cases = {
    fetched: [200, 203, 206],
    unavailable: [400, 401, 403, 404, 408, 410, 451, 499],
    unreachable: [null, 100, 301, 304, 429, 500, 502, 503, 599, 600],
  }
  for (const [state, statuses] of Object.entries(cases)) {
    for (const status of statuses) assert.equal(robotsStateOf(status), state, String(status))
  }
})
