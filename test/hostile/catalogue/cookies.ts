// K: cookies. A crawl keeps none: whatever a server sets, no request carries one, so none can leak, grow or be forged.
import assert from 'node:assert/strict'
import type { HostileCase } from '../case.ts'
import { ended, stored } from '../expect.ts'
import { article, links, many, page, say, site } from '../server/answers.ts'
import type { Script } from '../server/request.ts'
import type { Stage } from '../stage.ts'

const SET: Readonly<Record<string, string>> = {
  k1: 'set-cookie: a=1; Domain=.co.uk\r\nset-cookie: b=1; Domain=test\r\n',
  k2: 'set-cookie: a=1; Domain=elsewhere.example\r\n',
  k3: `${many(100, (n) => `set-cookie: c${n}=${'x'.repeat(100)}\r\n`)}`,
  k4: 'set-cookie: __Host-a=1; Path=/\r\nset-cookie: s=1; Secure; HttpOnly\r\n',
  k7: 'set-cookie: a=1; Max-Age=-99999999999999999999; Expires=never\r\nset-cookie: b=1; Max-Age=abc\r\n',
}

function setting(name: string): Script {
  return site({
    '/': page(article(name, links('/next')), { headers: SET[name] ?? '' }),
    '/next': article(`${name} next`),
  })
}

async function sentNone(stage: Stage, ...hosts: readonly string[]): Promise<string> {
  const seen = await stage.crawl('web')
  const asked = hosts.flatMap((host) => stage.web.requestsTo(host))
  assert.ok(asked.length > 0)
  const sent = asked.filter(({ headers }) => headers.has('cookie') || headers.has('cookie2'))
  assert.deepEqual(sent, [])
  return `${asked.length} requests, no cookie; ${seen.pages(hosts[0] ?? '').length} pages stored`
}

function simple(id: string, does: string, holds: string): HostileCase {
  const name = id.toLowerCase()
  return {
    id,
    does,
    holds,
    web: { crawl: 'web', hosts: { [`${name}.test`]: setting(name) } },
    check: async (stage) => {
      const said = await sentNone(stage, `${name}.test`)
      stored(await stage.crawl('web'), [`http://${name}.test/next`])
      return said
    },
  }
}

export const COOKIES: readonly HostileCase[] = [
  simple('K1', 'sets a cookie for a public suffix', 'not kept, and sent to nobody'),
  simple('K2', 'sets a cookie for another site', 'not kept, and sent to nobody'),
  {
    id: 'K3',
    does: 'sets a hundred cookies, ten thousand, and one of a megabyte',
    holds: 'none is kept; what does not fit into 16 KiB of headers is a broken answer',
    web: {
      crawl: 'web',
      hosts: {
        'k3.test': setting('k3'),
        'many.k3.test': site({
          '*': page('x', { headers: many(10_000, (n) => `set-cookie: c${n}=1\r\n`) }),
        }),
        'large.k3.test': site({
          '*': page('x', { headers: `set-cookie: a=${'x'.repeat(1_000_000)}\r\n` }),
        }),
      },
    },
    check: async (stage) => {
      const said = await sentNone(stage, 'k3.test')
      const seen = await stage.crawl('web')
      return `${said}; ${ended(seen, ['http://many.k3.test/', 'http://large.k3.test/'], /^failed$/, /^protocol: headers/)}`
    },
  },
  simple('K4', 'sets Secure, HttpOnly and __Host- cookies', 'none is sent, over http least of all'),
  {
    id: 'K5',
    does: 'sets a cookie on the way of a redirect to another origin',
    holds: 'the other origin gets none',
    web: {
      crawl: 'web',
      hosts: {
        'k5.test': site({
          '/': say(
            'HTTP/1.1 302 Found\r\nset-cookie: hop=1; Domain=k5.test\r\nlocation: http://other.k5.test/\r\ncontent-length: 0\r\n\r\n',
          ),
        }),
        'other.k5.test': site({ '/': article('K5') }),
      },
      seeds: ['http://k5.test/'],
    },
    check: async (stage) => {
      stored(await stage.crawl('web'), ['http://other.k5.test/'])
      return await sentNone(stage, 'k5.test', 'other.k5.test')
    },
  },
  {
    id: 'K6',
    does: 'is crawled twice, by two jobs',
    holds: 'no job has cookies of another: there is no jar',
    check: async (stage) => {
      await Promise.all([stage.crawl('web'), stage.inNamespace ? stage.crawl('guard') : null])
      const sent = stage.web.requests.filter(({ headers }) => headers.has('cookie'))
      assert.equal(sent.length, 0)
      return `${stage.web.requests.length} requests of several crawls, none with a cookie`
    },
  },
  simple('K7', 'sets cookies that expired or never do', 'not kept'),
  {
    id: 'K8',
    does: 'sets cookies with NUL and line ends in their names',
    holds: 'a broken answer, or a page; nothing of it is sent',
    web: {
      crawl: 'web',
      hosts: {
        'k8.test': site({
          '/': page(article('K8', links('/next')), {
            headers: 'set-cookie: a%0d%0ax-evil=1\r\nset-cookie: =\r\nset-cookie: ;;;\r\n',
          }),
          '/next': article('K8 next'),
        }),
        'nul.k8.test': site({
          '/': say('HTTP/1.1 200 OK\r\nset-cookie: a\0b=1\r\ncontent-length: 2\r\n\r\nok'),
        }),
      },
    },
    check: async (stage) => {
      const seen = await stage.crawl('web')
      ended(seen, ['http://nul.k8.test/'], /^failed$/, /^protocol/)
      return await sentNone(stage, 'k8.test')
    },
  },
]
