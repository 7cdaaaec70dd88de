import assert from 'node:assert/strict'
import { test } from 'node:test'
import { urlOf } from '../../test/contract/frontier/rig.ts'
import { DEFAULT_SETTINGS } from '../options/settings.ts'
import { type Criteria, criteriaOf, reopenedBy } from './reopened-refusals.ts'

const NOW = criteriaOf({
  ...{ id: 1, name: 'undone', seeds: [urlOf('a.test/')], topic: null, salt: 7, origin: 'cli' },
  settings: DEFAULT_SETTINGS,
})

test('traps of before there were budgets are judged again, and those of the same rules are not', () => {
  const { hostBudget, domainBudget, ...before } = NOW
  assert.ok(hostBudget.requests > 0 && domainBudget.requests > 0)
  assert.ok(reopenedBy([before as Criteria], NOW).has('trap'))
  assert.ok(!reopenedBy([NOW], { ...NOW, scope: 'any' }).has('trap'))
})
