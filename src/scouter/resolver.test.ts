import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ManualClock } from '../lib/clock.ts'
import { Resolver } from './resolver.ts'

function make(answers: Readonly<Record<string, string>> = {}, maxEntries = 100) {
  const asked: string[] = []
  const clock = new ManualClock()
  const lookup = async (name: string): Promise<readonly string[]> => {
    asked.push(name)
    const answer = answers[name] ?? 'ENOTFOUND'
    if (answer.startsWith('E')) throw Object.assign(new Error(answer), { code: answer })
    return answer.split(' ')
  }
  return { asked, clock, resolver: new Resolver({ lookup, clock, maxEntries }) }
}

test('an answer is remembered for a minute', async () => {
  const { asked, clock, resolver } = make({ 'a.test': '1.2.3.4 2606::1' })
  assert.deepEqual(await resolver.resolve('a.test'), { addresses: ['1.2.3.4', '2606::1'] })
  clock.advance(59_999)
  await resolver.resolve('a.test')
  assert.equal(asked.length, 1)
  clock.advance(1)
  await resolver.resolve('a.test')
  assert.equal(asked.length, 2)
})

test('a missing name is remembered for a short while, a broken resolver even shorter', async () => {
  const { asked, clock, resolver } = make({ 'sick.test': 'EAI_AGAIN' })
  assert.deepEqual(await resolver.resolve('no.test'), { addresses: null, code: 'ENOTFOUND' })
  assert.deepEqual(await resolver.resolve('sick.test'), { addresses: null, code: 'EAI_AGAIN' })
  clock.advance(5000)
  await resolver.resolve('no.test')
  await resolver.resolve('sick.test')
  assert.deepEqual(asked, ['no.test', 'sick.test', 'sick.test'])
})

test('names asked for at the same time are looked up once', async () => {
  const { asked, resolver } = make({ 'a.test': '1.2.3.4' })
  await Promise.all([resolver.resolve('a.test'), resolver.resolve('a.test')])
  assert.equal(asked.length, 1)
})

test('localhost names and addresses need nobody’s answer', async () => {
  const { asked, resolver } = make()
  for (const name of ['localhost', 'a.localhost', 'b.a.localhost']) {
    assert.deepEqual(await resolver.resolve(name), { addresses: ['127.0.0.1', '::1'] })
  }
  assert.deepEqual(await resolver.resolve('10.0.0.1'), { addresses: ['10.0.0.1'] })
  assert.deepEqual(asked, [])
  assert.notEqual((await resolver.resolve('notlocalhost')).addresses?.[0], '127.0.0.1')
})

test('no more names are remembered than allowed, the oldest go first', async () => {
  const { asked, resolver } = make({ a: '1.1.1.1', b: '1.1.1.1', c: '1.1.1.1' }, 2)
  for (const name of ['a', 'b', 'c', 'c', 'b', 'a']) await resolver.resolve(name)
  assert.deepEqual(asked, ['a', 'b', 'c', 'a'])
})
