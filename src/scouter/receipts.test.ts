import assert from 'node:assert/strict'
import { test } from 'node:test'
import { urlFor } from '../../test/contract/sample-page.ts'
import { Acknowledger } from './receipts.ts'

const [one, two, three] = [urlFor('a.test/1'), urlFor('a.test/2'), urlFor('a.test/3')]

test('what is settled is sent after the flush that came after it, and only then', async () => {
  const sent: string[][] = []
  const flushes: PromiseWithResolvers<void>[] = []
  const acknowledger = new Acknowledger({
    flush: () => {
      const flush = Promise.withResolvers<void>()
      flushes.push(flush)
      return flush.promise
    },
    send: (urls) => sent.push([...urls]),
    onError: () => assert.fail(),
  })
  acknowledger.add([one])
  acknowledger.add([two])
  const first = acknowledger.finish()
  await Promise.resolve()
  // This flush may have begun before it was settled.
  acknowledger.add([three])
  assert.deepEqual(sent, [])
  flushes[0]?.resolve()
  await first
  assert.deepEqual(sent, [[one, two]])
  const second = acknowledger.finish()
  await Promise.resolve()
  flushes[1]?.resolve()
  await second
  assert.deepEqual(sent, [[one, two], [three]])
})

test('a flush that fails tells nobody, and whoever waits hears why', async () => {
  const acknowledger = new Acknowledger({
    flush: () => Promise.reject(new Error('the disk is gone')),
    send: () => assert.fail('nothing is durable'),
    onError: () => assert.fail(),
  })
  acknowledger.add([one])
  await assert.rejects(acknowledger.finish(), /the disk is gone/)
})
