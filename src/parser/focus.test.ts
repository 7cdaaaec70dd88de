import assert from 'node:assert/strict'
import { test } from 'node:test'
import { WordTopic } from '../../test/support/word-topic.ts'
import { PARTS } from '../core/page.ts'
import { canonicalise } from '../core/url.ts'
import { createUrlHasher } from '../lib/url-hash.ts'
import type { Judge, ReadLink } from '../ordering/ordering.ts'
import type { HandoverHead } from '../wire/handover.ts'
import { decodeFound } from '../wire/receipt.ts'
import { Focus, type FocusParts } from './focus.ts'
import { createPageParser, type PageParserOptions } from './parse-page.ts'
import { readSitemap } from './sitemap/read-sitemap.ts'

const OPTIONS: PageParserOptions = { salt: 7, parts: PARTS, keepHtml: false, maxBodyBytes: 1 << 20 }
const HEAD: HandoverHead = {
  kind: 'page',
  id: 1,
  token: 1,
  url: canonicalise('http://a.test/page')!,
  depth: 0,
  status: 200,
  contentType: 'text/html',
  contentEncoding: '',
  robotsTag: [],
  etag: '',
  lastModified: '',
  fetchedAt: 1_700_000_000_000,
  fetchMs: 1,
  truncated: false,
}

/** Notes the page's relevance; beside it for a link the length of its anchor. */
class LengthJudge implements Judge {
  #relevance = -1
  readonly links: ReadLink[] = []

  page({ judgement }: Parameters<Judge['page']>[0]): number[] {
    this.#relevance = judgement?.relevance ?? -1
    return [this.#relevance]
  }

  link(link: ReadLink): number[] {
    this.links.push(link)
    return [this.#relevance, link.anchor.length]
  }

  listed(url: string): number[] | null {
    return url.includes('tea') ? [url.length] : null
  }
}

type Given = {
  readonly focus?: Partial<FocusParts>
  readonly head?: Partial<HandoverHead>
  readonly options?: Partial<PageParserOptions>
}

function parse(body: string, { focus, head, options }: Given = {}) {
  const none = { topic: null, judge: null, minRelevance: null, minTerms: null, languages: [] }
  const looking = focus && new Focus({ ...none, ...focus })
  const parser = createPageParser({ ...OPTIONS, ...options }, looking)
  const parsed = parser({ ...HEAD, ...head }, Buffer.from(body))
  assert.ok(parsed.outcome === 'page' || parsed.outcome === 'refused', JSON.stringify(parsed))
  const found = decodeFound(parsed.foundBlock).map(({ url, signals }) => [url, signals])
  return { parsed, found, fields: parsed.outcome === 'page' ? parsed.page.fields : null }
}

// Three words in ten of the text are "tea".
const PAGE = `<title>All of it</title><meta name=description content="About it">
<body><p>Tea now please and <a href="/one">tea later</a> too. Tea <a href="/two" rel=nofollow>or not</a>.</p>`

test('a page is stored with its relevance in four digits, and hot when its topic says so', () => {
  const { fields } = parse(PAGE, { focus: { topic: new WordTopic('tea') } })
  assert.deepEqual([fields?.relevance, fields?.hot], [0.3, false])
  const third = parse('<p>Tea or not', { focus: { topic: new WordTopic('tea', 0.25) } })
  assert.deepEqual([third.fields?.relevance, third.fields?.hot], [0.3333, true])
})

test('a topic sees title, description, main text and the anchors of all links', () => {
  const topic = new WordTopic('tea')
  const { fields } = parse(PAGE, { focus: { topic }, options: { parts: [] } })
  assert.deepEqual(topic.seen, [
    {
      url: HEAD.url,
      title: 'All of it',
      description: 'About it',
      text: fields?.contentText,
      anchors: ['tea later', 'or not'],
    },
  ])
})

test('followable links carry the signals of the judge, even when links are not kept', () => {
  const judge = new LengthJudge()
  const focus = { topic: new WordTopic('tea'), judge }
  const { parsed, found } = parse(PAGE, { focus, options: { parts: [] } })
  assert.deepEqual(parsed.judged, [0.3])
  assert.deepEqual(found, [
    ['http://a.test/one', [0.3, 9]],
    ['http://a.test/two', null],
  ])
  const context = 'Tea now please and … too. Tea or not.'
  assert.deepEqual(judge.links, [{ url: 'http://a.test/one', anchor: 'tea later', context }])
})

test('a judge works without a topic, and a topic without a judge', () => {
  const alone = parse(PAGE, { focus: { judge: new LengthJudge() } })
  assert.deepEqual([alone.parsed.judged, alone.fields?.relevance], [[-1], null])
  const topic = parse(PAGE, { focus: { topic: new WordTopic('tea') } })
  assert.equal(topic.parsed.judged, null)
  assert.deepEqual(
    topic.found.map(([, signals]) => signals),
    [null, null],
  )
})

test('in a crawl without a focus no page is judged', () => {
  const { parsed, found, fields } = parse(PAGE)
  assert.deepEqual([parsed.judged, fields?.relevance, fields?.hot], [null, null, false])
  assert.deepEqual(
    found.map(([, signals]) => signals),
    [null, null],
  )
})

test('a plain text is judged like a page', () => {
  const focus = { topic: new WordTopic('tea'), judge: new LengthJudge() }
  const { parsed, fields } = parse('tea tea tea no', { focus, head: { contentType: 'text/plain' } })
  assert.deepEqual([fields?.relevance, fields?.hot, parsed.judged], [0.75, true, [0.75]])
})

test('a page with noindex gives signals for its links, and nothing of it is kept', () => {
  const focus = { topic: new WordTopic('tea', 0.1), judge: new LengthJudge() }
  const { parsed, found, fields } = parse(PAGE, { focus, head: { robotsTag: ['noindex'] } })
  assert.deepEqual(parsed.judged, [0.3])
  assert.deepEqual(found[0], ['http://a.test/one', [0.3, 9]])
  const { relevance, hot, title, contentText, about } = fields ?? {}
  assert.deepEqual([relevance, hot, title, contentText, about], [null, false, '', '', '{}'])
  assert.deepEqual(parsed.outcome === 'page' && parsed.page.parts, {})
})

test('a page below the least relevance is refused, and its links keep their signals', () => {
  const focus = { topic: new WordTopic('tea'), judge: new LengthJudge(), minRelevance: 0.5 }
  const { parsed, found } = parse(PAGE, { focus })
  assert.ok(parsed.outcome === 'refused')
  assert.equal(parsed.reason, 'off-topic: relevance 0.3 below 0.5')
  assert.deepEqual([parsed.judged, parsed.relevance], [[0.3], 0.3])
  assert.deepEqual(found[0], ['http://a.test/one', [0.3, 9]])
  assert.equal(parse(PAGE, { focus: { ...focus, minRelevance: 0.3 } }).parsed.outcome, 'page')
})

test('a page with too few words is refused, with or without a topic', () => {
  for (const topic of [null, new WordTopic('tea')]) {
    const { parsed, found } = parse(PAGE, { focus: { topic, minTerms: 50 } })
    assert.ok(parsed.outcome === 'refused')
    assert.equal(parsed.reason, 'too-short: 10 of 50 words')
    assert.equal(found.length, 2)
    assert.equal(parse(PAGE, { focus: { topic, minTerms: 10 } }).parsed.outcome, 'page')
  }
})

test('a page in another language is refused with its links kept; a page of unknown language is kept', () => {
  const english = `<p>${'The council has decided that the old bridge will be closed, and they know it. '.repeat(4)}
    <a href="/one">more</a></p>`
  const focus = { languages: ['id', 'ms'] }
  const { parsed, found } = parse(english, { focus })
  assert.ok(parsed.outcome === 'refused')
  assert.equal(parsed.reason, 'language: en, not id or ms')
  assert.equal(found.length, 1)
  assert.equal(parse(english, { focus: { languages: ['id', 'en'] } }).parsed.outcome, 'page')
  assert.equal(parse('<p>12 345', { focus }).parsed.outcome, 'page')
  // A declared language keeps a page, but is often wrong: alone it refuses none.
  const claimed = '<html lang="in-ID"><p>12 345'
  assert.equal(parse(claimed, { focus: { languages: ['en'] } }).parsed.outcome, 'page')
  const plain = { contentType: 'text/plain' }
  assert.equal(
    parse(english.replaceAll(/<[^>]*>/g, ''), { focus, head: plain }).parsed.outcome,
    'refused',
  )
})

test('a refused page of a numbered series is recognised as like another', () => {
  const at = (day: number) =>
    parse(`<p>Nothing on day ${day}`, {
      focus: { minTerms: 50 },
      head: { url: canonicalise(`http://a.test/day/${day}`)! },
    }).parsed
  const [one, two] = [at(1), at(2)]
  assert.ok(one.outcome === 'refused' && two.outcome === 'refused')
  assert.notEqual(one.likeness, 0)
  assert.equal(one.likeness, two.likeness)
})

test('URLs of a sitemap carry the signals of their address', async () => {
  const focus = new Focus({
    topic: null,
    judge: new LengthJudge(),
    minRelevance: null,
    minTerms: null,
    languages: [],
  })
  const body = Buffer.from('http://a.test/tea\nhttp://a.test/x\n')
  const head = { ...HEAD, kind: 'sitemap', contentType: 'text/plain' } as const
  const hash = createUrlHasher(1)
  const signalsWith = async (
    signalsForUrl?: (url: (typeof HEAD)['url']) => readonly number[] | null,
  ) => {
    const parsed = await readSitemap(head, body, {
      ...{ hash, signalsForUrl, identity: (url) => url },
      onPart: () => assert.fail(),
    })
    assert.ok(parsed.outcome === 'sitemap')
    return decodeFound(parsed.foundBlock).map(({ signals }) => signals)
  }
  assert.deepEqual(await signalsWith((url) => focus.signalsForUrl(url)), [[17], null])
  assert.deepEqual(await signalsWith(), [null, null])
})
