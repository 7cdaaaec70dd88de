// Reads an index that another process writes: opened once, and again when another file came in its
// place, since the one who writes may begin anew.

import type { Workspace } from '../../workspace/workspace.ts'
import type { SearchReader } from '../search-index.ts'
import { type IndexSource, indexed } from './index-writer.ts'

export class KeptReader implements AsyncDisposable {
  readonly #workspace: Workspace
  #open: { readonly reader: SearchReader; readonly file: string } | null = null

  constructor(workspace: Workspace) {
    this.#workspace = workspace
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
    const file = this.#workspace.searchMark()
    if (this.#open !== null && this.#open.file === file) return this.#open.reader
    await this[Symbol.asyncDispose]()
    const reader = await this.#workspace.searchReader(indexed(source))
    if (reader !== null) this.#open = { reader, file }
    return reader
  }
}
