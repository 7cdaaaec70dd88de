import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HostQueue } from './host-queue.ts'

/** A queue over a table in memory, with the rules of the real one. */
function queueOf(headSize: number) {
  const rows = new Map<number, number>()
  const source = {
    headSize,
    headOf: (_: number, limit: number) =>
      [...rows].toSorted((a, b) => b[1] - a[1] || a[0] - b[0]).slice(0, limit),
  }
  const queue = new HostQueue(1, source, 0)
  return {
    queue,
    best: (): number => source.headOf(1, 1)[0]?.[0] ?? 0,
    add: (id: number, score: number): void => {
      rows.set(id, score)
      queue.add(id, score)
    },
    move: (id: number, score: number): void => {
      rows.set(id, score)
      queue.move(id, score)
    },
    drop: (id: number): void => {
      rows.delete(id)
      queue.drop(id)
    },
    take: (): number => {
      const id = queue.take()
      rows.delete(id)
      return id
    },
    ids: (): number[] => [...rows.keys()],
  }
}

test('an empty queue has nothing to give', () => {
  const { queue, take } = queueOf(3)
  assert.deepEqual([take(), queue.bestId, queue.size], [0, 0, 0])
  assert.equal(queue.bestScore, Number.NEGATIVE_INFINITY)
})

test('equal scores go by order of discovery', () => {
  const { add, take } = queueOf(2)
  for (const id of [1, 2, 3, 4]) add(id, 5)
  assert.deepEqual([take(), take(), take(), take(), take()], [1, 2, 3, 4, 0])
})

test('no more than a head is in memory: the rest is read when its turn comes', () => {
  let reads = 0
  const rows = Array.from({ length: 1000 }, (_, nth) => [nth + 1, -nth] as const)
  const source = {
    headSize: 10,
    headOf: (_: number, limit: number) => {
      reads += 1
      return rows.slice(0, limit)
    },
  }
  const queue = new HostQueue(1, source, 0)
  for (const [id, score] of rows) queue.add(id, score)
  const taken = Array.from({ length: 1000 }, () => {
    const id = queue.take()
    rows.splice(0, rows.findIndex(([known]) => known === id) + 1)
    return id
  })
  assert.deepEqual(
    taken,
    Array.from({ length: 1000 }, (_, nth) => nth + 1),
  )
  assert.equal(reads, 99, 'each read brings ten, and the first ten were there')
})

test('whatever is added, moved and dropped, the best is next', () => {
  for (const headSize of [1, 2, 5, 100]) {
    let seed = headSize
    const random = (below: number): number => {
      seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
      return Math.floor((seed / 2 ** 32) * below)
    }
    const { queue, add, move, drop, take, best, ids } = queueOf(headSize)
    for (let step = 1; step <= 2000; step += 1) {
      const known = ids()
      const some = known[random(known.length)] ?? 0
      const what = random(10)
      if (what < 5 || some === 0) add(step, random(8))
      else if (what < 7) move(some, random(8))
      else if (what < 8) drop(some)
      else {
        const expected = best()
        assert.equal(take(), expected, `step ${step}, head of ${headSize}`)
      }
      assert.equal(queue.size, ids().length)
    }
  }
})

test('one that was taken though it did not wait takes nobody’s place', () => {
  const { queue, add, take } = queueOf(2)
  for (const id of [1, 2, 3]) add(id, 0)
  // Again, as if it were listed twice.
  queue.drop(3)
  queue.add(1, 0)
  assert.deepEqual([take(), take()], [1, 1])
  queue.recount()
  assert.equal(queue.size, 2)
  assert.deepEqual([take(), take(), take()], [2, 3, 0])
})
