// One round of fuzzing: a page with accidents in it, read between two readings of another page.
import { PARTS } from '../../src/core/page.ts'
import { HtmlReader } from '../../src/parser/html/html-reader.ts'
import { createPageParser } from '../../src/parser/parse-page.ts'
import type { ParseResult } from '../../src/parser/parse-result.ts'
import { mix } from '../../src/sample-web/random.ts'
import type { HandoverHead } from '../../src/wire/handover.ts'
import { HEAD } from './hostile-pages.ts'
import { createRandom } from './mutate.ts'
import { mutant } from './mutate-bytes.ts'
import { brokenOutline } from './outline-rules.ts'
import { brokenRules } from './page-rules.ts'

const SEED = 20_250_101
/** Of the page's CPU time. Ordinary pages take a hundredth of it, and garbage collection counts. */
const MAX_MS = 250
const MAX_MS_PER_KB = 2

export class Fuzz {
  readonly #parser = createPageParser({
    salt: 7,
    parts: PARTS,
    keepHtml: false,
    maxBodyBytes: 1 << 20,
    markdown: true,
  })
  readonly #reader = new HtmlReader()
  readonly #pages: readonly Buffer[]

  constructor(pages: readonly Buffer[]) {
    this.#pages = pages
  }

  /** What is wrong in one round, which is the same for the same number; empty when all is well. */
  brokenIn(round: number): string[] {
    const random = createRandom(mix(SEED, round))
    const [page, other, witness] = [0, 1, 2].map(() => this.#pages[random(this.#pages.length)]!)
    const { body, contentType, done } = mutant(page!, other!, random)
    try {
      const broken = this.#brokenBy({ ...HEAD, contentType }, body, witness!)
      return broken.map((rule) => `round ${round} (${done.join(', ')}): ${rule}`)
    } catch (error) {
      const thrown = error instanceof Error ? error.stack : error
      return [`round ${round} (${done.join(', ')}): ${thrown}`]
    }
  }

  #brokenBy(head: HandoverHead, body: Buffer, witness: Buffer): string[] {
    const before = recordOf(this.#parser(HEAD, witness))
    const first = this.#timed(head, body)
    const record = recordOf(first.parsed)
    const outlined = this.#reader.read(body, { isXml: head.contentType.includes('xml') })
    const broken = [...brokenRules(first.parsed, body), ...brokenOutline(outlined)]
    if (recordOf(this.#parser(HEAD, witness)) !== before) broken.push('it changed the next page')
    const second = this.#timed(head, body)
    if (recordOf(second.parsed) !== record) broken.push('another record the second time')
    const cpuMs = Math.min(first.cpuMs, second.cpuMs)
    if (cpuMs > MAX_MS + (MAX_MS_PER_KB * body.length) / 1000) broken.push(`${cpuMs} ms`)
    return broken
  }

  #timed(head: HandoverHead, body: Buffer): { parsed: ParseResult; cpuMs: number } {
    const before = process.cpuUsage()
    const parsed = this.#parser(head, body)
    const { user, system } = process.cpuUsage(before)
    return { parsed, cpuMs: (user + system) / 1000 }
  }
}

/** A record without what is different each time. */
function recordOf(parsed: ParseResult): string {
  return JSON.stringify(parsed, (key, value: unknown) => (key === 'parseMs' ? 0 : value))
}
