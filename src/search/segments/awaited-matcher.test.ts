// The answer of a database is a round here: what is asked for together comes together.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleFields } from '../../../test/contract/sample-page.ts'
import { CrawlerError } from '../../core/errors.ts'
import { columnsOf } from '../page-columns.ts'
import type { Query, Term } from '../query.ts'
import { StemWords } from '../stem-words.ts'
import { AwaitedMatcher } from './awaited-matcher.ts'
import { AwaitedSegments, type Want } from './awaited-segments.ts'
import { BatchWords } from './batch-words.ts'
import { NO_COMMON_WORDS } from './common-words.ts'
import { KeptBits } from './doc-bits.ts'
import { ChangedColumns } from './doc-columns.ts'
import type { IndexView } from './index-view.ts'
import { unionOf } from './made-lists.ts'
import { PageSums } from './page-sums.ts'
import { BlockReader } from './postings.ts'
import { findTerm } from './postings-list.ts'
import { SegmentReader, type SegmentSource, type StoredBlock } from './segment-reader.ts'
import { SegmentWriter } from './segment-writer.ts'
import { damaged } from './term-block.ts'

const STEMS = new StemWords()

/** A segment for each text, numbered from 1, with one page. */
class StoredSegments implements SegmentSource {
  readonly #pieces = new Map<string, Uint8Array>()
  readonly #blocks = new Map<number, StoredBlock[]>()
  readonly segments: { id: number; base: number; end: number; meanLength: number }[] = []

  constructor(texts: readonly string[]) {
    for (const [base, contentText] of texts.entries()) this.#write(base, contentText)
  }

  #write(base: number, contentText: string): void {
    const id = base + 1
    const blocks: StoredBlock[] = []
    const sink = {
      piece: (nth: number, bytes: Uint8Array) => this.#pieces.set(`${id} ${nth}`, bytes),
      terms: (key: Uint8Array, at: number, bytes: Uint8Array) => blocks.push({ key, at, bytes }),
    }
    const words = new BatchWords()
    const page = { ...sampleFields('a.test/', { title: '', contentText }), id, crawlId: 1 }
    const meanLength = words.add(base, columnsOf(page, STEMS))
    const writer = new SegmentWriter(sink, { worth: () => 1 })
    words.writeTo(writer)
    writer.flush()
    this.#blocks.set(id, blocks)
    this.segments.push({ id, base, end: base + 1, meanLength })
  }

  piece(segment: number, nth: number): Uint8Array | null {
    return this.#pieces.get(`${segment} ${nth}`) ?? null
  }

  blockAt(segment: number, key: Uint8Array): StoredBlock | null {
    const blocks = this.#blocks.get(segment) ?? []
    return blocks.findLast((block) => Buffer.compare(block.key, key) <= 0) ?? null
  }

  blocksAfter(segment: number, key: Uint8Array, limit: number): readonly StoredBlock[] {
    const blocks = this.#blocks.get(segment) ?? []
    return blocks.filter((block) => Buffer.compare(block.key, key) > 0).slice(0, limit)
  }

  viewThrough(source: SegmentSource): IndexView {
    const { segments } = this
    return {
      ...{
        segments,
        links: [],
        end: segments.length,
        pages: segments.length,
        length: 100,
        gone: 0,
      },
      reader: new SegmentReader(source),
      common: NO_COMMON_WORDS,
      columns: new ChangedColumns({ column: () => null }),
      sums: new PageSums(),
      ...{ textOf: () => '', numberOf: () => 0, counts: new Map(), bits: new KeptBits() },
    }
  }
}

/** What is asked of it is there with the next round. */
class Rounds {
  count = 0
  readonly segments: AwaitedSegments
  readonly #stored: StoredSegments

  constructor(stored: StoredSegments, keptBytes?: number) {
    this.#stored = stored
    this.segments = new AwaitedSegments(keptBytes === undefined ? {} : { keptBytes })
  }

  async read(wants: readonly Want[]): Promise<void> {
    if (++this.count > 100) throw new Error('it reads the same again and again')
    for (const want of wants) this.#answer(want)
  }

  #answer(want: Want): void {
    const { segments } = this
    if (want.of === 'block') {
      segments.putBlock(want.segment, want.key, this.#stored.blockAt(want.segment, want.key))
    } else if (want.of === 'blocks after') {
      const most = Math.max(16, want.limit)
      const blocks = this.#stored.blocksAfter(want.segment, want.key, most)
      segments.putNext(want.segment, want.key, blocks, blocks.length < most)
    } else if (want.of === 'pieces') {
      for (let nth = want.first; nth <= want.last; nth++) {
        segments.put(want.segment, nth, this.#stored.piece(want.segment, nth))
      }
    }
  }
}

const PLAIN = { anyForm: false, fields: null, loose: false, phrase: false } as const

function asking(...all: readonly Pick<Term, 'words' | 'prefix'>[]): Query {
  return { used: '', cut: false, all: all.map((term) => [{ ...PLAIN, ...term }]), none: [] }
}

function matcherOn(stored: StoredSegments, rounds: Rounds): AwaitedMatcher {
  return new AwaitedMatcher(stored.viewThrough(rounds.segments), {
    ...{ stems: STEMS, topics: new Map(), docsOf: async () => new Map() },
    ...{ words: {} as never, titles: {} as never },
    read: (wants) => rounds.read(wants),
  })
}

test('words with a prefix are read of all segments together, a few times as many each time', async () => {
  const words = Array.from({ length: 4000 }, (_, nth) => `comp${nth.toString(36)}x`).join(' ')
  const stored = new StoredSegments(['one', 'two', 'three', 'four'].map((one) => `${one} ${words}`))
  const rounds = new Rounds(stored)
  const matcher = matcherOn(stored, rounds)
  const matching = await matcher.matching(asking({ words: ['comp'], prefix: true }), {})
  assert.equal(await matching?.count(), 4)
  assert.ok(rounds.count < 10, `${rounds.count} rounds`)
})

test('a search that needs more than is kept comes to its end while others begin', async () => {
  const words = Array.from({ length: 4000 }, (_, nth) => `word${nth.toString(36)}x`).join(' ')
  const stored = new StoredSegments(['one', 'two', 'three'].map((one) => `aa zz ${one} ${words}`))
  const rounds = new Rounds(stored, 1)
  using _own = rounds.segments.begin()
  const others: Disposable[] = []
  const read = rounds.read.bind(rounds)
  rounds.read = async (wants) => {
    await read(wants)
    others.pop()?.[Symbol.dispose]()
    others.push(rounds.segments.begin())
  }
  const terms = ['aa', 'zz', 'word0x', 'wordzzx'].map((word) => ({ words: [word], prefix: false }))
  const matching = await matcherOn(stored, rounds).matching(asking(...terms), {})
  assert.equal(await matching?.count(), 3)
})

test('what searches have read is forgotten when they are over', () => {
  const segments = new AwaitedSegments({ keptBytes: 10 })
  const searches = [segments.begin(), segments.begin()]
  for (const nth of [0, 1, 2]) segments.put(1, nth, new Uint8Array(8))
  searches.pop()?.[Symbol.dispose]()
  segments.begin()[Symbol.dispose]()
  assert.deepEqual(
    [0, 1, 2].map((nth) => segments.has(1, nth)),
    [true, true, true],
  )
  searches.pop()?.[Symbol.dispose]()
  segments.begin()[Symbol.dispose]()
  assert.deepEqual(
    [0, 1, 2].map((nth) => segments.has(1, nth)),
    [false, false, true],
  )
})

test('a list that could not be read leaves nothing behind for the next one', () => {
  const stored = new StoredSegments(['tea team', 'tea teams'])
  let isThere = false
  const source: SegmentSource = {
    piece(segment, nth) {
      if (segment === 2 && !isThere) throw damaged()
      return stored.piece(segment, nth)
    },
    blockAt: (...asked) => stored.blockAt(...asked),
    blocksAfter: (...asked) => stored.blocksAfter(...asked),
  }
  const view = stored.viewThrough(source)
  const list = (words: readonly string[]) => {
    const found = words.map((word) => findTerm(view, word))
    const postings = unionOf(view, found, null)
    const reader = new BlockReader()
    postings.read(0, reader)
    return Array.from({ length: reader.size }, (_, nth) => [reader.docs[nth], reader.texts[nth]])
  }
  assert.throws(() => list(['tea', 'team', 'teams']), CrawlerError)
  isThere = true
  assert.deepEqual(list(['team', 'teams']), [
    [0, 1],
    [1, 1],
  ])
})
