// A finished crawl that is gone over again: what is told is exactly what became of the pages, nobody is
// asked more than once or faster than allowed, and what is as it was costs no parse.
import assert from 'node:assert/strict'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { test } from 'node:test'
import { type ExpectedCrawl, expectedCrawl } from '../../src/sample-web/oracle.ts'
import { Stream } from '../../src/sample-web/random.ts'
import { type ServedSite, startSite } from '../../src/sample-web/server.ts'
import { createSite, type Site } from '../../src/sample-web/site.ts'
import { evolve } from '../support/evolve.ts'
import { query, readUrls, serve, temporaryFolder } from './crawling.ts'
import { runHere } from './in-process.ts'
import { brokenPromises, crawlUnderFire } from './kills.ts'

const DELAY_MS = 40
const KILLS = 3
const HOSTS = [
  { name: 'satu', pages: 25 },
  { name: 'dua', pages: 25 },
  { name: 'tiga', pages: 20 },
]

const ALL_ANSWERED = { not_due: 0, not_yet: 0, unanswered: 0 }

type Told = { change: string; page_id: number; url: string; reason: string | null }
type Summary = { refresh: Record<string, number>; stored: number; duplicates: number }

/** What the log of changes says after a cursor. */
function toldAfter(dataDir: string, cursor: number): Told[] {
  return query<Told>(
    join(dataDir, 'jelajah.db'),
    `SELECT c.change, c.page_id, coalesce(c.url, p.url) AS url, c.reason
     FROM page_changes c LEFT JOIN pages p ON p.id = c.page_id
     WHERE c.cursor > ${cursor} ORDER BY c.cursor`,
  )
}

function lastCursor(dataDir: string): number {
  const sql = 'SELECT max(cursor) AS cursor FROM page_changes'
  return query<{ cursor: number }>(join(dataDir, 'jelajah.db'), sql)[0]?.cursor ?? 0
}

function pagesOf({ stored, duplicates }: ExpectedCrawl): Set<string> {
  return new Set([...stored, ...duplicates.keys()])
}

/** What must be told of a site that became another. */
function expectedChanges(before: Site, after: Site, served: ServedSite): Record<string, string[]> {
  const rules = { seeds: served.seeds, scope: 'domain' } as const
  const [was, is] = [pagesOf(expectedCrawl(before, rules)), pagesOf(expectedCrawl(after, rules))]
  const changed = [...after.later.edited.keys()].length
  assert.ok(changed > 0)
  return {
    add: [...is.difference(was)].sort(),
    delete: [...was.difference(is)].sort(),
  }
}

async function run(args: readonly string[]): Promise<Summary> {
  const { code, stdout, stderr } = await runHere([...args, '--json', '--quiet'])
  assert.equal(code, 0, stderr)
  return JSON.parse(stdout) as Summary
}

test('a crawl that is refreshed under fire tells exactly what changed, went and came', async () => {
  const site = createSite({ seed: 7, hosts: HOSTS, meanBytes: 4_000, specials: 3 })
  const later = evolve(site, { seed: 7, edited: 9, linked: 3, removed: 5, listed: 2 })
  await using served = await startSite(site)
  await using folder = await temporaryFolder()
  const where = ['--data', folder.path]
  await run(['crawl', ...served.seeds, ...where, '--delay', `${DELAY_MS}`])
  const cursor = lastCursor(folder.path)
  served.become(later)

  const asked = served.log.length
  const args = ['crawl', '--refresh', ...served.seeds, ...where, '--quiet']
  const kills = await crawlUnderFire({ args, kills: KILLS, random: new Stream(7) })
  const evidence = { site: later, dataDir: folder.path, seeds: served.seeds, delayMs: DELAY_MS }
  const log = served.log.slice(asked)
  const heard = { ...evidence, kills, served: { ...served, log } }
  assert.deepEqual(brokenPromises(heard), [], `after ${kills.length} kills`)

  const told = Map.groupBy(toldAfter(folder.path, cursor), ({ change }) => change)
  const urls = (change: string) => (told.get(change) ?? []).map(({ url }) => url).sort()
  const expected = expectedChanges(site, later, served)
  assert.deepEqual(urls('add'), expected.add)
  assert.deepEqual(urls('delete'), expected.delete)
  assert.equal(new Set(urls('change')).size, 9)
  assert.equal(urls('change').length, 9)
  assert.ok((told.get('delete') ?? []).every(({ reason }) => reason === 'http-404'))

  // What was as it was cost one answer without a body each, kills aside, and nothing was parsed.
  const unmodified = log.filter(({ status }) => status === 304)
  const again = served.log.length
  const { refresh, stored, duplicates } = await run(['crawl', '--refresh', ...where])
  const pages = stored + duplicates
  const nothing = { new: 0, changed: 0, gone: 0, kept: 0, ...ALL_ANSWERED }
  assert.deepEqual(refresh, { round: 2, ...nothing, unchanged: pages })
  assert.deepEqual(toldAfter(folder.path, cursor).length, 9 + 5 + 5)
  const second = served.log.slice(again)
  // Those that hide themselves are asked for whole: a header may show them again.
  const sql = 'SELECT count(*) AS hidden FROM pages WHERE noindex = 1'
  const [counted] = query<{ hidden: number }>(join(folder.path, 'jelajah.db'), sql)
  const shown = pages - (counted?.hidden ?? 0)
  assert.equal(second.filter(({ status }) => status === 304).length, shown)
  assert.ok(unmodified.length >= shown - 9 - 5)
})

/** Answers of a small site, by path; they may be other ones later. */
type Answers = Readonly<
  Record<string, (request: IncomingMessage, response: ServerResponse) => void>
>

const html = (body: string) => (_request: IncomingMessage, response: ServerResponse) => {
  response.setHeader('content-type', 'text/html')
  response.end(`<!DOCTYPE html><title>${body}</title><p>${body} and some words of its own.</p>`)
}
const status = (code: number, headers: Record<string, string> = {}) => {
  return (_request: IncomingMessage, response: ServerResponse) => {
    response.writeHead(code, headers).end()
  }
}
const links = (paths: readonly string[]) =>
  html(paths.map((path) => `<a href="${path}">${path}</a>`).join(' '))

test('what answers for sure is believed, what does not leaves a page as it was', async () => {
  const paths = ['/same', '/new-text', '/gone', '/moved', '/picture', '/ill', '/copy-1', '/copy-2']
  const before: Answers = {
    '/': links(paths),
    ...Object.fromEntries(paths.map((path) => [path, html(`The page ${path}`)])),
    '/copy-1': html('A copy'),
    '/copy-2': html('A copy'),
    '/private': html('Nothing to hide yet'),
    '/back': status(404),
  }
  let answers: Answers = { ...before, '/': links([...paths, '/private', '/back']) }
  const asked: string[] = []
  await using site = await serve((request, response) => {
    const path = request.url ?? '/'
    if (request.headers['if-none-match'] !== undefined) asked.push(path)
    const answer = answers[path] ?? status(404)
    answer(request, response)
  })
  await using folder = await temporaryFolder()
  const origin = `http://127.0.0.1:${site.port}`
  const where = ['--data', folder.path]
  const few = ['--delay', '0', '--retries', '0', '--no-sitemaps']
  assert.equal((await run(['crawl', origin, ...where, ...few])).stored, 9)
  const cursor = lastCursor(folder.path)

  answers = {
    ...answers,
    '/robots.txt': (_request, response) => response.end('User-agent: *\nDisallow: /private\n'),
    '/new-text': html('Another text'),
    '/gone': status(410),
    '/moved': status(301, { location: '/same' }),
    '/picture': status(200, { 'content-type': 'image/png' }),
    '/ill': status(500),
    '/copy-1': status(404),
    '/back': html('Here it is'),
  }
  const { refresh } = await run(['crawl', '--refresh', '--crawl', '1', ...where])
  // The front page, /same and /copy-2 gave the same bytes, without a validator to ask by.
  const found = { round: 1, new: 1, changed: 1, gone: 4, unchanged: 3, kept: 2 }
  assert.deepEqual(refresh, { ...found, ...ALL_ANSWERED, unanswered: 2 })
  assert.deepEqual(asked, [])
  const told = toldAfter(folder.path, cursor).map(({ change, url, reason }) =>
    [change, url.replace(origin, ''), ...(reason === null ? [] : [reason])].join(' '),
  )
  assert.deepEqual(told.sort(), [
    'add /back',
    // It takes the place of the page it repeated.
    'change /copy-2',
    'change /new-text',
    'delete /copy-1 http-404',
    'delete /gone http-410',
    `delete /moved redirected: ${origin}/same`,
    'delete /picture type: image/png',
  ])
  const states = Object.fromEntries(
    readUrls(folder.path).map(({ url, state, reason }) => [
      url.replace(origin, ''),
      `${state} ${reason}`.trim(),
    ]),
  )
  assert.deepEqual(states, {
    '/': 'stored',
    '/same': 'stored',
    '/new-text': 'stored',
    '/gone': 'failed http-410',
    '/moved': `redirected ${origin}/same`,
    '/picture': 'refused type: image/png',
    '/ill': 'stored not-refreshed: http-500',
    '/copy-1': 'failed http-404',
    '/copy-2': 'stored',
    '/private': 'stored not-refreshed: robots',
    '/back': 'stored',
  })

  const soon = await run(['crawl', '--refresh', '--due', ...where])
  const none = { new: 0, changed: 0, gone: 0, unchanged: 0, kept: 7 }
  assert.deepEqual(soon.refresh, { round: 2, ...none, ...ALL_ANSWERED, not_due: 7 })
})
