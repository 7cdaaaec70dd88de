// Hashes of URLs in order of their ids, so that the id of a URL is found without reading all rows.
import type { UrlHasher } from '../../lib/url-hash.ts'
import { type Row, TABLES } from '../storage.ts'
import type { Command } from './commands.ts'
import type { Directory } from './directory.ts'
import { BUCKET_ROWS, HASH_BYTES, INDEX_URLS } from './keys.ts'

const URL_COLUMN = TABLES.url.columns.indexOf('url')
const INDEX_BUCKETS = INDEX_URLS / BUCKET_ROWS

/** For new rows, those with consecutive ids in one go. `directory`: as it was before them. */
export function indexCommands(
  rows: readonly Row[],
  { gen, hashUrl, directory }: { gen: number; hashUrl: UrlHasher; directory: Directory },
): Command[] {
  const commands: Command[] = []
  const made = new Set<number>()
  let [next, bytes] = [-1, [] as number[]]
  const write = (): void => {
    if (bytes.length === 0) return
    const first = next - bytes.length / HASH_BYTES
    const chunk = Math.floor(first / INDEX_URLS)
    const key = `${gen}:i:${chunk}`
    if (!made.has(chunk) && !directory.reaches('u', chunk * INDEX_BUCKETS)) {
      // All of it at once: a server gives a string that grows twice its size.
      const end = (INDEX_URLS - 1) * HASH_BYTES
      commands.push(['SETRANGE', key, [end, Buffer.alloc(HASH_BYTES)]])
    }
    made.add(chunk)
    commands.push(['SETRANGE', key, [(first % INDEX_URLS) * HASH_BYTES, Buffer.from(bytes)]])
    bytes = []
  }
  for (const row of rows) {
    const id = Number(row[0])
    if (id !== next || id % INDEX_URLS === 0) write()
    const { lo } = hashUrl(String(row[URL_COLUMN]))
    bytes.push(lo & 255, (lo >>> 8) & 255, (lo >>> 16) & 255, lo >>> 24)
    next = id + 1
  }
  write()
  return commands
}

/** Positions of a hash in one chunk of the index. */
export function* positionsOf(bytes: Buffer, hash: number): Generator<number> {
  const wanted = Buffer.alloc(HASH_BYTES)
  wanted.writeUInt32LE(hash)
  for (let at = bytes.indexOf(wanted); at >= 0; at = bytes.indexOf(wanted, at + 1)) {
    if (at % HASH_BYTES === 0) yield at / HASH_BYTES
  }
}
