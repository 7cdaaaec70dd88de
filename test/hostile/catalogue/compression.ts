// Z: content codings. Everything that is unpacked is unpacked within bounds, wherever it comes from.
import assert from 'node:assert/strict'
import {
  brotliCompressSync,
  deflateRawSync,
  deflateSync,
  gzipSync,
  zstdCompressSync,
} from 'node:zlib'
import type { HostileCase, Web } from '../case.ts'
import { ended, failed, http, stored } from '../expect.ts'
import { answer, article, links, many, misbehave, page, site } from '../server/answers.ts'
import type { Script } from '../server/request.ts'
import type { Stage } from '../stage.ts'

/** No page of this crawl needs more: far above a healthy process, far below what these bombs hold. */
const MOST_MIB = 600
/** Twice what is ever unpacked of a page; making more of it would only keep this machine busy. */
const ZEROS = Buffer.alloc(40 * 1024 * 1024, 0x20)
const PAGE = article('packed')
/** Made when they are needed: the large ones take a second. */
const made = new Map<string, Buffer>()

function once(name: string, make: () => Buffer): () => Buffer {
  return () => {
    const known = made.get(name) ?? make()
    made.set(name, known)
    return known
  }
}

const gzipBomb = once('gzip', () => gzipSync(ZEROS))
const brotliBomb = once('brotli', () => brotliCompressSync(ZEROS, { params: { 1: 3 } }))
const zstdBomb = once('zstd', () => zstdCompressSync(ZEROS))

function packed(coding: string, body: () => Uint8Array, status = 200): Script {
  return (socket) =>
    void socket.write(answer(body(), { status, headers: `content-encoding: ${coding}\r\n` }))
}

function host(id: string, script: Script): Web {
  return { crawl: 'web', hosts: { [`${id.toLowerCase()}.test`]: misbehave(script) } }
}

/** Stored as far as the limit goes, and no process grew much. */
async function bounded(stage: Stage, host: string): Promise<string> {
  const seen = await stage.crawl('web')
  ended(seen, http(host), /^(?:stored|duplicate|failed)$/)
  const { state, reason } = seen.url(`http://${host}/`)
  if (state === 'failed') assert.match(reason ?? '', /^decode/)
  else {
    const { truncated, size_bytes } = seen.page(`http://${host}/`)
    assert.equal(truncated, 1)
    assert.ok(size_bytes <= 17 * 1024 * 1024, `${size_bytes} bytes`)
  }
  assert.ok(seen.peakMib < MOST_MIB, `a process had ${seen.peakMib} MiB`)
  return `${state}${reason ? ` ${reason}` : ', truncated'}; no process above ${seen.peakMib} MiB`
}

/** A zstd frame that asks for a window of 2 GiB. */
const WIDE_ZSTD = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, 0xa8, 0x01, 0x00, 0x00])

const RAW_GZIP = gzipSync(PAGE)
const BAD_CRC = Buffer.from(RAW_GZIP)
BAD_CRC.writeUInt32LE(0xdeadbeef, BAD_CRC.length - 8)

export const COMPRESSION: readonly HostileCase[] = [
  {
    id: 'Z1',
    does: 'sends 40 MiB in 40 kB of gzip',
    holds: 'unpacked to the limit and no further; memory stays in bounds',
    web: host('Z1', packed('gzip', gzipBomb)),
    check: (stage) => bounded(stage, 'z1.test'),
  },
  {
    id: 'Z2',
    does: 'sends 40 MiB in a few dozen bytes of brotli',
    holds: 'unpacked to the limit and no further; memory stays in bounds',
    web: host('Z2', packed('br', brotliBomb)),
    check: (stage) => bounded(stage, 'z2.test'),
  },
  {
    id: 'Z3',
    does: 'sends 40 MiB in zstd, and a zstd frame that asks for a window of 2 GiB',
    holds: 'unpacked to the limit; the window is refused',
    web: {
      crawl: 'web',
      hosts: {
        'z3.test': misbehave(packed('zstd', zstdBomb)),
        'wide.z3.test': misbehave(packed('zstd', () => WIDE_ZSTD)),
      },
    },
    check: async (stage) => {
      const seen = await stage.crawl('web')
      return `${await bounded(stage, 'z3.test')}; ${failed(seen, http('wide.z3.test'), /^decode/)}`
    },
  },
  {
    id: 'Z4',
    does: 'packs gzip in gzip, twice or three times',
    holds: 'two are unpacked within the limit, three refused',
    web: {
      crawl: 'web',
      hosts: {
        'z4.test': misbehave(
          packed(
            'gzip, gzip',
            once('gg', () => gzipSync(gzipBomb())),
          ),
        ),
        'fine.z4.test': misbehave(packed('gzip, gzip', () => gzipSync(RAW_GZIP))),
        'three.z4.test': misbehave(packed('gzip, gzip, gzip', () => gzipSync(gzipSync(RAW_GZIP)))),
      },
    },
    check: async (stage) => {
      const seen = await stage.crawl('web')
      stored(seen, http('fine.z4.test'))
      return `${await bounded(stage, 'z4.test')}; ${failed(seen, http('three.z4.test'), /^decode/)}`
    },
  },
  {
    id: 'Z5',
    does: 'lists 20 or 1,000 codings',
    holds: 'refused before anything is unpacked',
    web: {
      crawl: 'web',
      hosts: {
        'z5.test': misbehave(packed(Array(20).fill('gzip').join(', '), () => RAW_GZIP)),
        'more.z5.test': misbehave(packed(Array(1000).fill('gzip').join(', '), () => RAW_GZIP)),
      },
    },
    check: async (stage) =>
      failed(await stage.crawl('web'), http('z5.test', 'more.z5.test'), /^decode/),
  },
  {
    id: 'Z6',
    does: 'leaves the end of its gzip out',
    holds: 'what was unpacked is kept and marked as truncated',
    web: host(
      'Z6',
      packed('gzip', () => RAW_GZIP.subarray(0, -9)),
    ),
    check: async (stage) => {
      const { truncated, title } = (await stage.crawl('web')).page('http://z6.test/')
      assert.deepEqual({ truncated, title }, { truncated: 1, title: 'packed' })
      return 'stored, truncated'
    },
  },
  {
    id: 'Z7',
    does: 'sends gzip with a wrong checksum',
    holds: 'kept with a mark, or a failure to decode',
    web: host(
      'Z7',
      packed('gzip', () => BAD_CRC),
    ),
    check: async (stage) => {
      const seen = await stage.crawl('web')
      return ended(
        seen,
        http('z7.test'),
        /^(?:stored|duplicate|failed)$/,
        /^(?:|.*decode.*|http.*)$/,
      )
    },
  },
  {
    id: 'Z8',
    does: 'sends gzip with noise or zeros behind it',
    holds: 'kept',
    web: {
      crawl: 'web',
      hosts: {
        'z8.test': misbehave(packed('gzip', () => Buffer.concat([RAW_GZIP, Buffer.from('noise')]))),
        'zeros.z8.test': misbehave(
          packed('gzip', () => Buffer.concat([RAW_GZIP, Buffer.alloc(50)])),
        ),
      },
    },
    check: async (stage) => {
      const seen = await stage.crawl('web')
      stored(seen, http('z8.test', 'zeros.z8.test'))
      for (const url of http('z8.test', 'zeros.z8.test'))
        assert.equal(seen.page(url).title, 'packed')
      return 'both stored whole'
    },
  },
  {
    id: 'Z9',
    does: 'sends a thousand empty gzip members before the one with the page',
    holds: 'stored, at a bounded cost',
    web: host(
      'Z9',
      packed('gzip', () =>
        Buffer.concat([...Array(1000).fill(gzipSync('')), gzipSync(article('member'))]),
      ),
    ),
    check: async (stage) => {
      assert.equal((await stage.crawl('web')).page('http://z9.test/').title, 'member')
      return 'stored'
    },
  },
  {
    id: 'Z10',
    does: 'says gzip and sends plain text',
    holds: 'read as it is',
    web: host(
      'Z10',
      packed('gzip', () => Buffer.from(article('plain'))),
    ),
    check: async (stage) => {
      assert.equal((await stage.crawl('web')).page('http://z10.test/').title, 'plain')
      return 'stored'
    },
  },
  {
    id: 'Z11',
    does: 'says nothing and sends gzip, as a page and as a sitemap',
    holds: 'unpacked only where it is a sitemap',
    web: {
      crawl: 'web',
      hosts: {
        'z11.test': misbehave(page(RAW_GZIP)),
        'map.z11.test': site({
          '/robots.txt': page('Sitemap: http://map.z11.test/map.xml.gz', { type: 'text/plain' }),
          '/map.xml.gz': page(
            gzipSync('<urlset><url><loc>http://map.z11.test/from-map</loc></url></urlset>'),
            { type: 'application/gzip' },
          ),
          '/': article('z11 map'),
          '/from-map': article('z11 from the map'),
        }),
      },
    },
    check: async (stage) => {
      const seen = await stage.crawl('web')
      stored(seen, ['http://map.z11.test/from-map'])
      return `sitemap read; page: ${ended(seen, http('z11.test'), /^refused$/, /^type/)}`
    },
  },
  {
    id: 'Z12',
    does: 'sends deflate with or without the header of zlib',
    holds: 'both are read',
    web: {
      crawl: 'web',
      hosts: {
        'z12.test': misbehave(packed('deflate', () => deflateSync(article('zlib')))),
        'raw.z12.test': misbehave(packed('deflate', () => deflateRawSync(article('raw')))),
      },
    },
    check: async (stage) => {
      const seen = await stage.crawl('web')
      assert.equal(seen.page('http://z12.test/').title, 'zlib')
      assert.equal(seen.page('http://raw.z12.test/').title, 'raw')
      return 'both stored'
    },
  },
  {
    id: 'Z13',
    does: 'says gzip and sends nothing',
    holds: 'an empty page',
    web: host(
      'Z13',
      packed('gzip', () => Buffer.alloc(0)),
    ),
    check: async (stage) => stored(await stage.crawl('web'), http('z13.test')),
  },
  {
    id: 'Z14',
    does: 'names a coding that nobody knows',
    holds: 'a failure to decode; not read as text',
    web: host(
      'Z14',
      packed('foo', () => Buffer.from(PAGE)),
    ),
    check: async (stage) => failed(await stage.crawl('web'), http('z14.test'), /^decode/),
  },
  {
    id: 'Z15',
    does: 'uses a coding by a name that was not offered (x-gzip)',
    holds: 'unpacked, since it is known',
    web: host(
      'Z15',
      packed('x-gzip', () => gzipSync(article('not offered'))),
    ),
    check: async (stage) => {
      assert.equal((await stage.crawl('web')).page('http://z15.test/').title, 'not offered')
      return 'stored'
    },
  },
  {
    id: 'Z16',
    does: 'hides a bomb in the body of a 302, a 404, a robots.txt and a sitemap',
    holds: 'the same bounds everywhere',
    web: {
      crawl: 'web',
      hosts: {
        'z16.test': site({
          '/': article('z16', links('/moved', '/gone')),
          '/moved': (socket) =>
            void socket.write(
              answer(gzipBomb(), {
                status: 302,
                headers: 'location: /here\r\ncontent-encoding: gzip\r\n',
              }),
            ),
          '/here': article('z16 here'),
          '/gone': packed('gzip', gzipBomb, 404),
        }),
        'robots.z16.test': site({
          '/robots.txt': packed('gzip', gzipBomb),
          '/': article('z16 robots'),
        }),
        'map.z16.test': site({
          '/robots.txt': page('Sitemap: http://map.z16.test/map.xml.gz', { type: 'text/plain' }),
          '/map.xml.gz': packed('gzip', gzipBomb),
          '/': article('z16 map'),
        }),
      },
    },
    check: async (stage) => {
      const seen = await stage.crawl('web')
      stored(seen, ['http://z16.test/here', 'http://map.z16.test/'])
      failed(seen, ['http://z16.test/gone'], /^http-404/)
      const { state, reason } = seen.url('http://robots.z16.test/')
      assert.match(`${state} ${reason}`, /^(?:stored|refused robots)/)
      assert.ok(seen.peakMib < MOST_MIB, `a process had ${seen.peakMib} MiB`)
      return `no process above ${seen.peakMib} MiB; behind such a robots.txt: ${state}`
    },
  },
  {
    id: 'Z17',
    does: 'packs 40 MB of links',
    holds: 'the limits of bytes and of links take over',
    web: host(
      'Z17',
      packed(
        'gzip',
        once('links', () =>
          gzipSync(many(30_000, (n) => `<a href="http://out-${n}.example/">${n}</a>`).repeat(30)),
        ),
      ),
    ),
    check: async (stage) => {
      const seen = await stage.crawl('web')
      const { truncated } = seen.page('http://z17.test/')
      assert.equal(truncated, 1)
      const kept = seen.links('http://z17.test/').length
      assert.ok(kept <= 10_000, `${kept} links`)
      return `stored, truncated, ${kept} links`
    },
  },
]
