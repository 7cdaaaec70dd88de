// Reads an index that another process writes: opened once, and again when another file came in its
// place, since the one who writes may begin anew.
import { statSync } from 'node:fs'
import type { SearchReader } from '../search/search-index.ts'
import { openSqliteSearchReader } from '../search/sqlite/open-search-index.ts'
import { type IndexSource, indexOptions } from './index-writer.ts'
import { searchPath } from './places.ts'

export class KeptReader implements AsyncDisposable {
  readonly #dataDir: string
  #open: { readonly reader: SearchReader; readonly file: string } | null = null

  constructor(dataDir: string) {
    this.#dataDir = dataDir
  }

  /** What `work` makes of the index; of null where there is none. */
  async use<T>(source: IndexSource, work: (reader: SearchReader | null) => Promise<T>): Promise<T> {
    try {
      return await work(await this.#reader(source))
    } catch (error) {
      // Perhaps another one can be read.
      await this[Symbol.asyncDispose]()
      throw error
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const open = this.#open
    this.#open = null
    await open?.reader[Symbol.asyncDispose]()
  }

  async #reader(source: IndexSource): Promise<SearchReader | null> {
    const file = fileAt(searchPath(this.#dataDir))
    if (this.#open !== null && this.#open.file === file) return this.#open.reader
    await this[Symbol.asyncDispose]()
    const reader = await openSqliteSearchReader(indexOptions(this.#dataDir, source))
    if (reader !== null) this.#open = { reader, file }
    return reader
  }
}

/** Another one for another file; numbers of files alone are given again. */
function fileAt(path: string): string {
  const file = statSync(path, { throwIfNoEntry: false })
  return file === undefined ? '' : `${file.dev} ${file.ino} ${file.birthtimeMs}`
}
