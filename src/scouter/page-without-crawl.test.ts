import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type FakeAnswer,
  type FakeAnswers,
  FakeWeb,
  failed,
  STALE,
} from '../../test/support/fake-web.ts'
import { type CanonicalUrl, canonicalise } from '../core/url.ts'
import { ManualClock } from '../lib/clock.ts'
import { Gate } from '../lib/gate.ts'
import { DEFAULT_SETTINGS } from '../options/settings.ts'
import { fetchOnePage, type OnePageOptions, PageVisitor } from './page-without-crawl.ts'

const url = (text: string): CanonicalUrl => canonicalise(text)!

function web(answers: FakeAnswers, settings = {}, gate = new Gate(100)) {
  const clock = new ManualClock(0)
  const fetcher = new FakeWeb(clock, answers)
  const options: OnePageOptions = {
    fetcher,
    clock,
    gate,
    settings: {
      ...DEFAULT_SETTINGS,
      delayMs: 1000,
      maxBodyBytes: 100,
      maxLinksBytes: 100,
      ...settings,
    },
    wait: async (forMs) => clock.advance(forMs),
  }
  const fetch = (text: string) => fetchOnePage(url(text), options)
  return { asked: fetcher.asked, clock, fetch, visitor: new PageVisitor(options) }
}

const redirect = (location: string, status = 301): FakeAnswer => ({ status, headers: { location } })
const ending = (page: Awaited<ReturnType<typeof fetchOnePage>>): string =>
  page.outcome === 'fetched' ? `fetched ${page.url}` : `${page.outcome} ${page.url}: ${page.reason}`

test('a page is asked for after its robots.txt, a delay apart', async () => {
  const { asked, fetch } = web({ 'http://a.test/p': { body: '<p>hello' } })
  const page = await fetch('http://a.test/p')
  assert.equal(page.outcome, 'fetched')
  assert.equal(page.outcome === 'fetched' && Buffer.from(page.body).toString(), '<p>hello')
  assert.deepEqual(asked, ['0 http://a.test/robots.txt', '1001 http://a.test/p'])
})

test('redirects are followed and told, each host on its own clock', async () => {
  const { asked, fetch } = web({
    'http://a.test/': redirect('https://b.test/x', 302),
    'https://b.test/x': redirect('/y'),
    'https://b.test/y': { body: 'x' },
  })
  const page = await fetch('http://a.test/')
  assert.equal(ending(page), 'fetched https://b.test/y')
  assert.deepEqual(page.redirects, [
    { url: 'http://a.test/', status: 302 },
    { url: 'https://b.test/x', status: 301 },
  ])
  assert.deepEqual(asked, [
    '0 http://a.test/robots.txt',
    '1001 http://a.test/',
    '1001 https://b.test/robots.txt',
    '2002 https://b.test/x',
    '3003 https://b.test/y',
  ])
})

test('what nobody waits for any more is not asked for, and holds up nobody', async () => {
  const { asked, visitor } = web({ 'http://a.test/3': { body: 'x' } })
  const signal = AbortSignal.abort()
  const pages = await Promise.all([
    visitor.fetch(url('http://a.test/1'), { signal }),
    visitor.fetch(url('http://a.test/2'), { signal }),
    visitor.fetch(url('http://a.test/3')),
  ])
  assert.deepEqual(pages.map(ending), [
    'failed http://a.test/1: cancelled',
    'failed http://a.test/2: cancelled',
    'fetched http://a.test/3',
  ])
  assert.deepEqual(asked, ['0 http://a.test/robots.txt', '1001 http://a.test/3'])
})

test('requests wait for each other at the gate', async () => {
  const gate = new Gate(1)
  const gated = web({ 'http://a.test/': { body: 'x' } }, {}, gate)
  const free = web({ 'http://a.test/': { body: 'x' } })
  const held = Promise.withResolvers<void>()
  const holding = gate.run(() => held.promise)
  const page = gated.visitor.fetch(url('http://a.test/'))
  await free.visitor.fetch(url('http://a.test/'))
  assert.deepEqual([gated.asked.length, free.asked.length], [0, 2])
  held.resolve()
  await holding
  assert.equal(ending(await page), 'fetched http://a.test/')
})

test('robots.txt is obeyed on every origin of the way', async () => {
  const answers = {
    'http://a.test/robots.txt': redirect('http://r.test/robots'),
    'http://r.test/robots': { body: 'User-agent: *\nDisallow: /secret' },
    'http://b.test/': redirect('http://a.test/secret'),
    'http://a.test/secret': { body: 'x' },
  }
  assert.equal(
    ending(await web(answers).fetch('http://b.test/')),
    'refused http://a.test/secret: robots',
  )
  const { asked, fetch } = web(answers, { ignoreRobots: true })
  assert.equal(ending(await fetch('http://b.test/')), 'fetched http://a.test/secret')
  assert.deepEqual(asked, ['0 http://b.test/', '0 http://a.test/secret'])
})

test('a Crawl-delay is kept, or the host left alone when it is out of reason', async () => {
  const delayed = (seconds: number) =>
    web({
      'http://a.test/robots.txt': { body: `User-agent: *\nCrawl-delay: ${seconds}` },
      'http://a.test/': { body: 'x' },
    })
  const { asked, fetch } = delayed(9)
  await fetch('http://a.test/')
  assert.deepEqual(asked, ['0 http://a.test/robots.txt', '9001 http://a.test/'])
  assert.match(
    ending(await delayed(3600).fetch('http://a.test/')),
    /^refused .*crawl-delay: robots.txt asks for 3600 s/,
  )
})

test('without an answer about robots.txt nothing else is asked for', async () => {
  const lost = web({ 'http://a.test/robots.txt': { status: 503 } })
  assert.match(ending(await lost.fetch('http://a.test/')), /^refused .*robots-unreachable/)
  assert.equal(lost.asked.length, 1)
  const gone = web({ 'http://a.test/robots.txt': failed('dns: ENOTFOUND') })
  assert.equal(ending(await gone.fetch('http://a.test/')), 'failed http://a.test/: dns: ENOTFOUND')
})

test('redirects that never end are ended', async () => {
  const settings = { ignoreRobots: true, delayMs: 0 }
  const circle = { 'http://a.test/': redirect('/b'), 'http://a.test/b': redirect('/') }
  assert.match(ending(await web(circle, settings).fetch('http://a.test/')), /redirect-loop/)
  const chain = Object.fromEntries(
    Array.from({ length: 50 }, (_, at) => [`http://a.test/${at}`, redirect(`/${at + 1}`)]),
  )
  const endless = web(chain, settings)
  assert.match(ending(await endless.fetch('http://a.test/0')), /redirect-limit/)
  assert.equal(endless.asked.length, 11)
})

test('a connection that had gone stale is tried again, in its time and not for ever', async () => {
  const settings = { ignoreRobots: true }
  const { asked, fetch } = web({ 'http://a.test/': [STALE, { body: 'x' }] }, settings)
  assert.equal(ending(await fetch('http://a.test/')), 'fetched http://a.test/')
  assert.deepEqual(asked, ['0 http://a.test/', '1001 http://a.test/'])
  const never = web({ 'http://a.test/': STALE }, settings)
  assert.match(ending(await never.fetch('http://a.test/')), /^failed .*connect/)
})

test('what is no page is refused or failed as in a crawl, a long one cut', async () => {
  const { fetch } = web({
    'http://a.test/pdf': { headers: { 'content-type': 'application/pdf' }, body: '%PDF' },
    'http://a.test/long': { body: 'x'.repeat(1000) },
  })
  assert.match(ending(await fetch('http://a.test/pdf')), /^refused .*type: application\/pdf/)
  assert.match(ending(await fetch('http://a.test/none')), /^failed .*http-404/)
  const long = await fetch('http://a.test/long')
  assert.ok(long.outcome === 'fetched' && long.head.truncated && long.body.byteLength === 100)
})

test('pages asked for at once share one robots.txt, and those of a host wait for each other', async () => {
  const { asked, visitor } = web({
    'http://a.test/1': { body: 'x' },
    'http://a.test/2': { body: 'x' },
    'http://b.test/': redirect('http://a.test/2'),
  })
  const urls = ['http://a.test/1', 'http://a.test/2', 'http://b.test/']
  const pages = await Promise.all(urls.map((text) => visitor.fetch(url(text))))
  assert.deepEqual(
    pages.map(({ outcome }) => outcome),
    ['fetched', 'fetched', 'fetched'],
  )
  const ofA = asked.filter((line) => line.includes('a.test'))
  assert.equal(ofA.filter((line) => line.endsWith('robots.txt')).length, 1)
  const times = ofA.map((line) => Number(line.split(' ')[0]))
  for (const [at, time] of times.entries()) {
    if (at > 0) assert.ok(time - (times[at - 1] ?? 0) >= 1000, ofA.join('\n'))
  }
})

test('when it says that hosts have rested, they have', async () => {
  const { asked, clock, visitor } = web({ 'http://a.test/': { body: 'x' } })
  await visitor.fetch(url('http://a.test/'))
  const last = Number(asked.at(-1)?.split(' ')[0])
  await visitor.rested()
  assert.ok(clock.now() - last >= 1000)
})

test('a host that asks for a longer rest than patience lasts is not waited for', async () => {
  const { asked, visitor } = web(
    {
      'http://a.test/1': { status: 503, headers: { 'retry-after': '3600' } },
      'http://b.test/': redirect('http://a.test/2'),
    },
    { ignoreRobots: true },
  )
  assert.match(ending(await visitor.fetch(url('http://a.test/1'))), /http-503/)
  assert.match(
    ending(await visitor.fetch(url('http://b.test/'))),
    /^failed http:\/\/a.test\/2: http-503: it asked for a rest of 3600 s/,
  )
  assert.deepEqual(asked, ['0 http://a.test/1', '0 http://b.test/'])
})

test('a short rest that a host asks for is kept', async () => {
  const { asked, visitor } = web(
    {
      'http://a.test/1': { status: 429, headers: { 'retry-after': '7' } },
      'http://a.test/2': { body: 'x' },
    },
    { ignoreRobots: true },
  )
  await visitor.fetch(url('http://a.test/1'))
  await visitor.fetch(url('http://a.test/2'))
  assert.deepEqual(asked, ['0 http://a.test/1', '7001 http://a.test/2'])
})
