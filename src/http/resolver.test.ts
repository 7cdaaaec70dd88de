import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { ManualClock } from '../lib/clock.ts'
import { type Answer, LookupError, Resolver } from './resolver.ts'

const SILENT = 'silent'

/** Answers by name: addresses, an error code, or `silent` for none at all. */
function make(answers: Record<string, string> = {}, options: { maxEntries?: number } = {}) {
  const asked: string[] = []
  const clock = new ManualClock()
  const lookup = async (name: string): Promise<Answer> => {
    asked.push(name)
    const answer = answers[name] ?? 'ENOTFOUND'
    if (answer === SILENT) return new Promise(() => {})
    if (answer.startsWith('E')) throw new LookupError(answer)
    const [addresses = '', ttl] = answer.split(' ttl ')
    const held = ttl === undefined ? {} : { ttlMs: Number(ttl) * 1000 }
    return { addresses: addresses.split(' '), ...held }
  }
  return { answers, asked, clock, resolver: new Resolver({ lookup, clock, ...options }) }
}

test('an answer is remembered for a minute at least, and ten at most', async () => {
  const times: readonly [string, number][] = [
    ['1.2.3.4 2606::1', 60_000],
    ['1.2.3.4 ttl 0', 60_000],
    ['1.2.3.4 ttl 200', 200_000],
    ['1.2.3.4 ttl 86400', 600_000],
  ]
  for (const [answer, ms] of times) {
    const { asked, clock, resolver } = make({ 'a.test': answer })
    const { addresses } = await resolver.resolve('a.test')
    assert.equal(addresses?.[0], '1.2.3.4')
    clock.advance(ms - 1)
    await resolver.resolve('a.test')
    assert.equal(asked.length, 1, answer)
    clock.advance(1)
    await resolver.resolve('a.test')
    assert.equal(asked.length, 2, answer)
  }
})

test('an old answer serves while the name is asked for again, and when that fails, for a while', async () => {
  const { answers, asked, clock, resolver } = make({ 'a.test': '1.2.3.4' })
  await resolver.resolve('a.test')
  clock.advance(60_000)
  answers['a.test'] = '5.6.7.8'
  assert.deepEqual(resolver.known('a.test'), { addresses: ['1.2.3.4'] })
  await turn()
  assert.deepEqual(resolver.known('a.test'), { addresses: ['5.6.7.8'] })
  answers['a.test'] = 'ESERVFAIL'
  clock.advance(60_000)
  resolver.known('a.test')
  await turn()
  assert.equal(asked.length, 3)
  assert.deepEqual(resolver.known('a.test'), { addresses: ['5.6.7.8'] })
  clock.advance(299_999)
  assert.deepEqual(resolver.known('a.test'), { addresses: ['5.6.7.8'] })
  clock.advance(1)
  assert.deepEqual(await resolver.resolve('a.test'), { addresses: null, code: 'ESERVFAIL' })
})

test('a name that is gone is gone at once, whatever was known of it', async () => {
  const { answers, clock, resolver } = make({ 'a.test': '1.2.3.4' })
  await resolver.resolve('a.test')
  answers['a.test'] = 'ENOTFOUND'
  clock.advance(60_000)
  await resolver.resolve('a.test')
  await turn()
  assert.deepEqual(resolver.known('a.test'), { addresses: null, code: 'ENOTFOUND' })
})

test('a missing name is remembered for a short while, a broken resolver even shorter', async () => {
  const { asked, clock, resolver } = make({ 'sick.test': 'ESERVFAIL' })
  assert.deepEqual(await resolver.resolve('no.test'), { addresses: null, code: 'ENOTFOUND' })
  assert.deepEqual(await resolver.resolve('sick.test'), { addresses: null, code: 'ESERVFAIL' })
  clock.advance(5000)
  await resolver.resolve('no.test')
  await resolver.resolve('sick.test')
  assert.deepEqual(asked, ['no.test', 'sick.test', 'sick.test'])
  clock.advance(25_000)
  assert.equal(resolver.known('no.test'), null)
})

test('names asked for at the same time are looked up once', async () => {
  const { asked, resolver } = make({ 'a.test': '1.2.3.4' })
  await Promise.all([resolver.resolve('a.test'), resolver.resolve('a.test')])
  assert.equal(asked.length, 1)
})

test('a name that gives no answer has failed when its time is over', async () => {
  const resolver = new Resolver({ lookup: () => new Promise(() => {}), deadlineMs: 5 })
  assert.deepEqual(await resolver.resolve('a.test'), { addresses: null, code: 'ETIMEOUT' })
})

test('nobody waits long for a slow name, and the second to ask does not wait at all', async () => {
  const { answers, asked, clock, resolver } = make({ 'a.test': SILENT, 'b.test': '1.2.3.4' })
  assert.equal(await resolver.await('b.test', 10), 0)
  assert.equal(await resolver.await('a.test', 1), 500)
  clock.advance(4_000)
  assert.equal(await resolver.await('a.test', 500), 4_000, 'the longer it takes, the later again')
  clock.advance(4_000)
  assert.equal(await resolver.await('a.test', 500), 2_500, 'but not beyond its end')
  assert.deepEqual(asked, ['b.test', 'a.test'])
  assert.equal(answers['b.test'], '1.2.3.4')
})

test('however many names of one domain are silent, those of others are asked for', async () => {
  const silent = Array.from({ length: 300 }, (_, n) => `s${n}.silent.test`)
  const answers = Object.fromEntries(silent.map((name) => [name, SILENT]))
  const { asked, resolver } = make({ ...answers, 'www.good.test': '1.2.3.4' })
  for (const name of silent) void resolver.resolve(name)
  assert.deepEqual(await resolver.resolve('www.good.test'), { addresses: ['1.2.3.4'] })
  assert.equal(asked.length, 33)
  assert.equal(await resolver.await('one-too-many.silent.test', 10), 5_000)
  assert.equal(resolver.known('one-too-many.silent.test'), null, 'nothing was found out about it')
})

test('localhost names and addresses need nobody’s answer', async () => {
  const { asked, resolver } = make()
  for (const name of ['localhost', 'a.localhost', 'b.a.localhost', 'localhost.']) {
    assert.deepEqual(await resolver.resolve(name), { addresses: ['127.0.0.1', '::1'] })
  }
  assert.deepEqual(await resolver.resolve('10.0.0.1'), { addresses: ['10.0.0.1'] })
  assert.deepEqual(asked, [])
  assert.notEqual((await resolver.resolve('notlocalhost')).addresses?.[0], '127.0.0.1')
})

test('no more names are remembered than allowed, the oldest go first', async () => {
  const { asked, resolver } = make({ a: '1.1.1.1', b: '1.1.1.1', c: '1.1.1.1' }, { maxEntries: 2 })
  for (const name of ['a', 'b', 'c', 'c', 'b', 'a']) await resolver.resolve(name)
  assert.deepEqual(asked, ['a', 'b', 'c', 'a'])
})
