// The hosts file of this machine: what it says counts before any name server, as it does for everyone.
import { readFile, stat } from 'node:fs/promises'
import { isIP } from 'node:net'

const PATH = '/etc/hosts'
/** How long a change of the file may go unnoticed. */
const LOOK_AGAIN_MS = 5_000
/** Long lists of blocked names have some megabytes; this is no such list any more. */
const MAX_BYTES = 64 * 2 ** 20

export class HostsFile {
  readonly #path: string
  #names: ReadonlyMap<string, readonly string[]> = new Map()
  #mark = ''
  #lookAt = Number.NEGATIVE_INFINITY
  #reading: Promise<void> | null = null

  constructor(path = PATH) {
    this.#path = path
  }

  /** Null: the file does not have the name. */
  async addressesOf(name: string): Promise<readonly string[] | null> {
    if (performance.now() >= this.#lookAt) {
      this.#reading ??= this.#read().finally(() => {
        this.#reading = null
      })
      await this.#reading
    }
    return this.#names.get(name) ?? null
  }

  /** A file that is gone says nothing; one that cannot be read now says what it said before. */
  async #read(): Promise<void> {
    this.#lookAt = performance.now() + LOOK_AGAIN_MS
    try {
      const { mtimeMs, size, ino } = await stat(this.#path)
      const mark = `${mtimeMs} ${size} ${ino}`
      if (mark === this.#mark) return
      this.#names = size > MAX_BYTES ? new Map() : parseHosts(await readFile(this.#path, 'utf8'))
      this.#mark = mark
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) return
      this.#names = new Map()
      this.#mark = ''
    }
  }
}

export function parseHosts(text: string): ReadonlyMap<string, readonly string[]> {
  const names = new Map<string, string[]>()
  for (const line of text.split('\n')) {
    const [address = '', ...aliases] = line.replace(/#.*/, '').trim().split(/\s+/)
    if (isIP(address) === 0 || address.includes('%')) continue
    for (const alias of aliases) {
      const name = alias.toLowerCase().replace(/\.$/, '')
      const known = names.get(name)
      if (known === undefined) names.set(name, [address])
      else known.push(address)
    }
  }
  return names
}
