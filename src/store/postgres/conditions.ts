// What rows are asked for, as conditions of a query. Values are always bound, never written into it.

export type Bound = string | number

export class Conditions {
  readonly #wanted: string[] = []
  readonly #values: Bound[] = []

  /** Each `?` stands for one value, in their order. */
  add(condition: string, ...values: readonly Bound[]): this {
    // No text in the store has a NUL, and the server takes none.
    const isImpossible = values.some((value) => typeof value === 'string' && value.includes('\0'))
    this.#wanted.push(isImpossible ? 'false' : this.bind(condition, ...values))
    return this
  }

  /** Any other part of the query with values in it. */
  bind(part: string, ...values: readonly Bound[]): string {
    let at = 0
    return part.replaceAll('?', () => {
      const value = values[at++]
      if (value === undefined) throw new RangeError(`no value for each ? of: ${part}`)
      return `$${this.#values.push(value)}`
    })
  }

  /** Every one of them must hold. */
  get where(): string {
    return this.#wanted.length === 0 ? 'true' : this.#wanted.join(' AND ')
  }

  /** In the order of their numbers. */
  get values(): Bound[] {
    return [...this.#values]
  }
}
