// Reads an index that another process writes. It is opened once, and reopened when another file replaces it,
// since the writer may rebuild the index.
import type { Workspace } from '../../workspace/workspace.ts'
import type { SearchReader } from '../search-index.ts'
import { type IndexSource, indexed } from './index-writer.ts'

export class KeptReader implements AsyncDisposable {
  readonly #workspace: Workspace
  #open: { readonly reader: SearchReader; readonly file: string } | null = null

  constructor(workspace: Workspace) {
    this.#workspace = workspace
  }

  /** Runs `work` with the index, or with null if there is none. */
  async use<T>(source: IndexSource, work: (reader: SearchReader | null) => Promise<T>): Promise<T> {
    try {
      return await work(await this.#reader(source))
    } catch (error) {
      // A reopened index may be readable.
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
