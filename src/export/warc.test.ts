import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { test } from 'node:test'
import { WARCParser } from 'warcio'
import { sample } from '../../test/contract/sample-page.ts'
import { BEGUN_AT, ExportFixture, filesIn } from '../../test/support/export-fixture.ts'
import type { CanonicalUrl } from '../core/url.ts'
import type { WholePage } from '../store/page-reader.ts'
import { MANIFEST } from './pipe-target.ts'
import { cdxjLine, recordsOf } from './warc/page-records.ts'
import { encodeRecord } from './warc/record.ts'
import { createWarc, warc } from './warc.ts'

const HTML = Buffer.from('<title>caf\xe9</title>\r\n\r\nWARC/1.1\r\n\0', 'latin1')
const LINKS = [['http://c.test/', 'a', ''], ['http://d.test/\r\nx: y']]

const PAGES = [
  sample(
    'www.b.test/Path/?z=1&a=2',
    { charset: 'windows-1252', title: 'One\r\nWARC-Type: x', fetchedAt: 1_700_000_000_789 },
    { html: HTML, parts: { links: JSON.stringify(LINKS) } },
  ),
  sample('a.test/', { etag: '"\r\nSet-Cookie: a"', lastModified: '' }, { html: Buffer.from('a') }),
  sample('a.test/empty', { charset: '' }, { html: Buffer.alloc(0) }),
  sample('a.test/cut', { truncated: true, sizeBytes: 10 }, { html: Buffer.from('<p>cut') }),
  sample('a.test/unkept'),
  sample('a.test/hidden', { noindex: true }, { html: Buffer.from('secret') }),
]

/** Without the description that every exported folder has. */
async function archiveIn(folder: string): Promise<ReadonlyMap<string, Buffer>> {
  return new Map([...(await filesIn(folder))].filter(([name]) => name !== MANIFEST))
}

type Read = {
  readonly type: string | null
  readonly uri: string | null
  readonly fields: Readonly<Record<string, string>>
  readonly http: Readonly<Record<string, string>>
  readonly status: number | string | undefined
  readonly payload: Buffer
}

/** Reads with another program than the one that wrote them. */
async function readWarc(bytes: Uint8Array): Promise<Read[]> {
  const records: Read[] = []
  for await (const record of new WARCParser([bytes])) {
    const payload = Buffer.from(await record.readFully(true))
    records.push({
      type: record.warcType ?? null,
      uri: record.warcTargetURI ?? null,
      fields: Object.fromEntries(record.warcHeaders.headers),
      http: Object.fromEntries(record.httpHeaders?.headers ?? []),
      status: record.httpHeaders?.statusCode,
      payload,
    })
  }
  return records
}

type Line = { readonly key: string; readonly time: string; readonly found: Record<string, string> }

function readIndex(bytes: Uint8Array | undefined): Line[] {
  const lines = Buffer.from(bytes ?? [])
    .toString('latin1')
    .split('\n')
  assert.equal(lines.pop(), '')
  return lines.map((line) => {
    const [key = '', time = '', ...rest] = line.split(' ')
    return { key, time, found: JSON.parse(rest.join(' ')) }
  })
}

test('every page whose HTML was kept is in the archive, as warcio reads it', async () => {
  await using fixture = new ExportFixture()
  await fixture.save(PAGES)
  const [out, { pages, counts }] = await fixture.run(warc)
  const files = await archiveIn(out)
  assert.deepEqual([...files.keys()], ['index.cdxj', 'jelajah-20261115123045-00000.warc.gz'])
  assert.deepEqual([pages, counts], [5, { records: 8, without_html: 1 }])

  const records = await readWarc(files.get('jelajah-20261115123045-00000.warc.gz')!)
  const [info, ...rest] = records
  assert.equal(info!.type, 'warcinfo')
  assert.match(
    info!.payload.toString(),
    /^software: Jelajah\/[\d.]+\r\nformat: WARC File Format 1\.1\r\n/,
  )
  const responses = rest.filter(({ type }) => type === 'response')
  assert.deepEqual(
    responses.map(({ uri, status, payload }) => [uri, status, payload]),
    PAGES.slice(0, 4).map(({ page: { fields, html } }) => [fields.url, 200, Buffer.from(html!)]),
  )
  assert.deepEqual(responses[0]!.http, {
    'content-type': 'text/html; charset=windows-1252',
    'content-length': String(HTML.length),
    etag: '"abc"',
    'last-modified': 'Tue, 14 Nov 2023 22:13:20 GMT',
  })
  // A value that could not have been a header is left out.
  assert.deepEqual(responses[1]!.http, {
    'content-type': 'text/html; charset=utf-8',
    'content-length': '1',
  })
  assert.deepEqual(
    responses.map(({ fields }) => fields['warc-truncated']),
    [undefined, undefined, undefined, 'length'],
  )
  assert.equal(responses[0]!.fields['warc-date'], '2023-11-14T22:13:20.789Z')
})

test('what was found out about a page stands beside its answer', async () => {
  await using fixture = new ExportFixture()
  await fixture.save(PAGES.slice(0, 1))
  const [out] = await fixture.run(warc)
  const [, response, metadata, ...more] = await readWarc(
    (await archiveIn(out)).values().toArray()[1]!,
  )
  assert.deepEqual(more, [])
  assert.equal(metadata!.type, 'metadata')
  assert.equal(metadata!.fields['warc-concurrent-to'], response!.fields['warc-record-id'])
  assert.deepEqual(metadata!.payload.toString().split('\r\n'), [
    'title: One WARC-Type: x',
    'language: en',
    'kind: article',
    'relevance: 0.25',
    'depth: 1',
    'outlink: http://c.test/',
    'outlink: http://d.test/ x: y',
    '',
  ])
})

test('the index is sorted, and each of its lines opens the right record of the right file', async () => {
  await using fixture = new ExportFixture()
  await fixture.save(PAGES)
  const [out] = await fixture.run(createWarc(1000))
  const files = await archiveIn(out)
  assert.ok(files.size > 3, 'several files')
  const lines = readIndex(files.get('index.cdxj'))
  assert.deepEqual(
    lines.map(({ key, time }) => `${key} ${time}`),
    [
      'test,a)/ 20231114221320',
      'test,a)/cut 20231114221320',
      'test,a)/empty 20231114221320',
      'test,b)/path?a=2&z=1 20231114221320',
    ],
  )
  for (const { found } of lines) {
    const [from, length] = [Number(found.offset), Number(found.length)]
    const member = files.get(found.filename!)!.subarray(from, from + length)
    const [record, ...more] = await readWarc(member)
    assert.deepEqual([record!.type, record!.uri, more], ['response', found.url, []])
    assert.equal(record!.fields['warc-payload-digest'], found.digest)
    assert.equal(
      found.digest,
      `sha1:${base32(createHash('sha1').update(record!.payload).digest())}`,
    )
  }
  for (const [name, bytes] of files) {
    if (name.endsWith('.gz'))
      assert.equal((await readWarc(bytes))[0]!.fields['warc-filename'], name)
  }
})

test('an archive that was cut off again and again is the same, byte by byte', async () => {
  await using fixture = new ExportFixture()
  const pages = Array.from({ length: 12 }, (_, nth) =>
    sample(`h${nth % 3}.test/${12 - nth}`, {}, { html: Buffer.from(`<p>${nth}`.repeat(20)) }),
  )
  await fixture.save(pages)
  const exporter = createWarc(2000)
  const [whole, note] = await fixture.run(exporter, { name: 'whole' })
  const [pieces, other] = await fixture.run(exporter, {
    name: 'pieces',
    cutOffAfter: [0, 1, 4, 4, 11],
  })
  assert.deepEqual(await archiveIn(pieces), await archiveIn(whole))
  assert.deepEqual(other.counts, note.counts)
  assert.deepEqual(
    (await readdir(fixture.dir)).filter((name) => name.includes('.part')),
    [],
  )
})

test('without any HTML it says what is needed', async () => {
  await using fixture = new ExportFixture()
  await fixture.save([sample('a.test/unkept')])
  await assert.rejects(fixture.run(warc), { name: 'InvalidInput', message: /--keep-html/ })
})

test('of no pages there is an archive without pages', async () => {
  await using fixture = new ExportFixture()
  await fixture.save([])
  const [out] = await fixture.run(warc)
  const [index, archive] = (await archiveIn(out)).values().toArray()
  assert.equal(index!.length, 0)
  assert.deepEqual(
    (await readWarc(archive!)).map(({ type }) => type),
    ['warcinfo'],
  )
})

const ODD = 'a\r\nWARC-Type: warcinfo\r\n\r\n\0\u2028\ud800\u202e'

test('no text that is stored can end a line or a record', async () => {
  const { page } = sample('a.test/', { statusCode: 299, fetchedAt: 1e20, charset: ODD, title: ODD })
  const links = JSON.stringify([[ODD], [null], 7])
  const odd: WholePage = {
    ...page.fields,
    ...{ id: 1, crawlId: 1, duplicateOf: null, publishedDay: null, html: null, parts: { links } },
    ...{ url: `http://a.test/${ODD}` as CanonicalUrl, contentType: ODD, etag: ODD },
  }
  const { response, metadata } = recordsOf(odd, HTML, BEGUN_AT)
  const bytes = Buffer.concat([await encodeRecord(response), await encodeRecord(metadata)])
  const records = await readWarc(bytes)
  assert.deepEqual(
    records.map(({ type }) => type),
    ['response', 'metadata'],
  )
  assert.deepEqual(records[0]!.payload, HTML)
  assert.match(records[0]!.uri!, /^http:\/\/a\.test\/[\x21-\x7e]+$/)
  assert.equal(records[0]!.fields['warc-date'], '9999-12-31T00:00:00.000Z')
  const line = cdxjLine(odd, { filename: 'a', offset: 0, length: 1, digest: 'b' })
  assert.match(line, /^[\x21-\x7e]+ 99991231000000 \{[\x20-\x7e]+\}$/)
})

function base32(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  const groups = bits.match(/.{5}/g) ?? []
  return groups.map((five) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'[Number.parseInt(five, 2)]).join('')
}
