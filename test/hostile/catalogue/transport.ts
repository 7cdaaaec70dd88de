// T: connections and timing. Whatever a server does with time, a request ends within its limits, and what is
// incomplete is never stored as a whole page.
import assert from 'node:assert/strict'
import { backoffMs } from '../../../src/lib/backoff.ts'
import type { HostileCase } from '../case.ts'
import { failed, http, stored } from '../expect.ts'
import {
  article,
  CHUNKED,
  drip,
  flood,
  hangUp,
  links,
  misbehave,
  OK,
  page,
  say,
  silence,
  site,
} from '../server/answers.ts'
import type { Script } from '../server/request.ts'
import { crowd, downtime, unanswered } from './transport-scenes.ts'

const EARLY_HINTS = 'HTTP/1.1 103 Early Hints\r\nlink: </a.css>\r\n\r\n'

/** Pages that link to each other, each answered as told. */
function pages(count: number, answer: (n: number) => Script): Script {
  const paths: Record<string, Script> = {}
  for (let n = 1; n < count; n++) paths[`/p${n}`] = answer(n)
  const front = article(`front ${count}`, links(...Object.keys(paths)))
  return site({ ...paths, '/': page(front) })
}

const unasked: Script = (socket, request) => {
  page(article(`asked for ${request.target} ${request.host}`))(socket, request)
  page(article(`nobody asked for ${request.target}`))(socket, { ...request, nonce: 'unasked' })
}

export const TRANSPORT: readonly HostileCase[] = [
  {
    id: 'T1',
    does: 'takes a connection and never answers',
    holds: 'ends by the limit for headers, to be tried again',
    web: { crawl: 'web', hosts: { 't1.test': misbehave(silence) } },
    check: async (stage) => {
      const seen = await stage.crawl('web')
      failed(seen, http('t1.test'), /^timeout-/)
      const fetched = await stage.fetch('http://t1.test/')
      assert.equal(fetched.outcome, 'failed')
      assert.match(fetched.reason, /^timeout-headers/)
      assert.equal(fetched.transient, true)
      return fetched.reason
    },
  },
  {
    id: 'T2',
    does: 'drops every packet of a connection',
    holds: 'ends by the limit for connecting, 10 s unless told otherwise, to be tried again',
    check: async (stage) => {
      await using hole = await unanswered()
      const connectTo = [{ pattern: 't2.test', address: '127.0.0.1', port: hole.port }]
      const fetched = await stage.fetch('http://t2.test/', { connectTo })
      assert.equal(fetched.outcome, 'failed')
      assert.match(fetched.reason, /^timeout-connect/)
      assert.equal(fetched.transient, true)
      return fetched.reason
    },
  },
  {
    id: 'T3',
    does: 'refuses connections',
    holds: 'fails for now, and the host is left alone longer each time',
    check: async (stage) => {
      const connectTo = [{ pattern: 't3.test', address: '127.0.0.1', port: 1 }]
      const fetched = await stage.fetch('http://t3.test/', { connectTo })
      assert.equal(fetched.outcome, 'failed')
      assert.match(fetched.reason, /^connect: ECONNREFUSED/)
      assert.ok(fetched.transient && fetched.hostFault)
      const waits = [1, 2, 3, 4].map((failures) => backoffMs(failures, { random: () => 0.5 }))
      assert.deepEqual(
        waits,
        [...waits].sort((a, b) => a - b),
      )
      assert.ok((waits[3] ?? 0) >= 4 * (waits[0] ?? 0))
      return `${fetched.reason}; rests of ${waits.join(', ')} ms`
    },
  },
  {
    id: 'T4',
    does: 'sends a byte of its headers now and then, for ever',
    holds: 'ends by a limit that bytes do not put off',
    web: {
      crawl: 'web',
      hosts: { 't4.test': misbehave(drip('HTTP/1.1 200 OK\r\nx-slow: ', 'x')) },
    },
    check: async (stage) => {
      failed(await stage.crawl('web'), http('t4.test'), /^timeout-/)
      const fetched = await stage.fetch('http://t4.test/')
      assert.ok(fetched.outcome === 'failed' && /^timeout-headers/.test(fetched.reason))
      return fetched.reason
    },
  },
  {
    id: 'T5',
    does: 'sends header lines for ever',
    holds: 'a broken answer at 16 KiB of headers',
    web: { crawl: 'web', hosts: { 't5.test': misbehave(flood(OK, 'x-more: and more\r\n')) } },
    check: async (stage) => failed(await stage.crawl('web'), http('t5.test'), /^protocol: headers/),
  },
  {
    id: 'T6',
    does: 'sends interim answers (103) for ever, fast or slowly',
    holds: 'ends after ten of them or by the limit of the whole',
    web: {
      crawl: 'web',
      hosts: {
        't6.test': misbehave(flood('', EARLY_HINTS)),
        'slow.t6.test': misbehave(drip('', EARLY_HINTS, 300)),
      },
    },
    check: async (stage) =>
      failed(await stage.crawl('web'), http('t6.test', 'slow.t6.test'), /^(?:protocol|timeout-)/),
  },
  {
    id: 'T7',
    does: 'sends a body of a known length, a byte now and then',
    holds: 'ends by the limit of the whole request; nothing is stored',
    web: {
      crawl: 'web',
      hosts: { 't7.test': misbehave(drip(`${OK}content-length: 100000\r\n\r\n<p>`, 'x')) },
    },
    check: async (stage) => {
      const seen = await stage.crawl('web')
      assert.equal(seen.pages('t7.test').length, 0)
      return failed(seen, http('t7.test'), /^timeout-total/)
    },
  },
  {
    id: 'T8',
    does: 'sends a body without a length and without an end',
    holds: 'is cut at the limit, stored, and marked as truncated',
    web: { crawl: 'web', hosts: { 't8.test': misbehave(flood(`${OK}\r\n`, '<p>and on</p>')) } },
    check: async (stage) => {
      const seen = await stage.crawl('web')
      stored(seen, http('t8.test'))
      const { truncated, size_bytes } = seen.page('http://t8.test/')
      assert.equal(truncated, 1)
      return `stored, truncated, ${size_bytes} bytes`
    },
  },
  {
    id: 'T9',
    does: 'sends a chunk, and then neither more nor the end',
    holds: 'ends by the limit for silence within a body',
    web: { crawl: 'web', hosts: { 't9.test': misbehave(say(`${CHUNKED}5\r\nhello\r\n`)) } },
    check: async (stage) => {
      failed(await stage.crawl('web'), http('t9.test'), /^timeout-/)
      const fetched = await stage.fetch('http://t9.test/')
      assert.ok(fetched.outcome === 'failed' && /^timeout-idle/.test(fetched.reason))
      return fetched.reason
    },
  },
  {
    id: 'T10',
    does: 'sends a chunk extension without an end',
    holds: 'ends by the limit of bytes on the wire, long before that of time',
    web: {
      crawl: 'web',
      hosts: {
        't10.test': misbehave(flood(`${CHUNKED}5;`, 'x')),
        'later.t10.test': misbehave(flood(`${CHUNKED}5\r\nhello\r\n5;`, 'x')),
      },
    },
    check: async (stage) => {
      const seen = await stage.crawl('web')
      const said = failed(seen, http('t10.test', 'later.t10.test'), /^(?:protocol|timeout-total)/)
      const asked = seen
        .asked('t10.test')
        .map(({ connection }) => stage.web.connections[connection])
      const sent = Math.max(...asked.map((connection) => connection?.read ?? 0))
      assert.ok(sent < 64 * 1024 * 1024, `${sent} bytes were taken`)
      return said
    },
  },
  {
    id: 'T11',
    does: 'sends trailers without an end',
    holds: 'a broken answer; nothing is stored',
    web: {
      crawl: 'web',
      hosts: { 't11.test': misbehave(flood(`${CHUNKED}0\r\n`, 'x-trailer: on\r\n')) },
    },
    check: async (stage) => failed(await stage.crawl('web'), http('t11.test'), /^protocol/),
  },
  {
    id: 'T12',
    does: 'closes before the status line',
    holds: 'fails for now; asked again at once only where the connection had been used before',
    web: { crawl: 'web', hosts: { 't12.test': site({ '/robots.txt': closing404, '*': hangUp }) } },
    check: async (stage) => {
      const seen = await stage.crawl('web')
      const said = failed(seen, http('t12.test'), /^(?:protocol|connect)/)
      const asked = seen.asked('t12.test').length
      assert.ok(asked <= 2, `asked ${asked} times`)
      return `${said}, asked ${asked} times`
    },
  },
  {
    id: 'T13',
    does: 'resets the connection within a body',
    holds: 'fails for now; nothing is stored',
    web: {
      crawl: 'web',
      hosts: {
        't13.test': misbehave((socket) => {
          socket.write(`${OK}content-length: 1000\r\n\r\nhalf`, 'latin1', () =>
            socket.resetAndDestroy(),
          )
        }),
      },
    },
    check: async (stage) => {
      const seen = await stage.crawl('web')
      assert.equal(seen.pages('t13.test').length, 0)
      return failed(seen, http('t13.test'), /^(?:connect|protocol)/)
    },
  },
  {
    id: 'T14',
    does: 'closes a kept connection as the next request comes',
    holds: 'every page is stored, each asked for twice at most',
    web: {
      crawl: 'web',
      hosts: {
        't14.test': pages(9, (n) => (socket, request) => {
          if (request.nth % 3 === 0) socket.end()
          else page(article(`page ${n} of T14`))(socket, request)
        }),
      },
    },
    check: async (stage) => {
      const seen = await stage.crawl('web')
      assert.equal(seen.pages('t14.test').length, 9)
      const most = Math.max(...seen.asked('t14.test').map(({ asked }) => asked))
      assert.ok(most <= 2, `one URL was asked for ${most} times`)
      return `9 of 9 stored, none asked for more than ${most} times`
    },
  },
  {
    id: 'T15',
    does: 'sends a second answer that nobody asked for on a kept connection',
    holds: 'the connection is dropped, and no answer is taken for that of another URL',
    web: { crawl: 'web', hosts: { 't15.test': pages(6, () => unasked) } },
    check: async (stage) => {
      const seen = await stage.crawl('web')
      const found = seen.pages('t15.test').filter(({ url }) => url !== 'http://t15.test/')
      assert.equal(found.length, 5)
      for (const { url, title } of found) {
        assert.equal(title, `asked for ${new URL(url).pathname} t15.test`)
      }
      return '5 of 5 pages have their own answers'
    },
  },
  {
    id: 'T16',
    does: 'very many hosts each hold a connection open',
    holds: 'connections stay within their limit, and a healthy host gets all its pages',
    slow: true,
    check: crowd,
  },
  {
    id: 'T17',
    does: 'takes the connection and stops reading',
    holds: 'ends within the limits',
    web: { crawl: 'web', hosts: { 't17.test': misbehave((socket) => void socket.pause()) } },
    check: async (stage) => failed(await stage.crawl('web'), http('t17.test'), /^timeout-/),
  },
  {
    id: 'T18',
    does: 'sends its robots.txt a byte at a time',
    holds: 'the same limits; without a robots.txt that can be had, no page is asked for',
    web: {
      crawl: 'web',
      hosts: {
        't18.test': site({
          '/robots.txt': drip(`HTTP/1.1 200 OK\r\ncontent-length: 9999\r\n\r\nUser-agent: *`, ' '),
          '/': article('T18'),
        }),
      },
    },
    check: async (stage) => {
      const seen = await stage.crawl('web')
      const { state, reason } = seen.url('http://t18.test/')
      assert.match(
        `${state} ${reason}`,
        /^(?:refused|failed) (?:robots-unreachable|host-unreachable|timeout-)/,
      )
      assert.equal(seen.asked('t18.test').length, 0)
      return `${state} ${reason}`
    },
  },
  {
    id: 'T19',
    does: 'is down for a while (longer than several tries), then up',
    holds: 'waited for with growing pauses; no URL is dropped',
    slow: true,
    check: async (stage) => {
      const { stored, total, refusals } = await downtime(stage, { downMs: 20_000, flaps: false })
      assert.equal(stored, total)
      return `${stored} of ${total} stored after ${refusals} refused connections`
    },
  },
  {
    id: 'T20',
    does: 'is up and down every two seconds',
    holds: 'every page is stored in the end; while it is down it is tried by one request at a time',
    slow: true,
    check: async (stage) => {
      const { stored, total, refusals, together } = await downtime(stage, {
        downMs: 2000,
        flaps: true,
      })
      assert.equal(stored, total)
      assert.ok(together <= 1, `${together} connections at once`)
      return `${stored} of ${total} stored, ${refusals} resets, ${together} connection at a time`
    },
  },
]

function closing404(...[socket, request]: Parameters<Script>): void {
  page('none', { status: 404, headers: 'connection: close\r\n' })(socket, request)
  socket.end()
}
