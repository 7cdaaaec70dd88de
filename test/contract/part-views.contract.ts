// What people find who ask a store by SQL: the parts of a page under their public names.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Job } from '../../src/core/job.ts'
import { PARTS, type Part } from '../../src/core/page.ts'
import type { JobStore } from '../../src/store/job-store.ts'
import type { PageStore } from '../../src/store/page-store.ts'
import { sample, sampleJob } from './sample-page.ts'

export interface ViewedFixture extends AsyncDisposable {
  jobs(): Promise<JobStore>
  pages(job: Job): Promise<PageStore>
  query(sql: string): Promise<readonly Readonly<Record<string, unknown>>[]>
}

const FORM = { action: 'http://a.test/', method: 'get', fields: [{ name: 'q', type: 'text' }] }
const TABLE = { caption: 'Prices', headers: ['what', 'price'], rows: [['tea', '2']] }

/** As they are stored: a name and a value, or values and a 1. */
const FIELDS = [
  ['title', '1'],
  ['price', 12.5],
  ['stars', [4, 5], 1],
  ['sold', false],
  ['json', { a: [1, 'x'] }],
  ['list', [1, 2]],
]

/** Rows as the parser makes them, and what a reader of the view sees. */
const PART_ROWS: Readonly<Record<Part, readonly (readonly [row: unknown, seen: object])[]>> = {
  links: [
    [
      ['http://a.test/2', 'two', 'nofollow', 'page … of three'],
      { url: 'http://a.test/2', anchor: 'two', rel: 'nofollow', context: 'page … of three' },
    ],
    [
      ['http://a.test/3', 'three', ''],
      { url: 'http://a.test/3', anchor: 'three', rel: '', context: '' },
    ],
  ],
  images: [
    [
      ['http://a.test/i.png', 'alt'],
      { src: 'http://a.test/i.png', alt: 'alt', width: null, height: null, best: null },
    ],
    [
      ['http://a.test/j.png', '', 10, null, 'http://a.test/k.png'],
      { src: 'http://a.test/j.png', alt: '', width: 10, height: null, best: 'http://a.test/k.png' },
    ],
  ],
  tables: [[TABLE, { caption: 'Prices', headers: '["what","price"]', rows: '[["tea","2"]]' }]],
  forms: [
    [FORM, { action: 'http://a.test/', method: 'get', fields: '[{"name":"q","type":"text"}]' }],
  ],
  lists: [
    [['ol', 0, true, ['a', 'b']], { kind: 'ol', depth: 0, links: 1, entries: '["a","b"]' }],
    [['dl', 1, false, [['a', 'b']]], { kind: 'dl', depth: 1, links: 0, entries: '[["a","b"]]' }],
  ],
  scripts: [
    [
      ['http://a.test/s.js', 'module', 'async'],
      { src: 'http://a.test/s.js', type: 'module', load: 'async', length: null, text: null },
    ],
    [
      [null, 'application/ld+json', null, 2, '{}'],
      { src: null, type: 'application/ld+json', load: null, length: 2, text: '{}' },
    ],
  ],
  styles: [
    [
      ['http://a.test/s.css'],
      { href: 'http://a.test/s.css', media: null, length: null, text: null },
    ],
    [[null, 'print', 10, 'p{}'], { href: null, media: 'print', length: 10, text: 'p{}' }],
  ],
}

export function partViewsContract(name: string, openFixture: () => Promise<ViewedFixture>): void {
  test(`${name}: every part of a page can be read by SQL under its public name`, async () => {
    await using fixture = await openFixture()
    await using jobs = await fixture.jobs()
    await using store = await fixture.pages(await jobs.create(sampleJob()))
    const parts = Object.fromEntries(
      PARTS.map((part) => [part, JSON.stringify(PART_ROWS[part].map(([row]) => row))]),
    )
    const [saved] = await store.save([sample('a.test/1', {}, { parts }), sample('a.test/2')])
    assert.ok(saved?.outcome === 'stored')
    for (const part of PARTS) {
      const rows = await fixture.query(`SELECT * FROM page_${part} ORDER BY position`)
      const expected = PART_ROWS[part].map(([, seen], position) => ({ ...seen, position }))
      assert.deepEqual(
        rows.map(({ page_id, ...row }) => row),
        expected,
        part,
      )
      assert.ok(rows.every(({ page_id }) => page_id === saved.id))
    }
  })

  test(`${name}: every value of a field is a row, numbers also as numbers`, async () => {
    await using fixture = await openFixture()
    await using jobs = await fixture.jobs()
    await using store = await fixture.pages(await jobs.create(sampleJob()))
    const fields = JSON.stringify(FIELDS)
    const other = JSON.stringify([['price', 7]])
    const [saved] = await store.save([
      sample('a.test/1', {}, { parts: { fields } }),
      sample('a.test/2'),
      sample('a.test/3', {}, { parts: { fields: other } }),
    ])
    assert.ok(saved?.outcome === 'stored')
    const where = `page_id = ${saved.id}`
    const rows = await fixture.query(`
      SELECT name, position, value, number FROM page_fields WHERE ${where} ORDER BY name, position`)
    assert.deepEqual(
      rows.map((row) => [row.name, row.position, row.value, row.number]),
      [
        ['json', 0, '{"a":[1,"x"]}', null],
        ['list', 0, '[1,2]', null],
        ['price', 0, '12.5', 12.5],
        ['sold', 0, 'false', null],
        ['stars', 0, '4', 4],
        ['stars', 1, '5', 5],
        ['title', 0, '1', null],
      ],
    )
    const cheap = await fixture.query(
      "SELECT page_id FROM page_fields WHERE name = 'price' AND number < 10",
    )
    assert.equal(cheap.length, 1)
  })

  test(`${name}: no text from the web breaks a question to all pages`, async () => {
    await using fixture = await openFixture()
    await using jobs = await fixture.jobs()
    await using store = await fixture.pages(await jobs.create(sampleJob()))
    const odd = `a\0b \ud800 \udc00 c`
    const parts = Object.fromEntries(
      PARTS.map((part) => [part, JSON.stringify(PART_ROWS[part].map(([row]) => spoilt(row, odd)))]),
    )
    const about = JSON.stringify({ site_name: odd })
    const spoiltFields = JSON.stringify(spoilt(FIELDS, odd))
    await store.save([
      sample('a.test/1', { about }, { parts: { ...parts, fields: spoiltFields } }),
      sample('a.test/2', {}, { parts }),
    ])
    assert.equal((await fixture.query('SELECT * FROM page_fields')).length, FIELDS.length + 1)
    for (const part of PARTS) {
      const rows = await fixture.query(`SELECT * FROM page_${part}`)
      assert.equal(rows.length, 2 * PART_ROWS[part].length, part)
    }
    const [link] = await fixture.query('SELECT anchor FROM page_links LIMIT 1')
    assert.equal(link?.anchor, 'ab \ufffd \ufffd c')
    const [kept] = await fixture.query("SELECT about FROM pages WHERE url = 'http://a.test/1'")
    assert.deepEqual(JSON.parse(String(kept?.about)), { site_name: 'ab \ufffd \ufffd c' })
  })
}

/** The row of a part, every text in it another one. */
function spoilt(row: unknown, text: string): unknown {
  return JSON.parse(
    JSON.stringify(row, (_key, value: unknown) => (typeof value === 'string' ? text : value)),
  )
}
