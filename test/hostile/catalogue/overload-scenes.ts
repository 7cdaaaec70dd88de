// Scenes of pace that need crawls of their own.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { jelajah, readPages } from '../../e2e/crawling.ts'
import { checkHealth, withinTime } from '../crawls.ts'
import { article, links, page, site } from '../server/answers.ts'
import type { Script } from '../server/request.ts'
import type { Stage } from '../stage.ts'

const REST_S = 5
const ANSWER_MS = 200

/** The first run is told to come back later and ends; the second comes too early. */
export async function restedAcrossRuns(stage: Stage): Promise<string> {
  stage.web.host({
    'l1.test': site({
      '/': article('L1', links('/a', '/b')),
      '/a': (socket, request) => {
        const script =
          request.asked === 1
            ? page('busy', { status: 429, headers: `retry-after: ${REST_S}\r\n` })
            : page(article('L1 a'))
        script(socket, request)
      },
      '/b': article('L1 b'),
    }),
  })
  const data = join(stage.folder, 'l1')
  const args = [
    'crawl',
    'http://l1.test/',
    '--data',
    data,
    '--delay',
    '0',
    '--quiet',
    '--json',
    '--name',
    'l1',
    ...stage.reach,
  ]
  const first = await withinTime(jelajah([...args, '--duration', '1']))
  checkHealth(first)
  checkHealth(await withinTime(jelajah([...args])))
  const asked = stage.web.requestsTo('l1.test')
  const told = asked.findIndex(({ target, asked: nth }) => target === '/a' && nth === 1)
  const gapMs = (asked[told + 1]?.at ?? 0) - (asked[told]?.at ?? 0)
  assert.ok(told > 0 && asked.length > told + 1, 'it was not asked again')
  assert.ok(gapMs >= REST_S * 1000 - 50, `asked again after ${Math.round(gapMs)} ms`)
  assert.equal(readPages(data).length, 3)
  return `told to wait ${REST_S} s, asked again after ${(gapMs / 1000).toFixed(1)} s, over two runs`
}

const SMALL = 10

export async function bigAndSmall(stage: Stage): Promise<string> {
  const paths = Array.from({ length: 1500 }, (_, n) => `/${n.toString(36)}x`)
  stage.web.host({
    'big.l9.test': site({
      '/': article('L9', links(...paths)),
      '*': (socket, request) => page(article(`L9 ${request.target}`))(socket, request),
    }),
  })
  const names = Array.from({ length: SMALL }, (_, n) => `small${n}.l9-${n}.test`)
  for (const name of names) {
    stage.web.host({
      [name]: site({
        '/': article(`L9 ${name}`, links('/a', '/b', '/c')),
        '*': (socket, request) => page(article(`${name} ${request.target}`))(socket, request),
      }),
    })
  }
  const data = join(stage.folder, 'l9')
  const seeds = ['big.l9.test', ...names].map((name) => `http://${name}/`)
  const flags = [
    '--delay',
    '0',
    '--concurrency',
    '4',
    '--max-pages',
    '400',
    '--trap-budget',
    '0',
    '--quiet',
    '--json',
    '--data',
    data,
  ]
  checkHealth(await withinTime(jelajah(['crawl', ...seeds, ...flags, ...stage.reach])))
  const last = Math.max(...names.flatMap((name) => stage.web.requestsTo(name).map(({ at }) => at)))
  const before = stage.web.requestsTo('big.l9.test').filter(({ at }) => at < last).length
  for (const name of names)
    assert.equal(
      stage.web.requestsTo(name).filter(({ target }) => /^\/[abc]?$/.test(target)).length,
      4,
    )
  assert.ok(before < 150, `the large host got ${before} requests before the small ones were done`)
  return `${SMALL} small hosts done while the large one had ${before} of its requests`
}

/** With a limit per address, names that share one wait for each other. */
export async function perAddress(stage: Stage): Promise<string> {
  stage.mustBeInNamespace()
  const names = Array.from({ length: 6 }, (_, n) => `v${n}.l8-${n}.test`)
  stage.names?.add(Object.fromEntries(names.map((name) => [name, { a: ['11.8.8.8'] }])))
  for (const name of names) {
    const slowly: Script = async (socket, request) => {
      await wait(ANSWER_MS)
      page(article(`L8 ${name}`))(socket, request)
    }
    stage.web.host({ [name]: slowly })
  }
  const data = join(stage.folder, 'l8')
  const flags = ['--per-ip', '1', '--delay', '0', '--ignore-robots', '--no-sitemaps', '--quiet']
  const seeds = names.map((name) => `http://${name}/`)
  const run = jelajah(['crawl', ...seeds, ...flags, '--json', '--data', data])
  checkHealth(await withinTime(run))
  const starts = names.flatMap((name) => stage.web.requestsTo(name).map(({ at }) => at))
  starts.sort((a, b) => a - b)
  const gaps = starts.slice(1).map((at, n) => Math.round(at - (starts[n] ?? 0)))
  assert.equal(gaps.length, names.length - 1)
  assert.ok(
    gaps.every((gap) => gap >= ANSWER_MS - 10),
    `gaps of ${gaps.join(', ')} ms`,
  )
  return `${names.length} names at one address, one request at a time`
}
