// Which buckets of rows there are: of each table and group of buckets the last one.
import { GROUP_BUCKETS } from './keys.ts'

export class Directory {
  readonly #last: Map<string, number>

  /** As kept: fields with values after them. */
  constructor(fields: readonly string[] = []) {
    this.#last = new Map()
    for (let at = 0; at < fields.length; at += 2) {
      this.#last.set(fields[at] ?? '', Number(fields[at + 1]))
    }
  }

  /** Notes a bucket; the field and value to write if that is new. */
  note(code: string, bucket: number): readonly [string, number] | null {
    const field = `${code}${Math.floor(bucket / GROUP_BUCKETS)}`
    if ((this.#last.get(field) ?? -1) >= bucket) return null
    this.#last.set(field, bucket)
    return [field, bucket]
  }

  /** True if rows of this bucket or a later one of its group were written. */
  reaches(code: string, bucket: number): boolean {
    return (this.#last.get(`${code}${Math.floor(bucket / GROUP_BUCKETS)}`) ?? -1) >= bucket
  }

  /** All buckets that may have rows of a table, in order, from `from` on. */
  *buckets(code: string, from = 0): Generator<number> {
    const groups = [...this.#last.keys()].filter((field) => field.startsWith(code))
    const numbers = groups.map((field) => Number(field.slice(code.length)))
    for (const group of numbers.toSorted((a, b) => a - b)) {
      const last = this.#last.get(`${code}${group}`) ?? -1
      for (let at = Math.max(from, group * GROUP_BUCKETS); at <= last; at++) yield at
    }
  }
}
