import assert from 'node:assert/strict'
import { test } from 'node:test'
import { urlFor } from '../../test/contract/sample-page.ts'
import { Acknowledging } from './acknowledging.ts'

const [one, two, three] = [urlFor('a.test/1'), urlFor('a.test/2'), urlFor('a.test/3')]

test('what is settled is told after the flush that came after it, and only then', async () => {
  const told: string[][] = []
  const flushes: PromiseWithResolvers<void>[] = []
  const acknowledging = new Acknowledging({
    flush: () => {
      const flush = Promise.withResolvers<void>()
      flushes.push(flush)
      return flush.promise
    },
    tell: (urls) => told.push([...urls]),
    onError: () => assert.fail(),
  })
  acknowledging.add([one])
  acknowledging.add([two])
  const first = acknowledging.finish()
  await Promise.resolve()
  // This flush may have begun before it was settled.
  acknowledging.add([three])
  assert.deepEqual(told, [])
  flushes[0]?.resolve()
  await first
  assert.deepEqual(told, [[one, two]])
  const second = acknowledging.finish()
  await Promise.resolve()
  flushes[1]?.resolve()
  await second
  assert.deepEqual(told, [[one, two], [three]])
})

test('a flush that fails tells nobody, and whoever waits hears why', async () => {
  const acknowledging = new Acknowledging({
    flush: () => Promise.reject(new Error('the disk is gone')),
    tell: () => assert.fail('nothing is durable'),
    onError: () => assert.fail(),
  })
  acknowledging.add([one])
  await assert.rejects(acknowledging.finish(), /the disk is gone/)
})
