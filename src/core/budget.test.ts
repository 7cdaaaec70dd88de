import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  DEFAULT_HOST_BUDGET,
  decodeBudget,
  encodeBudget,
  NO_COSTS,
  nothingSpent,
  overBudget,
  requestsAllowed,
} from './budget.ts'

test('a budget is read as it is written, and what is not named has its default', () => {
  const budget = decodeBudget('requests=5, cpu=0', DEFAULT_HOST_BUDGET)
  assert.deepEqual(budget, { ...DEFAULT_HOST_BUDGET, requests: 5, cpu: 0 })
  assert.deepEqual(decodeBudget(encodeBudget(budget), NO_COSTS), budget)
  for (const wrong of [
    '',
    'requests',
    'requests=',
    'requests=-1',
    'pages=5',
    'bytes=1e9',
    'cpu=1,',
  ]) {
    assert.throws(() => decodeBudget(wrong, NO_COSTS), /needs requests=N/, wrong)
  }
})

test('a budget ends with what it limits, and 0 is no limit', () => {
  const spent = { ...nothingSpent(), requests: 10, cpu: 2999 }
  assert.equal(overBudget('host', spent, NO_COSTS), null)
  assert.equal(overBudget('host', spent, { ...NO_COSTS, requests: 11, cpu: 3 }), null)
  assert.equal(overBudget('host', spent, { ...NO_COSTS, requests: 10 }), 'budget-host-requests: 10')
  assert.equal(overBudget('domain', spent, { ...NO_COSTS, cpu: 2 }), 'budget-domain-cpu: 2')
})

test('the requests of a crawl grow with its pages, unless they are given', () => {
  assert.equal(requestsAllowed({ maxRequests: null, maxPages: 20 }), 2400)
  assert.equal(requestsAllowed({ maxRequests: 7, maxPages: 20 }), 7)
})
