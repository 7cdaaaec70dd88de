import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Candidate } from '../../ordering/ordering.ts'
import { RescoredQueue, type RescoredSource } from './rescored-queue.ts'

/** A queue of candidates whose score is their signal times the learned weight of their kind. */
function queueOf(headSize: number) {
  const rows = new Map<number, { readonly score: number; readonly candidate: Candidate }>()
  const weights = [1, 1, 1]
  let learned = 0
  let renewals = 0
  let scored = 0
  const scoreOf = ({ depth, signals }: Candidate): number =>
    (signals?.[0] ?? 0) * (weights[depth] ?? 0)
  const source: RescoredSource = {
    headSize,
    get learned() {
      return learned
    },
    get renewals() {
      return renewals
    },
    headOf: (_, limit) =>
      [...rows]
        .toSorted(([a, { score: one }], [b, { score: other }]) => other - one || a - b)
        .map(([id, { score }]) => [id, score] as const)
        .slice(0, limit),
    candidate: (id) => rows.get(id)!.candidate,
    score: (candidate) => {
      scored += 1
      return scoreOf(candidate)
    },
  }
  const queue = new RescoredQueue(1, source, 0)
  return {
    queue,
    scored: () => scored,
    add: (id: number, kind: number, signal: number): void => {
      const candidate = { url: '', depth: kind, foundAt: 0, inLinks: 0, signals: [signal] }
      rows.set(id, { score: scoreOf(candidate as never), candidate: candidate as never })
      queue.add(id, scoreOf(candidate as never))
    },
    learn: (kind: number, weight: number): void => {
      weights[kind] = weight
      learned += 1
    },
    renew: (): void => {
      renewals += 1
    },
    take: (): number => {
      const id = queue.take()
      rows.delete(id)
      return id
    },
    drop: (id: number): void => {
      rows.delete(id)
      queue.drop(id)
    },
    /** The best by the current weights. */
    best: (): number =>
      [...rows].toSorted(
        ([a, { candidate: one }], [b, { candidate: other }]) =>
          scoreOf(other) - scoreOf(one) || a - b,
      )[0]?.[0] ?? 0,
    ids: (): number[] => [...rows.keys()],
  }
}

test('an empty queue has nothing to give', () => {
  const { queue, take } = queueOf(3)
  assert.deepEqual([take(), queue.bestId, queue.size], [0, 0, 0])
  assert.equal(queue.bestScore, Number.NEGATIVE_INFINITY)
})

test('the best is the best by what was learned since', () => {
  const { queue, add, learn, take } = queueOf(10)
  add(1, 0, 5)
  add(2, 1, 4)
  assert.deepEqual([queue.bestId, queue.bestScore], [1, 5])
  learn(1, 2)
  queue.look()
  assert.deepEqual([queue.bestId, queue.bestScore], [2, 8])
  learn(1, 0.1)
  assert.deepEqual([take(), take(), take()], [1, 2, 0])
})

test('nothing is scored again while nothing was learned', () => {
  const { queue, add, learn, scored } = queueOf(100)
  for (let id = 1; id <= 100; id += 1) add(id, id % 3, id)
  learn(0, 1.01)
  queue.look()
  assert.equal(queue.bestId, 100)
  const before = scored()
  assert.equal(before, 48, 'the best 32, and 16 of the others in turn')
  for (let look = 0; look < 10; look += 1) queue.look()
  assert.equal(scored(), before)
})

test('when the way of scoring has changed, whatever has risen is found at once', () => {
  const { queue, add, learn, renew, scored } = queueOf(200)
  for (let id = 1; id <= 200; id += 1) add(id, id === 150 ? 1 : 0, 201 - id)
  learn(1, 100)
  renew()
  queue.look()
  assert.deepEqual([queue.bestId, queue.bestScore], [150, 5100])
  assert.equal(scored(), 200)
})

test('when the best have all fallen, those behind them are looked at', () => {
  const { queue, add, learn } = queueOf(200)
  for (let id = 1; id <= 100; id += 1) add(id, 0, 1000 + id)
  for (let id = 101; id <= 150; id += 1) add(id, 1, id)
  learn(0, 0.001)
  queue.look()
  assert.deepEqual([queue.bestId, queue.bestScore], [150, 150])
})

test('what rises from far behind is found within a few looks', () => {
  const { queue, add, learn } = queueOf(200)
  for (let id = 1; id <= 150; id += 1) add(id, id === 1 ? 1 : 0, id)
  queue.look()
  learn(1, 1000)
  let looks = 0
  for (; queue.bestId !== 1; looks += 1) {
    assert.ok(looks < 8, 'not found')
    learn(2, looks)
    queue.look()
  }
})

test('with all of them in memory and no more than a look, the best is always next', () => {
  let seed = 11
  const random = (below: number): number => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((seed / 2 ** 32) * below)
  }
  const { queue, add, drop, learn, take, best, ids } = queueOf(1000)
  for (let step = 1; step <= 3000; step += 1) {
    const known = ids()
    const some = known[random(known.length)] ?? 0
    const what = random(10)
    if ((what < 4 && known.length < 32) || some === 0) add(step, random(3), 1 + random(9))
    else if (what < 5) drop(some)
    else if (what < 7) learn(random(3), random(5) / 2)
    else {
      const expected = best()
      assert.equal(take(), expected, `step ${step}`)
    }
    assert.equal(queue.size, ids().length)
  }
})
