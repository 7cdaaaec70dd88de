import assert from 'node:assert/strict'
import { test } from 'node:test'
import { canonicalise } from '../core/url.ts'
import type { Lease } from '../frontier/frontier.ts'
import { Landings } from './landings.ts'
import { Unanswered } from './unanswered.ts'

function leaseAt(host: string, kind: Lease['kind'] = 'page'): Lease {
  const place = { url: canonicalise(`http://${host}/`)!, host, depth: 0, hops: 0 }
  return { kind, id: 1, token: 1, tries: 1, hostFailures: 0, delayMs: 0, ...place } as Lease
}

function rig() {
  const landed: string[] = []
  const waiting = new Unanswered()
  const landings = new Landings({
    frontier: { requestEnded: ({ host, kind }) => landed.push(`${kind} ${host}`) },
    isBehind: (site) => waiting.isBehind(site),
  })
  return { landed, waiting, landings }
}

test('a host whose pages wait for the parser is busy until some were read, others are not', () => {
  const { landed, waiting, landings } = rig()
  for (let page = 0; page < 200; page += 1) waiting.add(`${page}.many.test`, 1000)
  waiting.add('few.test', 1000)
  landings.land(leaseAt('1.many.test'), { ok: true })
  landings.land(leaseAt('few.test'), { ok: true })
  landings.land(leaseAt('2.many.test', 'robots'), { ok: true })
  assert.deepEqual(landed, ['page few.test', 'robots 2.many.test'])
  landings.look()
  assert.equal(landed.length, 2)
  for (let page = 0; page < 150; page += 1) waiting.remove(`${page}.many.test`, 1000)
  landings.look()
  assert.deepEqual(landed.at(-1), 'page 1.many.test')
})

test('few and long pages keep their host busy as well', () => {
  const { landed, waiting, landings } = rig()
  waiting.add('long.test', 20 * 1024 * 1024)
  landings.land(leaseAt('long.test'), { ok: true })
  assert.deepEqual(landed, [])
  landings.end()
  assert.deepEqual(landed, ['page long.test'])
})

test('one site never has all that may wait', () => {
  const waiting = new Unanswered()
  while (!waiting.isBehind('a.test')) waiting.add('a.test', 10)
  assert.equal(waiting.isFull, false)
  while (!waiting.isBehind('b.test')) waiting.add('b.test', 10)
  assert.equal(waiting.isFull, false)
})
