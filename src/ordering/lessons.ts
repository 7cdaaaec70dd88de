// What `adaptive` has learned from the pages of one part of a crawl. Where several programs share a crawl, each
// part has its own lessons: they are saved with the part and go with it to its next owner, so nothing is lost
// or counted twice. Programs that own other parts hear the gist.
import { joined, keepNumbers, keptNumbers, parted } from './ordering.ts'
import { type PrefixEntry, PrefixTable, packed } from './prefix-table.ts'
import { RegressionSums } from './regression-sums.ts'

const FORMAT = 0xada20101
const GIST_FORMAT = 0xada20201
/** Tables of one part: 48 kB each. */
const TABLE_BITS = 12
/** Hubs and gateways of a gist: the gist stays below a kilobyte. */
const TOLD_EACH = 24
/** A gist tells of hubs that lately led somewhere: the links of others are mostly fetched. */
const RECENT_HUBS = 256
const NO_BYTES = new Uint8Array(0)

/** What a program hears of a part that another owns. */
type Gist = {
  readonly pages: number
  readonly worth: number
  readonly latest: number
  readonly sums: RegressionSums
  /** As a `PrefixTable` saves them. */
  readonly hubs: Uint8Array
  readonly gateways: Uint8Array
}

export class Lessons {
  pages = 0
  /** The sum over all its pages. */
  worth = 0
  readonly sums: RegressionSums
  readonly places = new PrefixTable(TABLE_BITS)
  readonly hubs = new PrefixTable(TABLE_BITS)
  readonly gateways = new PrefixTable(TABLE_BITS)
  readonly #recentHubs = new Set<number>()

  constructor(sums: RegressionSums) {
    this.sums = sums
  }

  get tables(): readonly [PrefixTable, PrefixTable, PrefixTable] {
    return [this.places, this.hubs, this.gateways]
  }

  learnHub(hub: number, observed: number, expected: number): void {
    this.hubs.learn(hub, observed, expected)
    this.#recentHubs.delete(hub)
    this.#recentHubs.add(hub)
    if (this.#recentHubs.size <= RECENT_HUBS) return
    const [oldest] = this.#recentHubs
    if (oldest !== undefined) this.#recentHubs.delete(oldest)
  }

  save(): Uint8Array {
    const numbers = keepNumbers([this.pages, this.worth, ...this.sums.numbers()])
    return joined(FORMAT, [numbers, ...this.tables.map((table) => table.save())])
  }

  /** Null if the bytes are of another format. */
  static load(bytes: Uint8Array, features: number): Lessons | null {
    const [numbers, ...tables] = parted(FORMAT, bytes) ?? []
    const kept = numbers && keptNumbers(numbers, 2 + RegressionSums.numbersOf(features))
    const sums = kept && RegressionSums.from(kept.slice(2), features)
    if (!kept || !sums || !isCount(kept)) return null
    const lessons = new Lessons(sums)
    const [pages = 0, worth = 0] = kept
    lessons.pages = pages
    lessons.worth = worth
    for (const [at, table] of lessons.tables.entries()) table.load(tables[at] ?? NO_BYTES)
    return lessons
  }

  /** `latest`: what the program's latest pages were worth. */
  gist(latest: number): Uint8Array {
    const numbers = [this.pages, this.worth, latest, ...this.sums.numbers()]
    return joined(GIST_FORMAT, [
      new Uint8Array(Float32Array.from(numbers).buffer),
      packed(strongest(this.#recent())),
      // A host with pages in this part is known here, and nowhere else of use.
      packed(strongest([...this.gateways.entries()].filter(({ expected }) => expected === 0))),
    ])
  }

  #recent(): PrefixEntry[] {
    return Array.from(this.#recentHubs, (place) => ({
      place,
      observed: this.hubs.observed(place),
      expected: this.hubs.expected(place),
    }))
  }
}

/** What was learned from all parts that others own. */
export class Heard {
  pages = 0
  /** Sums over all their pages; of `latest`, over the parts. */
  worth = 0
  latest = 0
  parts = 0
  sums: readonly RegressionSums[] = []
  readonly hubs = new PrefixTable(TABLE_BITS)
  readonly gateways = new PrefixTable(TABLE_BITS)

  /** Replaces everything; false if nothing is new. Unreadable gists are ignored. */
  take(gists: readonly Uint8Array[], features: number): boolean {
    const heard = gists.flatMap((bytes) => readGist(bytes, features) ?? [])
    const sumOf = (of: (gist: Gist) => number) => heard.reduce((sum, gist) => sum + of(gist), 0)
    const pages = sumOf((gist) => gist.pages)
    if (pages === this.pages && heard.length === this.parts) return false
    this.pages = pages
    this.parts = heard.length
    this.worth = sumOf(({ worth }) => worth)
    this.latest = sumOf(({ latest }) => latest)
    this.sums = heard.map(({ sums }) => sums)
    this.hubs.clear()
    this.gateways.clear()
    for (const { hubs, gateways } of heard) {
      this.hubs.add(hubs)
      this.gateways.add(gateways)
    }
    return true
  }
}

/** Null if the bytes are damaged, or of another version. */
function readGist(bytes: Uint8Array, features: number): Gist | null {
  const [packedNumbers, hubs, gateways] = parted(GIST_FORMAT, bytes) ?? []
  if (packedNumbers === undefined || hubs === undefined || gateways === undefined) return null
  const wanted = 3 + RegressionSums.numbersOf(features)
  if (packedNumbers.byteLength !== wanted * Float32Array.BYTES_PER_ELEMENT) return null
  // Copied: bytes from elsewhere may begin at any offset, and a Buffer's slice is no copy.
  const numbers = [...new Float32Array(new Uint8Array(packedNumbers).buffer)]
  const [pages = 0, worth = 0, latest = 0] = numbers
  const sums = RegressionSums.from(numbers.slice(3), features)
  if (sums === null || !isCount(numbers) || !(latest >= 0 && latest <= 1)) return null
  return { pages, worth, latest, sums, hubs, gateways }
}

/** Pages are worth 0 to 1 each. */
function isCount([pages = 0, worth = 0]: readonly number[]): boolean {
  return pages >= 0 && worth >= 0 && worth <= pages * 1.001
}

/** The entries that change a score most. */
function strongest(entries: readonly PrefixEntry[]): readonly PrefixEntry[] {
  const surplus = ({ observed, expected }: PrefixEntry): number => Math.abs(observed - expected)
  return entries.toSorted((a, b) => surplus(b) - surplus(a)).slice(0, TOLD_EACH)
}
