/** Keeps the most recently used values. */
export class Recent<K, V> {
  readonly #limit: number
  readonly #values = new Map<K, V>()

  constructor(limit: number) {
    this.#limit = limit
  }

  get(key: K): V | undefined {
    const value = this.#values.get(key)
    if (value === undefined) return undefined
    this.#values.delete(key)
    this.#values.set(key, value)
    return value
  }

  set(key: K, value: V): void {
    this.#values.set(key, value)
    if (this.#values.size <= this.#limit) return
    for (const oldest of this.#values.keys()) {
      this.#values.delete(oldest)
      return
    }
  }
}
