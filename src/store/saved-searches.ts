// Searches that somebody saved under a name, and up to which change of the store each was last asked for what
// is new. They are few.

/** The most that are kept. */
export const MAX_SAVED = 200
export const MAX_SAVED_NAME = 80

export type SavedSearch = {
  readonly name: string
  /** The parameters of the search, as JSON, by their names over HTTP. */
  readonly request: string
  /** Epoch ms. */
  readonly savedAt: number
  /** A cursor of the change feed: what changed up to there was seen. */
  readonly seen: number
  /** When it was last asked for what is new; epoch ms. Null: never. */
  readonly seenAt: number | null
}

export interface SavedSearches extends AsyncDisposable {
  /** By name. */
  list(): Promise<readonly SavedSearch[]>
  /** Null if there is none of this name. */
  find(name: string): Promise<SavedSearch | null>
  /** Replaces one of the same name. False if there are too many. */
  save(search: Omit<SavedSearch, 'seenAt'>): Promise<boolean>
  /** Notes what was seen; never goes back. False if there is none of this name. */
  see(name: string, seen: number, at: number): Promise<boolean>
  /** False if there was none. */
  remove(name: string): Promise<boolean>
}
