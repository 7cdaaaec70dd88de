import assert from 'node:assert/strict'
import { test } from 'node:test'
import { madeUpSummary } from '../../test/simulate/made-up.ts'
import { toJson } from './to-json.ts'

const FACTS = {
  web: 'small',
  command: 'jelajah simulate',
  delayMs: null,
  judgedBy: 'truth',
} as const

test('the shape that programs rely on', () => {
  const json = toJson(madeUpSummary({ orderings: ['opic', 'adaptive'], seeds: 2 }), FACTS)
  assert.deepEqual(Object.keys(json), [
    ...['format', 'version', 'web', 'command', 'delay_ms', 'judged_by', 'topics', 'seeds'],
    ...['checkpoints', 'shares', 'measures', 'lead', 'orderings', 'duels', 'references'],
  ])
  assert.deepEqual(json.checkpoints, [0.02, 0.05, 0.1, 0.2])
  assert.deepEqual(json.lead, { measure: 'nauc20', share: null })
  const [first] = json.orderings
  assert.deepEqual(Object.keys(first!), [
    ...['name', 'ordering', 'host_policy', 'spread', 'singles', 'checkpoints', 'curves', 'hours'],
    'topics',
  ])
  assert.equal(first!.name, 'adaptive')
  assert.equal(first!.topics.length, 3)
  assert.deepEqual(Object.keys(first!.curves), [
    ...['harvest', 'recall', 'of_ideal', 'relevant_hosts', 'pagerank_sum', 'cs_pagerank'],
    ...['cs_in_degree', 'st_pagerank', 'st_in_degree', 'jain', 'gini', 'entropy'],
  ])
})

test('every name of a figure is described, and curves have a value per share', () => {
  const json = toJson(madeUpSummary({ orderings: ['adaptive'] }), FACTS)
  const [only] = json.orderings
  const described = json.measures.map(({ name }) => name)
  assert.deepEqual(described, [...Object.keys(only!.singles), ...Object.keys(only!.curves)])
  for (const curve of Object.values(only!.curves)) assert.equal(curve.length, json.shares.length)
  const at = json.shares.indexOf(0.05)
  assert.equal(only!.checkpoints.harvest![1], only!.curves.harvest![at])
})

test('what was not measured is null, and nothing gets lost on the way through text', () => {
  const json = toJson(madeUpSummary({ upTo: 0.07 }), FACTS)
  assert.equal(json.orderings[0]!.singles.nauc20, null)
  assert.deepEqual(json.orderings[0]!.checkpoints.recall!.slice(2), [null, null])
  assert.deepEqual(JSON.parse(JSON.stringify(json)), json)
})

test('each pair of orderings is compared once', () => {
  const json = toJson(madeUpSummary({ orderings: ['adaptive', 'opic', 'location'] }), FACTS)
  assert.equal(json.duels.length, 3)
  for (const { a_wins, b_wins, topics } of json.duels) assert.ok(a_wins + b_wins <= topics)
})

test('equal input gives equal text', () => {
  const text = () => JSON.stringify(toJson(madeUpSummary({ seeds: 2 }), FACTS))
  assert.equal(text(), text())
})
