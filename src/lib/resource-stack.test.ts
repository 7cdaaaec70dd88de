import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ResourceStack } from './resource-stack.ts'

const closing = (name: string, closed: string[], fails = false) => ({
  async [Symbol.asyncDispose]() {
    closed.push(name)
    if (fails) throw new Error(name)
  },
})

test('the resource that was opened last is closed first', async () => {
  const closed: string[] = []
  {
    await using stack = new ResourceStack()
    stack.use(closing('first', closed))
    stack.use({ [Symbol.dispose]: () => void closed.push('second') })
    stack.use(null)
    stack.defer(() => closed.push('third'))
  }
  assert.deepEqual(closed, ['third', 'second', 'first'])
})

test('all are closed when one fails, and what failed first is thrown', async () => {
  const closed: string[] = []
  const stack = new ResourceStack()
  for (const name of ['c', 'b', 'a']) stack.use(closing(name, closed, name !== 'b'))
  await assert.rejects(async () => stack[Symbol.asyncDispose](), /^Error: a$/)
  assert.deepEqual(closed, ['a', 'b', 'c'])
})

test('resources that were moved stay open when their first stack is closed', async () => {
  const closed: string[] = []
  const stack = new ResourceStack()
  stack.use(closing('kept', closed))
  const moved = stack.move()
  await stack[Symbol.asyncDispose]()
  assert.deepEqual(closed, [])
  await moved[Symbol.asyncDispose]()
  assert.deepEqual(closed, ['kept'])
})
