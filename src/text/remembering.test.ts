import assert from 'node:assert/strict'
import { test } from 'node:test'
import { remembering } from './remembering.ts'

function counting(
  kept: number,
  longest?: number,
): { ask: (text: string) => number; asked: string[] } {
  const asked: string[] = []
  const ask = remembering(
    (text) => {
      asked.push(text)
      return text.length
    },
    { kept, ...(longest && { longest }) },
  )
  return { ask, asked }
}

test('a short text is looked at once', () => {
  const { ask, asked } = counting(10)
  for (const text of ['home', 'about us', 'home', 'about us']) assert.equal(ask(text), text.length)
  assert.deepEqual(asked, ['home', 'about us'])
})

test('a long text is looked at each time, as it would only take the place of others', () => {
  const { ask, asked } = counting(10)
  const long = 'x'.repeat(100)
  ask(long)
  ask(long)
  assert.equal(asked.length, 2)
})

test('what counts as long is the caller’s choice', () => {
  const { ask, asked } = counting(10, 100)
  for (const length of [100, 101, 100, 101]) ask('x'.repeat(length))
  assert.deepEqual(
    asked.map(({ length }) => length),
    [100, 101, 101],
  )
})

test('no more texts are kept than allowed, and those that are met again stay', () => {
  const { ask, asked } = counting(4)
  for (let turn = 0; turn < 100; turn++) {
    ask('again')
    ask(`text ${turn}`)
  }
  assert.equal(asked.filter((text) => text === 'again').length, 1)
  assert.equal(asked.length, 101)
})
