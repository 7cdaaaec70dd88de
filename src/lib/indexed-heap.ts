// A binary heap whose members know their index, so that any member can be moved or removed in O(log n). The
// smallest key is first; equal keys are ordered by `tie`. A member is in one heap at a time.

export interface Heaped {
  /** Set by the heap; -1 while it is in none. */
  heapAt: number
}

export class IndexedHeap<T extends Heaped> {
  readonly #members: T[] = []
  readonly #keys: number[] = []
  readonly #ties: number[] = []

  get size(): number {
    return this.#members.length
  }

  get first(): T | undefined {
    return this.#members[0]
  }

  /** Infinity if the heap is empty. */
  get firstKey(): number {
    return this.#keys[0] ?? Number.POSITIVE_INFINITY
  }

  /** For two heaps that are not empty: whether the first member of this one comes before the other's. */
  isBefore(other: IndexedHeap<T>): boolean {
    if (this.firstKey !== other.firstKey) return this.firstKey < other.firstKey
    return (this.#ties[0] ?? 0) < (other.#ties[0] ?? 0)
  }

  /** Adds a member, or moves it if it is already there. */
  put(member: T, key: number, tie: number): void {
    if (member.heapAt < 0) {
      member.heapAt = this.#members.length
      this.#members.push(member)
      this.#keys.push(key)
      this.#ties.push(tie)
    } else {
      this.#keys[member.heapAt] = key
      this.#ties[member.heapAt] = tie
    }
    this.#settle(member.heapAt)
  }

  pop(): T | undefined {
    const first = this.#members[0]
    if (first !== undefined) this.remove(first)
    return first
  }

  remove(member: T): void {
    const at = member.heapAt
    if (at < 0) return
    const last = this.#members.length - 1
    if (at !== last) this.#swap(at, last)
    this.#members.pop()
    this.#keys.pop()
    this.#ties.pop()
    member.heapAt = -1
    if (at !== last) this.#settle(at)
  }

  /** Moves the member at an index up or down to where its key belongs. */
  #settle(start: number): void {
    let at = start
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (!this.#before(at, parent)) break
      this.#swap(at, parent)
      at = parent
    }
    for (;;) {
      const left = 2 * at + 1
      if (left >= this.#members.length) return
      const right = left + 1
      const child = right < this.#members.length && this.#before(right, left) ? right : left
      if (!this.#before(child, at)) return
      this.#swap(at, child)
      at = child
    }
  }

  #before(a: number, b: number): boolean {
    const keyA = this.#keys[a] ?? 0
    const keyB = this.#keys[b] ?? 0
    return keyA < keyB || (keyA === keyB && (this.#ties[a] ?? 0) < (this.#ties[b] ?? 0))
  }

  #swap(a: number, b: number): void {
    const [first, second] = [this.#members[a], this.#members[b]]
    if (first === undefined || second === undefined) return
    this.#members[a] = second
    this.#members[b] = first
    second.heapAt = a
    first.heapAt = b
    swapIn(this.#keys, a, b)
    swapIn(this.#ties, a, b)
  }
}

function swapIn(list: number[], a: number, b: number): void {
  const kept = list[a] ?? 0
  list[a] = list[b] ?? 0
  list[b] = kept
}
