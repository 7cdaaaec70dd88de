import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type DateSources,
  dateInUrl,
  datesOf,
  type MarkedDate,
  type ShortLine,
} from './page-dates.ts'
import { isMonthFirst } from './written-date.ts'

type Place = { readonly lines: readonly ShortLine[]; readonly stamps: readonly MarkedDate[] }
const NOWHERE: Place = { lines: [], stamps: [] }
const NOTHING: DateSources = {
  url: 'https://example.org/a',
  fetchedAt: Date.UTC(2026, 5, 1),
  monthFirst: false,
  metaPublished: [],
  metaModified: [],
  metaDates: [],
  ldPublished: '',
  ldModified: '',
  itemPublished: [],
  itemModified: [],
  surroundings: { near: NOWHERE, far: NOWHERE },
  headingAt: 0,
}

function published(sources: Partial<DateSources>): string {
  return dayOf(datesOf({ ...NOTHING, ...sources }).published?.dayAt)
}

function dayOf(at: number | undefined): string {
  return at === undefined ? '' : new Date(at).toISOString().slice(0, 10)
}

function lines(...texts: readonly string[]): Place {
  return { lines: texts.map((text) => line(text)), stamps: [] }
}

function line(text: string, marks: Partial<ShortLine> = {}): ShortLine {
  return { text, at: 10, label: '', dated: false, signed: false, ...marks }
}

function stamps(use: MarkedDate['use'], value: string): Place {
  return { lines: [], stamps: [{ value, use, at: 10 }] }
}

test('sources are trusted in their order: meta, JSON-LD, microdata, time, text, URL', () => {
  const all: Partial<DateSources> = {
    metaPublished: ['2026-01-01'],
    ldPublished: '2026-01-02',
    itemPublished: ['2026-01-03'],
    surroundings: {
      near: { ...lines('5 January 2026'), ...{ stamps: stamps('', '2026-01-04').stamps } },
      far: NOWHERE,
    },
    url: 'https://example.org/2026/01/06/a',
  }
  assert.equal(published(all), '2026-01-01')
  assert.equal(published({ ...all, metaPublished: [] }), '2026-01-02')
  assert.equal(published({ ...all, metaPublished: [], ldPublished: '' }), '2026-01-03')
  const shown = { ...all, metaPublished: [], ldPublished: '', itemPublished: [] }
  assert.equal(published(shown), '2026-01-04')
  assert.equal(
    published({ ...shown, surroundings: { near: lines('5 January 2026'), far: NOWHERE } }),
    '2026-01-05',
  )
  assert.equal(published({ ...shown, surroundings: NOTHING.surroundings }), '2026-01-06')
})

test('a day before the web or after the fetch counts as missing', () => {
  assert.equal(
    published({ metaPublished: ['1970-01-01'], ldPublished: '2026-01-02' }),
    '2026-01-02',
  )
  assert.equal(published({ metaPublished: ['2026-06-09', '2026-01-02'] }), '2026-01-02')
  assert.equal(published({ metaPublished: ['2026-06-01T20:00:00Z'] }), '2026-06-01')
})

test('an invalid date is skipped for the next', () => {
  assert.equal(published({ metaPublished: ['today', '2026-01-02'] }), '2026-01-02')
})

test('the line that a class or a word marks as the date wins over others nearby', () => {
  const near = {
    lines: [line('Report for 1 March 2025'), line('2 March 2025', { dated: true })],
    stamps: [],
  }
  assert.equal(published({ surroundings: { near, far: NOWHERE } }), '2025-03-02')
  const labelled = lines('Report for 1 March 2025', 'Diterbitkan: 3 Maret 2025')
  assert.equal(published({ surroundings: { near: labelled, far: NOWHERE } }), '2025-03-03')
})

test('the date of change is not the date of publication when both are given', () => {
  const near = lines('Updated: 5 March 2025, published: 2 March 2025')
  const dates = datesOf({ ...NOTHING, surroundings: { near, far: NOWHERE } })
  assert.equal(dayOf(dates.published?.dayAt), '2025-03-02')
  assert.equal(dayOf(dates.modified?.dayAt), '2025-03-05')
})

const CHANGES: readonly (readonly [what: string, sources: Partial<DateSources>])[] = [
  ['by meta', { metaModified: ['2026-01-02'] }],
  ['by JSON-LD', { ldModified: '2026-01-02' }],
  ['by a line', { surroundings: { near: lines('Last updated on 2 January 2026'), far: NOWHERE } }],
  [
    'in its foot',
    { surroundings: { near: NOWHERE, far: lines('Terakhir diubah 2 Januari 2026') } },
  ],
  ['by a time', { surroundings: { near: stamps('modified', '2026-01-02'), far: NOWHERE } }],
  [
    'by a time in its foot',
    { surroundings: { near: NOWHERE, far: stamps('modified', '2026-01-02') } },
  ],
  [
    'with the label on a line of its own',
    {
      surroundings: {
        near: { lines: [line('2 January 2026', { label: 'modified' })], stamps: [] },
        far: NOWHERE,
      },
    },
  ],
]

for (const [what, sources] of CHANGES) {
  test(`a page that only shows its last change, ${what}, has no publication date`, () => {
    const dates = datesOf({ ...NOTHING, ...sources })
    assert.equal(dates.published, null)
    assert.equal(dayOf(dates.modified?.dayAt), '2026-01-02')
  })
}

test('a label on a line of its own is that of a date the next line begins with', () => {
  const near = { lines: [line('before 2 March 2025', { label: 'modified' })], stamps: [] }
  assert.equal(published({ surroundings: { near, far: NOWHERE } }), '2025-03-02')
})

test('dates of copyright, membership and deadlines are not publication dates', () => {
  for (const text of ['Copyright 1.1.2025', 'Joined: 1 March 2025', 'Deadline 1 March 2025']) {
    assert.equal(published({ surroundings: { near: lines(text), far: NOWHERE } }), '')
  }
})

test('far from the heading a date needs further evidence', () => {
  const far = (text: string, marks: Partial<ShortLine> = {}) => ({
    surroundings: { near: NOWHERE, far: { lines: [line(text, marks)], stamps: [] } },
  })
  assert.equal(published(far('a meeting that began on 2 March 2025 in the town hall')), '')
  assert.equal(published(far('Erschienen am 2. März 2025')), '2025-03-02')
  assert.equal(published(far('2 March 2025', { dated: true })), '2025-03-02')
})

test('other dates of the page show whether the month comes first', () => {
  const near = { lines: [line('03/04/2025', { dated: true })], stamps: [] }
  const far = lines('reply of 25/04/2025')
  assert.equal(published({ monthFirst: true, surroundings: { near, far } }), '2025-04-03')
  assert.equal(published({ monthFirst: true, surroundings: { near, far: NOWHERE } }), '2025-03-04')
})

test('nothing around the heading is read when the page declares its date', () => {
  const surroundings = {
    get near(): Place {
      throw new Error('looked')
    },
    far: NOWHERE,
  }
  assert.equal(published({ metaPublished: ['2026-01-02'], surroundings }), '2026-01-02')
})

const ADDRESSES: readonly (readonly [path: string, day: string])[] = [
  ['/2026/01/12/rice', '2026-01-12'],
  ['/news/2026-01-12-rice', '2026-01-12'],
  ['/news/20260112/rice', '2026-01-12'],
  ['/read/2026/1/2/rice', '2026-01-02'],
  ['/2026/jan/12/rice', '2026-01-12'],
  ['/blog/2026/january/2/rice', '2026-01-02'],
  ['/2026/rice/12', ''],
  ['/2026/13/12/rice', ''],
  ['/2026/rice', ''],
  ['/id/202601123', ''],
  ['/rice', ''],
]

for (const [path, day] of ADDRESSES) {
  test(`the address ${path} contains ${day === '' ? 'no day' : day}`, () => {
    assert.equal(dayOf(dateInUrl(`https://example.org${path}`)?.dayAt), day)
  })
}

test('a time in UTC falls on the day in the address, where that is possible', () => {
  const at = '2026-01-13T02:30:00Z'
  const dayIn = (path: string, written = at) =>
    published({ url: `https://example.org${path}`, metaPublished: [written] })
  assert.equal(dayIn('/2026/01/12/rice'), '2026-01-12')
  assert.equal(dayIn('/2025/01/12/rice'), '2026-01-13')
  assert.equal(dayIn('/2026/01/12/rice', '2026-01-13T02:30:00+07:00'), '2026-01-13')
  assert.equal(dayIn('/2026/01/12/rice', '2026-01-13T02:30:00'), '2026-01-13')
})

test('only American pages put the month first', () => {
  assert.ok(isMonthFirst('en-us', 'example.org'))
  assert.ok(isMonthFirst('en', 'example.com'))
  assert.ok(!isMonthFirst('en-gb', 'example.com'))
  assert.ok(!isMonthFirst('en', 'example.co.uk'))
  assert.ok(!isMonthFirst('id', 'example.com'))
  assert.ok(!isMonthFirst('', 'example.de'))
})

test('the first line of posts counts, however long the name in it is', () => {
  const near = lines(
    'Post by ratna » Mon Jan 08, 2024 7:31 pm',
    'by ratna » Tue Jan 09, 2024 6:15 am',
  )
  assert.equal(published({ surroundings: { near, far: NOWHERE } }), '2024-01-08')
})

test('after the word date two digits are a year', () => {
  const place = (text: string) => ({ near: lines(text), far: NOWHERE })
  assert.equal(published({ surroundings: place('By rina Date 13.11.15 11:26') }), '2015-11-13')
  assert.equal(published({ surroundings: place('By rina 13.11.15 11:26') }), '')
})
