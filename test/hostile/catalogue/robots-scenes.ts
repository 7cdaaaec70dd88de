// Scenes of robots.txt that need crawls of their own.
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { jelajah, readPages, readUrls, type UrlRow } from '../../e2e/crawling.ts'
import { checkHealth, IMPATIENT, withinTime } from '../crawls.ts'
import { article, links, redirect, robots, site } from '../server/answers.ts'
import type { Stage } from '../stage.ts'

/** Runs a crawl that has to end by itself soon; what became of its URLs. */
export async function crawlSoon(
  stage: Stage,
  name: string,
  args: readonly string[],
): Promise<{ rows: readonly UrlRow[]; data: string; code: number | null; stderr: string }> {
  const data = join(stage.folder, name)
  const run = jelajah(['crawl', ...args, '--data', data, '--json', ...IMPATIENT, ...stage.reach], {
    env: stage.env,
  })
  const begun = performance.now()
  const ran = await withinTime(run, 60)
  assert.ok(performance.now() - begun < 60_000, 'the crawl did not end by itself')
  checkHealth(ran)
  return { rows: readUrls(data), data, code: ran.code, stderr: ran.stderr }
}

/** A robots.txt behind a private address or a host that is not there. */
export async function leadsAstray(stage: Stage): Promise<string> {
  if (!stage.inNamespace) return 'private targets cannot be shown here'
  stage.web.host({
    'private.b7.test': site({
      '/robots.txt': redirect('http://169.254.169.254/robots.txt'),
      '/': article('B7 private'),
    }),
    'dead.b7.test': site({
      '/robots.txt': redirect('http://nobody.b7.test:81/robots.txt'),
      '/': article('B7 dead'),
    }),
  })
  const from = stage.web.connections.length
  const { rows } = await crawlSoon(stage, 'b7', [
    'http://private.b7.test/',
    'http://dead.b7.test/',
    '--delay',
    '0',
    '--quiet',
  ])
  assert.deepEqual(stage.trespasses(from), [])
  return rows
    .map(({ state, reason }) => {
      assert.match(`${state} ${reason}`, /^(?:refused|failed) .*unreachable/)
      return `${state} ${reason}`
    })
    .join(', ')
}

const DELAYS: Readonly<Record<string, string>> = {
  zero: '0',
  half: '0.5',
  cap: '30',
  endless: '1000000000',
  minus: '-1',
  word: 'abc',
}

export async function crawlDelays(stage: Stage): Promise<string> {
  const host = (name: string): string => `${name}.b16.test`
  for (const [name, value] of Object.entries(DELAYS)) {
    const paths = name === 'cap' ? [] : ['/a', '/b']
    stage.web.host({
      [host(name)]: site({
        '/robots.txt': robots('User-agent: *', `Crawl-delay: ${value}`),
        '/': article(`B16 ${name}`, links(...paths)),
        '/a': article(`B16 ${name} a`),
        '/b': article(`B16 ${name} b`),
      }),
    })
  }
  const seeds = Object.keys(DELAYS)
    .filter((name) => name !== 'cap')
    .map((name) => `http://${host(name)}/`)
  const begun = performance.now()
  const { rows } = await crawlSoon(stage, 'b16', [...seeds, '--delay', '100', '--quiet'])
  const tookMs = performance.now() - begun
  const endless = rows.find(({ url }) => url === 'http://endless.b16.test/')
  assert.match(`${endless?.state} ${endless?.reason}`, /^refused .*rawl-delay/)
  assert.equal(
    stage.web.requestsTo(host('endless')).filter(({ target }) => target === '/').length,
    0,
  )
  const starts = stage.web.requestsTo(host('half')).map(({ at }) => at)
  // Seen from here requests may be late, so not each gap but all of them together tell.
  const tookAllMs = (starts.at(-1) ?? 0) - (starts[0] ?? 0)
  const least = (starts.length - 1) * 500 - 300
  assert.ok(tookAllMs >= least, `${starts.length} requests in ${Math.round(tookAllMs)} ms`)
  for (const name of ['zero', 'half', 'minus', 'word']) {
    assert.equal(
      rows.filter(({ url, state }) => url.includes(`/${host(name)}/`) && state === 'stored').length,
      3,
      name,
    )
  }
  return `0.5 s kept, 1e9: ${endless?.state} ${endless?.reason}, ended after ${Math.round(tookMs / 1000)} s`
}

/** What a robots.txt forbids when it is read again, a day later. */
export async function changedRules(stage: Stage): Promise<string> {
  let forbids = false
  const paths = Array.from({ length: 10 }, (_, n) => `/p${n}`)
  stage.web.host({
    'b18.test': site({
      '/robots.txt': (socket, request) =>
        robots('User-agent: *', forbids ? 'Disallow: /p' : 'Disallow:')(socket, request),
      '/': article('B18', links(...paths)),
      ...Object.fromEntries(paths.map((path) => [path, article(`B18 ${path}`)])),
    }),
  })
  const data = join(stage.folder, 'b18')
  const args = [
    'crawl',
    'http://b18.test/',
    '--data',
    data,
    '--delay',
    '0',
    '--quiet',
    '--json',
    '--name',
    'b18',
    ...stage.reach,
  ]
  checkHealth(await withinTime(jelajah([...args, '--max-pages', '3'])))
  const before = readPages(data).length
  assert.equal(before, 3)
  forbids = true
  for (const file of readdirSync(data).filter((name) => /^frontier-\d+\.db$/.test(name))) {
    const db = new DatabaseSync(join(data, file))
    db.exec('UPDATE robots SET expires_at = 1, fetched_at = 0')
    db.close()
  }
  const from = stage.web.requestsTo('b18.test').length
  checkHealth(await withinTime(jelajah([...args, '--max-pages', '30'])))
  const asked = stage.web
    .requestsTo('b18.test')
    .slice(from)
    .map(({ target }) => target)
  assert.deepEqual(asked, ['/robots.txt'])
  const refused = readUrls(data).filter(
    ({ state, reason }) => state === 'refused' && reason === 'robots',
  ).length
  assert.equal(refused, 8)
  return '8 URLs that waited are refused: robots; none was asked for'
}
