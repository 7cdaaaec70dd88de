// H: how an answer is framed, and what stands in its headers. What is against the standard is a broken answer of
// that URL alone; what is only odd is read.
import assert from 'node:assert/strict'
import type { HostileCase } from '../case.ts'
import { ended, failed, http, stored } from '../expect.ts'
import {
  answer,
  article,
  CHUNKED,
  links,
  many,
  misbehave,
  OK,
  page,
  say,
  sayAndClose,
  site,
} from '../server/answers.ts'
import type { Script } from '../server/request.ts'

const PATIENT = { limits: {}, timeoutMs: 30_000 }
const PAGE = article('framed')
const LENGTH = `content-length: ${PAGE.length}\r\n`
const PNG = Buffer.concat([
  Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13]),
  Buffer.from('IHDR'),
  Buffer.alloc(600_000, 0x83),
])

function whole(headers: string, body = PAGE): string {
  return `${OK}${headers}content-length: ${body.length}\r\n\r\n${body}`
}

function status(line: string, headers = ''): string {
  return `HTTP/1.1 ${line}\r\ncontent-type: text/html\r\n${headers}${LENGTH}\r\n${PAGE}`
}

type Row = Pick<HostileCase, 'id' | 'does' | 'holds' | 'partly'> & {
  /** By the first label of a host. */
  readonly hosts: Readonly<Record<string, Script>>
}

function hostsOf({ id, hosts }: Row): readonly string[] {
  return Object.keys(hosts).map((name) => `${name}.${id.toLowerCase()}.test`)
}

function framed(row: Row, check: HostileCase['check']): HostileCase {
  const { hosts, ...rest } = row
  const scripts = Object.values(hosts).map(misbehave)
  const named = Object.fromEntries(
    hostsOf(row).map((host, n) => [host, scripts[n] ?? misbehave(say(''))]),
  )
  return { ...rest, web: { crawl: 'web', hosts: named }, check }
}

/** All of its hosts are broken answers. */
function broken(row: Row, reason = /^protocol/): HostileCase {
  return framed(row, async (stage) =>
    failed(await stage.crawl('web'), http(...hostsOf(row)), reason),
  )
}

/** All of its hosts are read as pages. */
function fine(row: Row): HostileCase {
  return framed(row, async (stage) => stored(await stage.crawl('web'), http(...hostsOf(row))))
}

export const FRAMING: readonly HostileCase[] = [
  framed(
    {
      id: 'H1',
      does: 'promises more bytes than it sends, by length or by chunks',
      holds: 'fails for now, and nothing is stored as a whole page',
      hosts: {
        length: sayAndClose(`${OK}content-length: 10000\r\n\r\n${PAGE}`),
        chunks: sayAndClose(`${CHUNKED}5\r\nhello\r\n`),
      },
    },
    async (stage) => {
      const seen = await stage.crawl('web')
      const said = failed(seen, http('length.h1.test', 'chunks.h1.test'), /^protocol/)
      assert.equal(seen.pages('length.h1.test').length, 0)
      return said
    },
  ),
  framed(
    {
      id: 'H2',
      does: 'sends more than the length it named',
      holds: 'as many bytes as were named are taken, and the connection is not used again',
      hosts: { more: say(`${OK}content-length: 20\r\n\r\n<title>seen</title>.${PAGE}`) },
    },
    async (stage) => {
      const seen = await stage.crawl('web')
      stored(seen, http('more.h2.test'))
      const { title, size_bytes } = seen.page('http://more.h2.test/')
      assert.equal(title, 'seen')
      assert.equal(size_bytes, 20)
      const asked = stage.web.requestsTo('more.h2.test')
      const after = asked.filter(({ target }) => target === '/').map(({ connection }) => connection)
      const again = asked.filter(({ connection, nth }) => after.includes(connection) && nth > 2)
      assert.equal(again.length, 0)
      return 'stored with the 20 bytes that were named'
    },
  ),
  broken({
    id: 'H3',
    does: 'names the same length twice',
    holds: 'one rule for all: a broken answer (RFC 9112 leaves the choice)',
    hosts: { twice: say(whole(LENGTH)) },
  }),
  broken({
    id: 'H4',
    does: 'names two lengths that differ',
    holds: 'a broken answer',
    hosts: { differ: say(whole('content-length: 3\r\n')) },
  }),
  broken({
    id: 'H5',
    does: 'names a length and sends chunks',
    holds: 'a broken answer',
    hosts: { both: say(whole('transfer-encoding: chunked\r\n')) },
  }),
  broken({
    id: 'H6',
    does: 'names a length that is negative or has twenty digits',
    holds: 'a broken answer',
    hosts: {
      negative: say(`${OK}content-length: -5\r\n\r\n${PAGE}`),
      huge: say(`${OK}content-length: 99999999999999999999\r\n\r\n${PAGE}`),
    },
  }),
  fine({
    id: 'H7',
    does: 'ends its body by closing, as HTTP/1.0 did',
    holds: 'stored',
    hosts: { old: sayAndClose(`HTTP/1.0 200 OK\r\ncontent-type: text/html\r\n\r\n${PAGE}`) },
  }),
  broken({
    id: 'H8',
    does: 'sends chunk sizes that are no numbers, too large, or without an end of line',
    holds: 'a broken answer',
    hosts: {
      letters: say(`${CHUNKED}ZZ\r\n${PAGE}`),
      huge: say(`${CHUNKED}fffffffffffffffff\r\n${PAGE}`),
      noend: say(`${CHUNKED}5\r\nhelloXX0\r\n\r\n`),
    },
  }),
  broken({
    id: 'H9',
    does: 'sends a header of 20 kB, or 3,000 headers',
    holds: 'a broken answer',
    hosts: {
      long: say(whole(`x-long: ${'x'.repeat(20_000)}\r\n`)),
      many: say(whole(many(3000, (n) => `x-${n}: value\r\n`))),
    },
  }),
  broken({
    id: 'H10',
    does: 'sends a NUL in a header, one without a colon, a space before the colon, a folded line',
    holds: 'a broken answer',
    hosts: {
      nul: say(whole('x-nul: a\0b\r\n')),
      nocolon: say(whole('nonsense\r\n')),
      space: say(whole('x-space : a\r\n')),
      fold: say(whole('x-fold: a\r\n b\r\n')),
    },
  }),
  broken({
    id: 'H11',
    does: 'ends its lines with LF alone',
    holds: 'a broken answer',
    hosts: { lf: say(whole('').replaceAll('\r\n', '\n')) },
  }),
  framed(
    {
      id: 'H12',
      does: 'answers as HTTP/0.9, as ICY, or with HTTP/2.0 in words',
      holds: 'the first two are broken answers, the third is read',
      hosts: {
        nine: sayAndClose(PAGE),
        icy: sayAndClose(whole('').replace('HTTP/1.1', 'ICY')),
        two: sayAndClose(whole('').replace('HTTP/1.1', 'HTTP/2.0')),
      },
    },
    async (stage) => {
      const seen = await stage.crawl('web')
      stored(seen, http('two.h12.test'))
      return failed(seen, http('nine.h12.test', 'icy.h12.test'), /^protocol/)
    },
  ),
  framed(
    {
      id: 'H13',
      does: 'answers with the status 099, 600 or 999, or without words after 200',
      holds: 'what is no status is a broken answer or fails as that status; 200 alone is read',
      hosts: {
        low: say(status('099 Low')),
        high: say(status('600 High')),
        nines: say(status('999 Denied')),
        bare: say(status('200')),
      },
    },
    async (stage) => {
      const seen = await stage.crawl('web')
      stored(seen, http('bare.h13.test'))
      return failed(
        seen,
        http('low.h13.test', 'high.h13.test', 'nines.h13.test'),
        /^(?:protocol|http-(?:600|999))/,
      )
    },
  ),
  fine({
    id: 'H14',
    does: 'says 100 Continue before its answer, unasked',
    holds: 'stored',
    hosts: {
      unasked: say('HTTP/1.1 100 Continue\r\n\r\n', whole('')),
      headers: say(`HTTP/1.1 100 Continue\r\nx-a: b\r\n\r\n${whole('')}`),
    },
  }),
  broken({
    id: 'H15',
    does: 'switches protocols',
    holds: 'a broken answer',
    hosts: {
      h2c: say('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: h2c\r\n\r\n'),
      bare: say('HTTP/1.1 101 Switching Protocols\r\n\r\n'),
    },
  }),
  framed(
    {
      id: 'H16',
      does: 'sends a body with 204, 205 or 304',
      holds: 'the body is not read, nothing is stored, and the connection is not used again',
      hosts: {
        s204: say(status('204 No Content')),
        s205: say(status('205 Reset Content')),
        s304: say(status('304 Not Modified')),
      },
    },
    async (stage) => {
      const seen = await stage.crawl('web')
      const hosts = ['s204.h16.test', 's205.h16.test', 's304.h16.test']
      assert.ok(hosts.every((host) => seen.pages(host).length === 0))
      return failed(seen, http(...hosts), /^(?:http-20[45]|http-304|protocol)/)
    },
  ),
  framed(
    {
      id: 'H17',
      does: 'says 304 although nobody asked whether it changed',
      holds: 'a broken answer; nothing is stored',
      partly:
        'it is not asked for again at once: no validators were sent, so the same request would bring the same answer',
      hosts: { unasked: say('HTTP/1.1 304 Not Modified\r\netag: "a"\r\n\r\n') },
    },
    async (stage) =>
      failed(await stage.crawl('web'), http('unasked.h17.test'), /^(?:http-304|protocol)/),
  ),
  framed(
    {
      id: 'H18',
      does: 'sends a part (206) although the whole was asked for',
      holds: 'stored and marked as truncated',
      hosts: { part: say(status('206 Partial Content', 'content-range: bytes 0-99/9999\r\n')) },
    },
    async (stage) => {
      const seen = await stage.crawl('web')
      assert.equal(seen.page('http://part.h18.test/').truncated, 1)
      return 'stored, truncated'
    },
  ),
  framed(
    {
      id: 'H19',
      does: 'sends 200 with Content-Range',
      holds: 'the range is ignored: a whole page',
      hosts: { range: say(whole('content-range: bytes 0-1/2\r\n')) },
    },
    async (stage) => {
      assert.equal((await stage.crawl('web')).page('http://range.h19.test/').truncated, 0)
      return 'stored, whole'
    },
  ),
  framed(
    {
      id: 'H20',
      does: 'sends Content-Type and Location twice, and 500 cookies',
      holds: 'the first type and the first location count; no cookie is kept',
      hosts: {
        types: say(
          whole(`content-type: image/png\r\n${many(500, (n) => `set-cookie: a${n}=b\r\n`)}`),
        ),
        location: (socket, request) => {
          if (request.target !== '/') page(article(`H20 ${request.target}`))(socket, request)
          else {
            const two = 'location: /first\r\nlocation: /second\r\n'
            say(`HTTP/1.1 302 Found\r\n${two}content-length: 0\r\n\r\n`)(socket, request)
          }
        },
      },
    },
    async (stage) => {
      const seen = await stage.crawl('web')
      stored(seen, ['http://types.h20.test/', 'http://location.h20.test/first'])
      assert.equal(seen.find('http://location.h20.test/second'), undefined)
      assert.ok(!stage.web.requests.some(({ headers }) => headers.has('cookie')))
      return 'the first of each counts'
    },
  ),
  framed(
    {
      id: 'H21',
      does: 'sends headers with raw Latin-1, raw UTF-8 and encoded line ends',
      holds: 'stored; nothing of them is said again to a server or a log as it is',
      hosts: {
        latin1: say(whole('etag: "caf\xe9"\r\nlast-modified: \xe9t\xe9\r\n')),
        utf8: say(whole('x-robots-tag: caf\xc3\xa9\r\n')),
        crlf: say(whole('etag: "a%0d%0ax-evil: 1"\r\n')),
      },
    },
    async (stage) => {
      const seen = await stage.crawl('web')
      const said = stored(seen, http('latin1.h21.test', 'utf8.h21.test', 'crlf.h21.test'))
      assert.ok(!stage.web.requests.some(({ headers }) => headers.has('x-evil')))
      assert.doesNotMatch(seen.stderr, /caf|x-evil/)
      return said
    },
  ),
  framed(
    {
      id: 'H22',
      does: 'sends no Content-Type, one with 1,000 parameters, or */*',
      holds: 'found out from the first bytes, in bounds',
      hosts: {
        none: say(whole('').replace('content-type: text/html\r\n', '')),
        params: say(whole('').replace('text/html', `text/html${'; charset='.repeat(1000)}`)),
        any: say(whole('').replace('text/html', '*/*')),
      },
    },
    async (stage) => {
      const seen = await stage.crawl('web')
      stored(seen, http('none.h22.test', 'params.h22.test'))
      const any = seen.url('http://any.h22.test/')
      assert.match(`${any.state} ${any.reason}`, /^(?:stored|duplicate|refused type: \*\/\*)/)
      return `without a type and with a thousand parameters stored; */*: ${any.state}`
    },
  ),
  framed(
    {
      id: 'H23',
      does: 'sends a picture as text/html',
      holds: 'known by its first bytes and refused',
      hosts: { png: page(PNG, { type: 'text/html' }) },
    },
    async (stage) => ended(await stage.crawl('web'), http('png.h23.test'), /^refused$/, /^type/),
  ),
  framed(
    {
      id: 'H24',
      does: 'sends HTML under a name that ends in .jpg',
      holds: 'a seed is judged by what it is, and read',
      partly:
        'a link that ends in .jpg is not followed: pictures are by far more, and each would cost a request',
      hosts: {
        jpg: site({
          '/': article('H24', links('/x.jpg')),
          '/photo.jpg': article('a page called photo'),
        }),
      },
    },
    async (stage) => {
      const seen = await stage.crawl('web')
      const said = ended(seen, ['http://jpg.h24.test/x.jpg'], /^refused$/, /^type/)
      const fetched = await stage.fetch('http://jpg.h24.test/photo.jpg', PATIENT)
      assert.ok(fetched.outcome === 'response' && fetched.status === 200)
      return `linked: ${said}; asked for: read`
    },
  ),
  framed(
    {
      id: 'H25',
      does: 'names a file with a way out of its folder',
      holds: 'the name is never used',
      hosts: {
        name: say(whole('content-disposition: attachment; filename=../../h25-escaped\r\n')),
      },
    },
    async (stage) => {
      const seen = await stage.crawl('web')
      ended(seen, http('name.h25.test'), /^(?:stored|duplicate|refused)$/)
      const { existsSync } = await import('node:fs')
      for (const path of [
        `${seen.data}/../h25-escaped`,
        `${seen.data}/../../h25-escaped`,
        'h25-escaped',
      ]) {
        assert.ok(!existsSync(path), path)
      }
      return 'no such file anywhere'
    },
  ),
  framed(
    {
      id: 'H26',
      does: 'sends 10,000 entries in Link headers',
      holds: 'bounded: none of them becomes a URL of the crawl',
      hosts: {
        links: say(whole(`link: ${many(400, (n) => `</h26-${n}>; rel=next, `)}</x>\r\n`)),
        more: say(whole(`link: ${many(10_000, (n) => `</h26-${n}>; rel=next, `)}</x>\r\n`)),
      },
    },
    async (stage) => {
      const seen = await stage.crawl('web')
      stored(seen, http('links.h26.test'))
      failed(seen, http('more.h26.test'), /^protocol: headers/)
      assert.ok(!seen.urls.some(({ url }) => url.includes('/h26-')))
      return 'read as a page; 10,000 are a broken answer; no entry was queued'
    },
  ),
  framed(
    {
      id: 'H27',
      does: 'answers HEAD otherwise than GET',
      holds: 'HEAD is never used',
      hosts: {
        head: (socket, { method }) =>
          void socket.write(answer(PAGE, { status: method === 'HEAD' ? 404 : 200 })),
      },
    },
    async (stage) => {
      const seen = await stage.crawl('web')
      const methods = new Set(stage.web.requests.map(({ method }) => method))
      methods.delete('POST')
      assert.deepEqual([...methods], ['GET'])
      return stored(seen, http('head.h27.test'))
    },
  ),
]
