import assert from 'node:assert/strict'
import { test } from 'node:test'
import { canonicalise } from '../core/url.ts'
import type { Lease } from '../frontier/frontier.ts'
import { ParserBacklog, SiteBackpressure } from './parser-link.ts'

function leaseAt(host: string, kind: Lease['kind'] = 'page'): Lease {
  const place = { url: canonicalise(`http://${host}/`)!, host, depth: 0, hops: 0 }
  return { kind, id: 1, token: 1, tries: 1, hostFailures: 0, delayMs: 0, ...place } as Lease
}

function rig() {
  const ended: string[] = []
  const backlog = new ParserBacklog()
  const backpressure = new SiteBackpressure(
    { requestEnded: ({ host, kind }) => ended.push(`${kind} ${host}`) },
    backlog,
  )
  return { ended, backlog, backpressure }
}

test('a host whose pages wait for the parser is busy until some were read, others are not', () => {
  const { ended, backlog, backpressure } = rig()
  for (let page = 0; page < 200; page += 1) backlog.add(`${page}.many.test`, 1000)
  backlog.add('few.test', 1000)
  backpressure.requestEnded(leaseAt('1.many.test'), { ok: true })
  backpressure.requestEnded(leaseAt('few.test'), { ok: true })
  backpressure.requestEnded(leaseAt('2.many.test', 'robots'), { ok: true })
  assert.deepEqual(ended, ['page few.test', 'robots 2.many.test'])
  backpressure.release()
  assert.equal(ended.length, 2)
  for (let page = 0; page < 150; page += 1) backlog.remove(`${page}.many.test`, 1000)
  backpressure.release()
  assert.deepEqual(ended.at(-1), 'page 1.many.test')
})

test('few and long pages keep their host busy as well', () => {
  const { ended, backlog, backpressure } = rig()
  backlog.add('long.test', 20 * 1024 * 1024)
  backpressure.requestEnded(leaseAt('long.test'), { ok: true })
  assert.deepEqual(ended, [])
  backpressure.turnOff()
  assert.deepEqual(ended, ['page long.test'])
})

test('one site never has all that may wait', () => {
  const backlog = new ParserBacklog()
  while (!backlog.isBehind('a.test')) backlog.add('a.test', 10)
  assert.equal(backlog.isFull, false)
  while (!backlog.isBehind('b.test')) backlog.add('b.test', 10)
  assert.equal(backlog.isFull, false)
})
