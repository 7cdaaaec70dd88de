// A command obeys files of the folder it is started in, and somebody else may have put them there. The
// command says what they set of some weight, without the value, which may be a secret.

import type { OptionInfo } from '../options/option.ts'

/**
 * Options of commands that send data elsewhere, open doors, write over files, or run code. Those of a crawl
 * say it themselves, in their table.
 */
const WEIGHTY: ReadonlySet<string> = new Set([
  'data',
  'frontier',
  'token',
  'host',
  'allow-host',
  'webhook',
  'plugin',
  'fields',
  'out',
  'force',
])

/** Gathers what one command reads, and tells it in one line once all is read. */
export class FileNotices {
  readonly #folder: string
  readonly #tell: (text: string) => void
  readonly #found = new Map<string, Set<string>>()

  constructor(folder: string, tell: (text: string) => void) {
    this.#folder = folder
    this.#tell = tell
  }

  /** `at`: how the file calls it. */
  note({ name, weighty = false }: OptionInfo, file: string, at: string): void {
    if (!weighty && !WEIGHTY.has(name)) return
    // Commands read their options at once, in one go.
    if (this.#found.size === 0) queueMicrotask(() => this.#tell(this.#text()))
    this.#found.set(file, (this.#found.get(file) ?? new Set()).add(at))
  }

  #text(): string {
    const files = [...this.#found].map(([file, names]) => `${file} sets ${[...names].join(', ')}`)
    return `in ${this.#folder}, ${files.join(' and ')}`
  }
}
