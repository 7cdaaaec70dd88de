import assert from 'node:assert/strict'
import { test } from 'node:test'
import { urlOf } from '../../../test/contract/frontier/rig.ts'
import { createUrlHasher } from '../../lib/url-hash.ts'
import type { Partition } from '../engine/partition.ts'
import { openWorkingCopy } from '../sqlite/sqlite-rows.ts'
import type { Message } from '../storage.ts'
import { encodeMail } from './mail.ts'
import { OwnedPartition } from './owned-partition.ts'

/** A partition with real rows, whose engine only notes which duplicates it is told of. */
function stage() {
  const rows = openWorkingCopy()
  const told: string[] = []
  const settling = { restate: ({ url }: { readonly url: string }) => told.push(url) }
  const engine = { change: (work: () => void) => rows.transaction(work), parts: { settling } }
  const partition = new OwnedPartition({
    ownership: { crawlId: 1, partition: 0, owner: 'a', epoch: 1, wasReleased: true },
    ...{ rows, partition: engine as unknown as Partition, hashUrl: createUrlHasher(1) },
    onTurn: () => assert.fail('nobody asks for a turn'),
    summarise: () => assert.fail('nothing is written here'),
  })
  return { partition, told, [Symbol.dispose]: () => rows.close() }
}

function message(number: number): Message {
  const moved = [{ url: urlOf(`a.test/${number}`), of: null }]
  return { from: 1, to: 0, number, body: encodeMail({ kind: 'moved', moved }) }
}

test('messages of the inbox are taken over gaps between their numbers, each once', () => {
  using at = stage()
  at.partition.receive([message(1), message(4)], true)
  at.partition.receive([message(1), message(4), message(5)], true)
  assert.deepEqual(at.told, ['http://a.test/1', 'http://a.test/4', 'http://a.test/5'])
  assert.equal(at.partition.takenFrom(1), 5)
})

test('a message that did not come from the inbox waits if an earlier one may be there', () => {
  using at = stage()
  at.partition.receive([message(2)], false)
  assert.deepEqual([at.told, at.partition.takenFrom(1)], [[], 0])
  at.partition.receive([message(1), message(2)], true)
  at.partition.receive([message(3)], false)
  assert.deepEqual(at.told, ['http://a.test/1', 'http://a.test/2', 'http://a.test/3'])
})
