// Every misbehaviour of the hostile site, and the result of each.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  type FetchKit,
  openFetchKit,
  response,
  text,
  WANTED,
} from '../../test/support/fetch-kit.ts'
import { reasonCode } from '../core/visit.ts'

let kit: FetchKit

before(async () => {
  kit = await openFetchKit()
})

after(async () => {
  await kit[Symbol.asyncDispose]()
})

type Failed = readonly [path: string, code: string, kind: 'transient' | 'permanent']

const FAILURES: readonly Failed[] = [
  ['T1', 'timeout-headers', 'transient'],
  ['T4', 'timeout-headers', 'transient'],
  ['T5', 'protocol', 'permanent'],
  ['T6', 'protocol', 'permanent'],
  ['T6-eleven', 'protocol', 'permanent'],
  ['T6-few', 'timeout-headers', 'transient'],
  ['T6-continue', 'protocol', 'permanent'],
  ['T9', 'timeout-idle', 'transient'],
  ['T10', 'protocol', 'permanent'],
  ['T10-body', 'protocol', 'permanent'],
  ['T11', 'protocol', 'permanent'],
  ['T12', 'protocol', 'transient'],
  ['T13', 'connect', 'transient'],
  ['T17', 'timeout-headers', 'transient'],
  ['H1', 'protocol', 'transient'],
  ['H1-chunked', 'protocol', 'transient'],
  ['H3', 'protocol', 'permanent'],
  ['H4', 'protocol', 'permanent'],
  ['H5', 'protocol', 'permanent'],
  ['H6-negative', 'protocol', 'permanent'],
  ['H6-huge', 'protocol', 'permanent'],
  ['H8-letters', 'protocol', 'permanent'],
  ['H8-huge', 'protocol', 'permanent'],
  ['H8-no-end', 'protocol', 'permanent'],
  ['H9-long', 'protocol', 'permanent'],
  ['H9-many', 'protocol', 'permanent'],
  ['H10-nul', 'protocol', 'permanent'],
  ['H10-no-colon', 'protocol', 'permanent'],
  ['H10-space', 'protocol', 'permanent'],
  ['H10-fold', 'protocol', 'permanent'],
  ['H11', 'protocol', 'permanent'],
  ['H12-09', 'protocol', 'permanent'],
  ['H12-icy', 'protocol', 'permanent'],
  ['H13-099', 'protocol', 'permanent'],
  ['H13-600', 'protocol', 'permanent'],
  ['H13-999', 'protocol', 'permanent'],
  ['H15', 'protocol', 'permanent'],
  ['H15-bare', 'protocol', 'permanent'],
  ['H17', 'protocol', 'permanent'],
  ['R4-long', 'protocol', 'permanent'],
]

for (const [path, code, kind] of FAILURES) {
  test(`${path} fails as ${code}, ${kind}, and its connection is closed`, async () => {
    const hasty = code.startsWith('timeout')
    const fetched = hasty ? await kit.fetchHastily(path) : await kit.fetch(path)
    assert.equal(fetched.outcome, 'failed', JSON.stringify(fetched))
    if (fetched.outcome !== 'failed') return
    assert.equal(reasonCode(fetched.reason), code, fetched.reason)
    assert.equal(fetched.transient ? 'transient' : 'permanent', kind, fetched.reason)
    assert.notEqual(fetched.startedAt, null)
    await kit.site.quiet()
  })
}

const GOOD = [
  ...['ok', 'empty', 'close', 'T6-ten', 'T15', 'H7', 'H12-2', 'H13-bare', 'H14', 'H14-headers'],
  ...['H14-pieces', 'H19', 'H20', 'H21-latin1', 'H22', 'H22-params'],
]

for (const path of GOOD) {
  test(`${path} is answered, and the next request gets its own answer`, async () => {
    const fetched = response(await kit.fetch(path))
    assert.equal(fetched.status, 200)
    assert.equal(fetched.truncated, false)
    assert.equal(text(fetched), path === 'empty' ? '' : '<title>ok</title>')
    assert.equal(text(await kit.fetch('ok')), '<title>ok</title>')
  })
}

type Bodied = readonly [path: string, status: number, bytes: number, truncated: boolean]

const BODIES: readonly Bodied[] = [
  ['T8', 200, WANTED, true],
  ['H2', 200, 7, false],
  ['H16-204', 204, 0, false],
  ['H16-205', 205, 0, false],
  ['H18', 206, 17, true],
  ['R1', 302, 0, false],
  ['R2', 302, 0, false],
  ['R18', 302, 0, false],
  ['R18-announced', 302, 0, false],
  ['Z16', 302, 0, false],
]

for (const [path, status, bytes, truncated] of BODIES) {
  test(`${path} gives status ${status} and ${bytes} bytes`, async () => {
    const fetched = response(await kit.fetch(path))
    assert.equal(fetched.status, status)
    assert.equal(Buffer.concat(fetched.body).length, bytes)
    assert.equal(fetched.truncated, truncated)
    assert.ok(fetched.wireBytes > bytes)
    assert.equal(text(await kit.fetch('ok')), '<title>ok</title>')
  })
}

test('a redirect whose body never ends is an answer all the same', async () => {
  assert.equal(response(await kit.fetchHastily('R18-idle')).status, 302)
})

for (const path of ['Z1', 'Z2', 'Z3', 'Z4', 'Z5']) {
  test(`${path}, a bomb, is handed over as small as it came`, async () => {
    const fetched = response(await kit.fetch(path))
    assert.match(fetched.headers.contentEncoding, /^(?:gzip|br|zstd)/)
    assert.equal(Buffer.concat(fetched.body).length, fetched.headers.contentLength)
  })
}

const LOCATIONS: Readonly<Record<string, string | null>> = {
  R1: '/R1',
  'R4-relative': '../up?q=1',
  'R4-empty': '',
  'R4-missing': null,
  'R4-utf8': '/café',
  'R4-latin1': '/café',
  R5: 'file:///etc/passwd',
  H20: '/first',
}

for (const [path, location] of Object.entries(LOCATIONS)) {
  test(`${path} names the location ${location} and is not followed`, async () => {
    assert.equal(response(await kit.fetch(path)).headers.location, location)
    assert.equal(kit.site.log.at(-1)?.split('#')[0], path)
  })
}

test('every case of the hostile site has its expectation here', () => {
  const tables = [FAILURES, BODIES].flatMap((rows) => rows.map(([path]) => path))
  const elsewhere = ['R18-idle', 'T7', 'T14', 'T14-reset', 'H20-tags', 'Z1', 'Z2', 'Z3', 'Z4', 'Z5']
  const expected = new Set([...tables, ...GOOD, ...Object.keys(LOCATIONS), ...elsewhere])
  assert.deepEqual(
    kit.site.cases.filter((path) => !expected.has(path)),
    [],
  )
})
