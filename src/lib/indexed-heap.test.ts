import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Heaped, IndexedHeap } from './indexed-heap.ts'

type Member = Heaped & { readonly name: string }
const member = (name: string): Member => ({ name, heapAt: -1 })

test('members come out by key, equal keys by tie', () => {
  const heap = new IndexedHeap<Member>()
  heap.put(member('late'), 9, 0)
  heap.put(member('second'), 1, 2)
  heap.put(member('first'), 1, 1)
  assert.equal(heap.firstKey, 1)
  assert.deepEqual(drain(heap), ['first', 'second', 'late'])
  assert.equal(heap.firstKey, Number.POSITIVE_INFINITY)
})

test('a member that is put again moves', () => {
  const heap = new IndexedHeap<Member>()
  const [a, b] = [member('a'), member('b')]
  heap.put(a, 1, 0)
  heap.put(b, 2, 0)
  heap.put(a, 3, 0)
  assert.equal(heap.size, 2)
  assert.deepEqual(drain(heap), ['b', 'a'])
})

test('a member can be taken out of the middle, and taking it out twice is harmless', () => {
  const heap = new IndexedHeap<Member>()
  const members = Array.from({ length: 100 }, (_, index) => member(String(index)))
  members.forEach((each, index) => {
    heap.put(each, (index * 37) % 101, index)
  })
  for (const each of members.slice(20, 60)) heap.remove(each)
  heap.remove(members[20]!)
  const left = drain(heap).map((name) => (Number(name) * 37) % 101)
  assert.equal(left.length, 60)
  assert.deepEqual(
    left,
    left.toSorted((a, b) => a - b),
  )
})

function drain(heap: IndexedHeap<Member>): string[] {
  const names: string[] = []
  for (let next = heap.pop(); next !== undefined; next = heap.pop()) names.push(next.name)
  return names
}
