// The conditions of a query. Values are always bound, never written into its text.
import type { SqlValue } from './sql.ts'

export class Conditions {
  readonly #conditions: string[] = []
  readonly #values: SqlValue[] = []

  add(condition: string): this {
    this.#conditions.push(condition)
    return this
  }

  /** A condition on a value: it is given the parameter that stands for the value. */
  on(value: SqlValue, condition: (hole: string) => string): this {
    // No text in the store has a NUL, and PostgreSQL takes none.
    const isImpossible = typeof value === 'string' && value.includes('\0')
    return this.add(isImpossible ? 'false' : condition(this.hole(value)))
  }

  /** The parameter that stands for a value in any other part of the query. */
  hole(value: SqlValue): string {
    return `$${this.#values.push(value)}`
  }

  /** All of them must be true. */
  get where(): string {
    return this.#conditions.length === 0 ? 'true' : this.#conditions.join(' AND ')
  }

  /** In the order of their parameters. */
  get values(): SqlValue[] {
    return [...this.#values]
  }
}
