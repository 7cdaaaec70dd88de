// L: servers that are busy, and how fast we may be.
import assert from 'node:assert/strict'
import { setTimeout as wait } from 'node:timers/promises'
import { retryAfterMs } from '../../../src/scouter/adaptive-delay.ts'
import type { HostileCase } from '../case.ts'
import type { Seen } from '../crawls.ts'
import { failed, stored } from '../expect.ts'
import { article, links, page, site } from '../server/answers.ts'
import { bigAndSmall, perAddress, restedAcrossRuns } from './overload-scenes.ts'

const NOW = Date.parse('Mon, 16 Nov 2026 10:00:00 GMT')
const DATE = 'Mon, 16 Nov 2026 08:00:00 GMT'
const DAY_MS = 86_400_000

const RETRY_AFTER: readonly (readonly [value: string, ms: number | null])[] = [
  ['7', 7000],
  // Counted from the Date of the same answer, not from our clock.
  ['Mon, 16 Nov 2026 08:00:30 GMT', 30_000],
  ['Mon, 16 Nov 2026 07:00:00 GMT', 0],
  ['Sun, 16 Nov 2036 08:00:00 GMT', DAY_MS],
  ['99999999999', DAY_MS],
  ['-5', null],
  ['soon', null],
  ['1.5', null],
]

/** How many URLs of a host came to which end. */
function reasonsOf({ urls }: Seen, host: string): string {
  const counts = new Map<string, number>()
  for (const row of urls.filter((one) => one.host === host)) {
    const end = `${row.state} ${(row.reason ?? '').split(':')[0]}`
    counts.set(end, (counts.get(end) ?? 0) + 1)
  }
  return [...counts].map(([end, count]) => `${count} ${end}`).join(', ')
}

const paths = (count: number): string[] => Array.from({ length: count }, (_, n) => `/p${n}`)

export const OVERLOAD: readonly HostileCase[] = [
  {
    id: 'L1',
    does: 'answers 429 and asks to be left alone for some seconds',
    holds: 'not one request to it until then, also by another run of the crawl',
    slow: true,
    check: restedAcrossRuns,
  },
  {
    id: 'L2',
    does: 'says Retry-After as a date, in the past, in ten years, negative, as nonsense, as a fraction',
    holds: 'dates count from its own clock; at most a day; what makes no sense is left to back-off',
    check: () => {
      for (const [value, ms] of RETRY_AFTER) assert.equal(retryAfterMs(value, DATE, NOW), ms, value)
      return `${RETRY_AFTER.length} forms`
    },
  },
  {
    id: 'L3',
    does: 'answers 503 to everything',
    holds: 'the host rests longer each time; its URLs are not tried one by one',
    web: {
      crawl: 'polite',
      hosts: {
        'l3.test': site({
          '/': article('L3', links(...paths(60))),
          '*': page('down', { status: 503 }),
        }),
      },
    },
    check: async (stage) => {
      const seen = await stage.crawl('polite')
      const asked = seen.asked('l3.test').length
      assert.ok(asked <= 20, `${asked} requests`)
      const starts = seen.asked('l3.test').map(({ at }) => at)
      const gaps = starts.slice(2).map((at, n) => at - (starts[n + 1] ?? 0))
      assert.ok(
        Math.max(...gaps) > 2 * Math.min(...gaps),
        `gaps of ${gaps.map(Math.round).join(', ')} ms`,
      )
      return `${asked} requests for 61 URLs, with growing pauses`
    },
  },
  {
    id: 'L4',
    does: 'answers 503 to one URL of ten',
    holds: 'that one is tried again and fails; the others are stored',
    web: {
      crawl: 'polite',
      hosts: {
        'l4.test': site({
          '/': article('L4', links(...paths(9), '/bad')),
          ...Object.fromEntries(paths(9).map((path) => [path, article(`L4 ${path}`)])),
          '/bad': page('down', { status: 503 }),
        }),
      },
    },
    check: async (stage) => {
      const seen = await stage.crawl('polite')
      assert.equal(seen.pages('l4.test').length, 10)
      const tries = seen.asked('l4.test').filter(({ target }) => target === '/bad').length
      assert.equal(tries, 3)
      return `10 stored; ${failed(seen, ['http://l4.test/bad'], /^http-503/)} after ${tries} tries`
    },
  },
  {
    id: 'L5',
    does: 'answers 200 with the same "too many requests" page to everything',
    holds: 'seen for what it is: one page, the others are duplicates',
    partly:
      'there is no word of its own for it: such pages are duplicates of each other, and few are asked for in the end',
    web: {
      crawl: 'web',
      hosts: {
        'l5.test': site({
          '/': article('L5', links(...paths(60))),
          '*': (socket, _request) => void socket.write(sameBody),
        }),
      },
    },
    check: async (stage) => {
      const seen = await stage.crawl('web')
      const rows = seen.urls.filter(({ host }) => host === 'l5.test')
      const stored = rows.filter(({ state }) => state === 'stored').length
      assert.equal(stored, 2)
      const asked = seen.asked('l5.test').length
      return `${stored} stored, the rest duplicates, ${asked} requests`
    },
  },
  {
    id: 'L6',
    does: 'answers ever more slowly',
    holds: 'pauses grow with its answers, and it has one request at a time',
    web: {
      crawl: 'polite',
      hosts: {
        'l6.test': site({
          '/': article('L6', links(...paths(9))),
          '*': async (socket, request) => {
            await wait(1200)
            page(article(`L6 ${request.target}`))(socket, request)
          },
        }),
      },
    },
    check: async (stage) => {
      const seen = await stage.crawl('polite')
      stored(seen, ['http://l6.test/p8'])
      const starts = seen
        .asked('l6.test')
        .filter(({ target }) => target.startsWith('/p'))
        .map(({ at }) => at)
      const gaps = starts.slice(1).map((at, n) => Math.round(at - (starts[n] ?? 0)))
      // An answer takes 1,200 ms: more than that is a pause.
      assert.ok(
        gaps.every((gap) => gap >= 1200),
        `gaps of ${gaps.join(', ')} ms`,
      )
      assert.ok((gaps.at(-1) ?? 0) >= 2000, `gaps of ${gaps.join(', ')} ms`)
      return `answers of 1,200 ms, requests ${gaps.join(' and ')} ms apart instead of 200`
    },
  },
  {
    id: 'L7',
    does: 'answers 403 to everything after some requests',
    holds: 'the host is left alone after some in a row, and says why',
    web: {
      crawl: 'polite',
      hosts: {
        'l7.test': site({
          '/': article('L7', links(...paths(200))),
          '*': (socket, request) =>
            request.total < 8
              ? page(article(`L7 ${request.target}`))(socket, request)
              : page('no', { status: 403 })(socket, request),
        }),
      },
    },
    check: async (stage) => {
      const seen = await stage.crawl('polite')
      const asked = seen.asked('l7.test').length
      // A page that is stored late begins the row again.
      assert.ok(asked <= 120, `${asked} requests; ${reasonsOf(seen, 'l7.test')}`)
      const left = seen.urls.filter(({ host, state }) => host === 'l7.test' && state === 'refused')
      assert.ok(left.length > 70)
      return `${asked} requests for 201 URLs; the rest: ${left[0]?.reason}`
    },
  },
  {
    id: 'L8',
    slow: true,
    does: 'serves many names from one address',
    holds: 'an option keeps the requests to one address apart',
    check: perAddress,
  },
  {
    id: 'L9',
    slow: true,
    does: 'has very many URLs on one host beside many small hosts',
    holds: 'the small ones are done first, whatever the large one has',
    check: bigAndSmall,
  },
]

const sameBody = Buffer.from(
  `HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: 66\r\n\r\n<title>Too many requests</title><p>Please prove you are human.</p>`,
)
