import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seededRandom } from '../../lib/seeded-random.ts'
import { HEAD_SHARE } from '../page-columns.ts'
import { idfOf, normFor, worthOf } from './bm25.ts'
import { NO_COMMON_WORDS } from './common-words.ts'
import { KeptBits } from './doc-bits.ts'
import { ChangedColumns } from './doc-columns.ts'
import { Filter } from './filter.ts'
import type { IndexView } from './index-view.ts'
import { type LinkList, NO_LINKS } from './link-list.ts'
import { PageSums } from './page-sums.ts'
import { FIELDS_EACH, PostingBuffer } from './postings.ts'
import { findTerm, StoredPostings } from './postings-list.ts'
import { SegmentMatching } from './segment-matching.ts'
import { SegmentReader, type StoredBlock } from './segment-reader.ts'
import { SegmentWriter } from './segment-writer.ts'

const PAGES = 5000
const SEGMENTS = [
  { id: 1, base: 0, end: 1500 },
  { id: 2, base: 1500, end: 3100 },
  { id: 3, base: 3100, end: PAGES },
]
/** The share of pages that have each term. */
const TERMS: Readonly<Record<string, number>> = {
  ...{ every: 1, most: 0.85, many: 0.25, quarter: 0.24, some: 0.04, few: 0.01, rare: 0.001 },
}
const RANK_WEIGHT = 0.1

type Page = { readonly text: number; readonly head: number }

function madeUp() {
  const random = seededRandom(4)
  const terms = new Map<string, Map<number, Page>>()
  for (const [term, share] of Object.entries(TERMS)) {
    const pages = new Map<number, Page>()
    for (let doc = 0; doc < PAGES; doc++) {
      if (random() >= share) continue
      pages.set(doc, { text: 1 + Math.floor(random() ** 4 * 9), head: random() < 0.02 ? 10 : 0 })
    }
    terms.set(term, pages)
  }
  const columns = new ChangedColumns({ column: () => null })
  let length = 0
  for (let doc = 0; doc < PAGES; doc++) {
    const own = 50 + Math.floor(random() * 500)
    length += own
    columns.set('id', doc, 10_000 - doc)
    columns.set('length', doc, own)
    columns.set('standing', doc, random() < 0.01 ? 5 : random())
  }
  const view: IndexView = {
    ...{ segments: SEGMENTS.map((each) => ({ ...each, meanLength: length / PAGES })), links: [] },
    ...{ end: PAGES, pages: PAGES, length, gone: 0, columns, sums: new PageSums() },
    reader: writtenReader(terms, (doc, text, head) => {
      const { fixed, perWord, headShare } = normFor(length / PAGES)
      return worthOf(text, head, fixed + perWord * columns.value('length', doc), headShare)
    }),
    common: NO_COMMON_WORDS,
    ...{ textOf: () => '', numberOf: () => 0, counts: new Map(), bits: new KeptBits() },
  }
  return { view, terms }
}

function writtenReader(
  terms: ReadonlyMap<string, ReadonlyMap<number, Page>>,
  worth: (doc: number, text: number, head: number) => number,
): SegmentReader {
  const pieces = new Map<string, Uint8Array>()
  const blocks = new Map<number, StoredBlock>()
  for (const { id, base, end } of SEGMENTS) {
    const writer = new SegmentWriter(
      {
        piece: (nth, bytes) => pieces.set(`${id} ${nth}`, bytes),
        terms: (key, at, bytes) => blocks.set(id, { key, at, bytes }),
      },
      { worth },
    )
    for (const [term, pages] of [...terms].sort()) {
      const postings = new PostingBuffer()
      for (const [doc, { text, head }] of pages) {
        if (doc < base || doc >= end) continue
        const at = postings.add(doc) * FIELDS_EACH
        postings.counts[at] = text
        postings.counts[at + 1] = head / 10
      }
      writer.add(term, postings)
    }
    writer.flush()
  }
  return new SegmentReader({
    piece: (segment, nth) => pieces.get(`${segment} ${nth}`) ?? null,
    blockAt: (segment) => blocks.get(segment) ?? null,
    blocksAfter: () => [],
  })
}

/** Terms between which a slash stands are alternatives, the first that a page has counts. */
const QUERIES: readonly { groups: string[][]; light?: string[]; none?: string[] }[] = [
  { groups: [['most']] },
  { groups: [['rare']] },
  { groups: [['many'], ['quarter']] },
  { groups: [['many'], ['most'], ['every'], ['quarter']] },
  { groups: [['some'], ['many/quarter']] },
  { groups: [['few', 'rare', 'many'], ['most']] },
  { groups: [['few', 'some', 'quarter/most']], light: ['every', 'many'] },
  { groups: [['most']], none: ['many', 'some'] },
  { groups: [['rare/every'], ['some/many/most']], light: ['few'] },
]
const LINKED: LinkList = {
  docs: Int32Array.from({ length: 250 }, (_, at) => at * 20 + 3),
  worths: Float64Array.from({ length: 250 }, (_, at) => (at % 17) / 80),
}

test('the best pages are those that a look at every page finds, however few are asked for', async () => {
  const { view, terms } = madeUp()
  for (const linked of ['', 'many', 'some', 'rare']) {
    const linksOf = (term: string) => (term === linked ? LINKED : NO_LINKS)
    for (const { groups, light = [], none = [] } of QUERIES) {
      const listsOf = (text: string) => ({
        lists: text.split('/').map((term) => ({
          postings: new StoredPostings(view, findTerm(view, term)),
          links: linksOf(term),
          idf: idfOf(PAGES, terms.get(term)?.size ?? 0),
        })),
      })
      const matching = new SegmentMatching(view, {
        groups: groups.map((group) => group.map(listsOf)),
        light: light.map(listsOf),
        none: none.map((term) => new StoredPostings(view, findTerm(view, term))),
        filter: new Filter(view, {}, new Map()),
        ...{ rankWeight: RANK_WEIGHT, headShare: HEAD_SHARE, onFound: () => {} },
      })
      const expected = everyPage(view, { terms, linksOf }, { groups, light, none })
      assert.equal(await matching.count(), expected.length)
      for (const limit of [1, 10, 200, 6000]) {
        const found = (await matching.best(limit)).map(({ id, score }) => [id, score.toFixed(9)])
        const wanted = expected.slice(0, limit).map(({ id, score }) => [id, score.toFixed(9)])
        assert.deepEqual(found, wanted, `${JSON.stringify(groups)} ${linked} ${limit}`)
      }
    }
  }
})

function everyPage(
  { columns, length }: IndexView,
  {
    terms,
    linksOf,
  }: {
    terms: ReadonlyMap<string, ReadonlyMap<number, Page>>
    linksOf: (term: string) => LinkList
  },
  { groups, light, none }: { groups: string[][]; light: string[]; none: string[] },
) {
  const { fixed, perWord, headShare } = normFor(length / PAGES)
  const scored: { id: number; score: number }[] = []
  for (let doc = 0; doc < PAGES; doc++) {
    const scoreOf = (text: string): number | null => {
      for (const term of text.split('/')) {
        const page = terms.get(term)?.get(doc)
        const link = linksOf(term).docs.indexOf(doc)
        if (page === undefined && link < 0) continue
        const norm = fixed + perWord * columns.value('length', doc)
        const own = page === undefined ? 0 : worthOf(page.text, page.head, norm, headShare)
        const said = link < 0 ? 0 : (linksOf(term).worths[link] ?? 0)
        return idfOf(PAGES, terms.get(term)?.size ?? 0) * (own + said)
      }
      return null
    }
    if (none.some((term) => terms.get(term)?.has(doc))) continue
    const each = groups.map((group) => group.map(scoreOf))
    if (!each.every((group) => group.some((score) => score !== null))) continue
    const sum = [...each.flat(), ...light.map(scoreOf)].reduce<number>((a, b) => a + (b ?? 0), 0)
    const score = sum * (1 + RANK_WEIGHT * columns.value('standing', doc))
    scored.push({ id: columns.value('id', doc), score })
  }
  return scored.sort((a, b) => b.score - a.score || a.id - b.id)
}
