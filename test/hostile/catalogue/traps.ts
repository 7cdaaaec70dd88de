// W: webs without an end. A crawl of one ends by itself, says why, and leaves the time to others. The crawl `traps`
// has small budgets, so that what is endless ends soon.
import assert from 'node:assert/strict'
import { setTimeout as wait } from 'node:timers/promises'
import type { HostileCase } from '../case.ts'
import type { Seen } from '../crawls.ts'
import { ended } from '../expect.ts'
import { article, links, page, site } from '../server/answers.ts'
import type { Script } from '../server/request.ts'
import { revisited } from './trap-scenes.ts'

const WORDS = 'meadow river stone lantern harbour winter orchard candle thunder feather'.split(' ')

function word(n: number): string {
  return WORDS[n % WORDS.length] ?? 'word'
}

/** Every page is another one, made of words that nobody else has. */
function endless(next: (target: string, nth: number) => readonly string[]): Script {
  return site({
    '*': (socket, request) => {
      const text = `${request.target} ${word(request.total)} ${request.total}`
      page(article(text, links(...next(request.target, request.total))))(socket, request)
    },
  })
}

const pathOnly = (target: string): string => target.split('?')[0] ?? '/'

const random = (seed: number): number =>
  (Math.imul(seed ^ 0x9e3779b9, 2654435761) >>> 0) % 1_000_000

/** How many requests, and the reasons of what was left out. */
function bounded(seen: Seen, host: string, most: number): string {
  const asked = seen.urls.filter((row) => row.host === host)
  const requests = seen.asked(host).length
  assert.ok(requests <= most, `${requests} requests, at most ${most} expected`)
  const reasons = asked
    .filter(({ state }) => state === 'refused')
    .map(({ reason }) => (reason ?? '').split(':')[0])
  assert.ok(reasons.length > 0, 'nothing was left out for a reason')
  return `${requests} requests; left out: ${[...new Set(reasons)].join(', ')}`
}

export const TRAPS: readonly HostileCase[] = [
  {
    id: 'W1',
    does: 'has a calendar without an end',
    holds: 'a budget for each form of URL, with the form as reason',
    web: {
      crawl: 'traps',
      hosts: {
        'w1.test': endless((target) => {
          const day = Number(target.split('=')[1] ?? 0)
          return [`/cal?d=${day + 1}`, `/cal?d=${day - 1}`]
        }),
      },
    },
    check: async (stage) => bounded(await stage.crawl('traps'), 'w1.test', 120),
  },
  {
    id: 'W2',
    does: 'links to paths that repeat or grow: /a/a/a, /a/b/a/b, relative links',
    holds: 'refused when they repeat or have too many parts',
    web: {
      crawl: 'traps',
      hosts: {
        'w2.test': endless((target) => [`${pathOnly(target)}a/`, `${pathOnly(target)}b/`]),
        'grow.w2.test': endless((target) => [`${pathOnly(target)}${word(target.length)}/`]),
      },
    },
    check: async (stage) => {
      const seen = await stage.crawl('traps')
      return `${bounded(seen, 'w2.test', 300)}; ${bounded(seen, 'grow.w2.test', 60)}`
    },
  },
  {
    id: 'W3',
    does: 'puts a new session into every path',
    holds: 'bounded by the budget of that form',
    web: {
      crawl: 'traps',
      hosts: {
        'w3.test': endless((_target, nth) =>
          [1, 2, 3].map(
            (n) =>
              `/s/${(random(nth * 3 + n) + 2 ** 44).toString(16)}${random(n + nth).toString(16)}/page`,
          ),
        ),
      },
    },
    check: async (stage) => bounded(await stage.crawl('traps'), 'w3.test', 160),
  },
  {
    id: 'W4',
    does: 'offers every combination of thirty facets',
    holds: 'bounded, also where each combination has other keys',
    web: {
      crawl: 'traps',
      hosts: {
        'w4.test': endless((target) => {
          const on = new Set(
            (target.split('?')[1] ?? '')
              .split('&')
              .filter(Boolean)
              .map((pair) => pair.split('=')[0] ?? ''),
          )
          return Array.from({ length: 30 }, (_, n) => {
            const keys = new Set(on)
            keys.add(`f${n}`)
            return `/shop?${[...keys]
              .sort()
              .map((key) => `${key}=1`)
              .join('&')}`
          })
        }),
      },
    },
    check: async (stage) => bounded(await stage.crawl('traps'), 'w4.test', 300),
  },
  {
    id: 'W5',
    does: 'makes up pages without an end, slowly, that lead only further in',
    holds: 'budgets of the host in requests and time end it',
    web: {
      crawl: 'traps',
      hosts: {
        'w5.test': site({
          '*': async (socket, request) => {
            await wait(15)
            const next = Array.from(
              { length: 5 },
              (_, n) =>
                `/${word(random(request.total * 5 + n))}/${word(random(request.total + n * 31))}-${word(random(n + request.total * 7))}-${word(random(n * request.total))}/${word(n + request.total)}${'abcdefghij'[request.total % 10]}${'klmnopqrst'[Math.floor(request.total / 10) % 10]}`,
            )
            page(article(`${request.target} ${request.total}`, links(...next)))(socket, request)
          },
        }),
      },
    },
    check: async (stage) => bounded(await stage.crawl('traps'), 'w5.test', 300),
  },
  {
    id: 'W6',
    does: 'has a host for every name: each with one page that leads to more',
    holds: 'a budget of the registrable domain ends it',
    web: {
      crawl: 'traps',
      hosts: {
        'w6.test': site({ '/': article('W6', links(...subdomains(0))) }),
        ...Object.fromEntries(
          Array.from({ length: 6000 }, (_, n) => [
            `n${n}.w6.test`,
            site({ '/': article(`W6 ${n}`, links(...subdomains(3 * n + 3))) }),
          ]),
        ),
      },
      seeds: ['http://w6.test/'],
    },
    check: async (stage) => {
      const seen = await stage.crawl('traps')
      const hosts = new Set(
        stage.web.requests.filter(({ host }) => host.endsWith('.w6.test')).map(({ host }) => host),
      ).size
      assert.ok(hosts <= 450, `${hosts} hosts of one domain`)
      const left = seen.urls.filter(
        ({ host, state }) => host.endsWith('.w6.test') && state === 'refused',
      )
      assert.ok(left.length > 0, 'nothing was left out for a reason')
      return `${hosts} hosts of the domain; left out: ${left[0]?.reason}`
    },
  },
  {
    id: 'W7',
    does: 'links to thousands of other hosts on one page',
    holds: 'outside of the scope: not one of them is asked for',
    web: {
      crawl: 'web',
      hosts: {
        'w7.test': site({
          '/': article(
            'W7',
            links('/next', ...Array.from({ length: 3000 }, (_, n) => `http://farm-${n}.example/`)),
          ),
          '/next': article('W7 next'),
        }),
      },
    },
    check: async (stage) => {
      const seen = await stage.crawl('web')
      const farm = seen.urls.filter(({ host }) => host.startsWith('farm-'))
      assert.ok(farm.length >= 3000)
      assert.ok(
        farm.every(({ state, reason }) => state === 'refused' && /^scope/.test(reason ?? '')),
      )
      return `${farm.length} hosts refused: scope`
    },
  },
  {
    id: 'W8',
    slow: true,
    does: 'has another content and another ETag each time',
    holds: 'looked at again once for each time somebody asks for it',
    check: revisited,
  },
  {
    id: 'W9',
    does: 'has links that do something: /logout, /delete?id=1',
    holds:
      'not followed by default where a page of a session offers them; nothing but GET is ever sent',
    web: {
      crawl: 'web',
      hosts: {
        'w9.test': site({
          '/': page(
            article(
              'W9',
              links(
                '/logout',
                '/delete?id=1',
                '/account/delete?id=2',
                '/cart?action=remove&id=3',
                '/read',
              ),
            ),
            { headers: 'set-cookie: session=1\r\n' },
          ),
          '*': (socket, request) => page(article(`W9 ${request.target}`))(socket, request),
        }),
      },
    },
    check: async (stage) => {
      const seen = await stage.crawl('web')
      const asked = seen.asked('w9.test').map(({ target }) => target)
      assert.ok(asked.includes('/read'))
      const acted = asked.filter((target) => /logout|delete|remove/.test(target))
      assert.deepEqual(acted, [])
      return ended(seen, ['http://w9.test/logout', 'http://w9.test/delete?id=1'], /^refused$/)
    },
  },
]

function subdomains(from: number): readonly string[] {
  return Array.from({ length: 3 }, (_, n) => `http://n${(from + n) % 6000}.w6.test/`)
}
