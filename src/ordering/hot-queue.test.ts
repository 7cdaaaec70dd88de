import assert from 'node:assert/strict'
import { test } from 'node:test'
import { OrderingRun, urlOf } from '../../test/ordering/ordering-run.ts'
import { type SampleWeb, topicOf, visitsOf } from '../../test/ordering/sample-web.ts'
import { FAMILIES } from '../../test/support/word-families.ts'
import { buildTopic } from '../topic/build-topic.ts'
import { openTopic } from '../topic/open-topic.ts'
import { hotQueue } from './hot-queue.ts'
import type { OptionValues } from './ordering.ts'

const FIRST_COME = { order: 0 }

function crawlOf(web: SampleWeb, options: OptionValues = {}): OrderingRun {
  const visit = visitsOf(web, hotQueue, { topic: topicOf({ keyword: 'hot' }), options })
  return new OrderingRun({ ordering: hotQueue, options, visit, seeds: ['s.test/'] })
}

function fetched(web: SampleWeb, options: OptionValues = {}): string {
  return namesOf(crawlOf(web, options).run())
}

function namesOf(urls: readonly string[]): string {
  return urls.map((url) => url.slice('http://'.length, -'.test/'.length)).join(' ')
}

test('the hot queue is served before the cold one, each first come, first served', () => {
  const web = {
    's.test/': {
      links: ['a.test/', { to: 'b.test/', anchor: 'hot!' }, 'c.test/', 'hot.test/', 'd.test/'],
    },
  }
  assert.equal(fetched(web, FIRST_COME), 's b hot a c d')
})

test('a keyword is in the link in whatever form of its family', () => {
  for (const [asked, found] of FAMILIES) {
    const nothing = { words: '', positive: [], negative: [], model: null, language: '' }
    const topic = openTopic(buildTopic({ ...nothing, keywords: [asked] }), { hotThreshold: 0.5 })
    const judge = hotQueue.judge?.({ options: {}, topic })
    const link = { url: urlOf('a.test/'), anchor: '', context: '' }
    assert.deepEqual(judge?.link?.({ ...link, anchor: `Kabar ${found} kemarin` }), [1], found)
    assert.deepEqual(judge?.link?.({ ...link, url: urlOf(`a.test/kabar-${found}`) }), [1], found)
    assert.deepEqual(judge?.link?.({ ...link, anchor: 'Kabar lain' }), [0])
  }
})

test('a cold URL that turns out to be hot is promoted, never doubled', () => {
  const web = {
    's.test/': { links: ['a.test/', 'b.test/', { to: 'h.test/', anchor: 'hot' }] },
    // Hot by its title: its links are one link from a hot page.
    'h.test/': { titleMentions: 1, links: ['b.test/', 'b.test/'] },
  }
  const crawl = crawlOf(web)
  assert.equal(crawl.step(), urlOf('s.test/'))
  assert.equal(namesOf(crawl.waiting().map(({ url }) => url)), 'h a b')
  assert.equal(crawl.step(), urlOf('h.test/'))
  assert.equal(namesOf(crawl.waiting().map(({ url }) => url)), 'b a')
  assert.equal(namesOf(crawl.run()), 'b a')
})

test('whoever is promoted comes to the end of the hot queue', () => {
  const web = {
    's.test/': {
      links: ['late.test/', { to: 'a.test/', anchor: 'hot' }, { to: 'b.test/', anchor: 'hot' }],
    },
    'a.test/': { links: [{ to: 'late.test/', anchor: 'hot' }] },
  }
  assert.equal(fetched(web, FIRST_COME), 's a b late')
})

const CHAIN: SampleWeb = {
  's.test/': { links: ['x.test/', 'h.test/'] },
  'h.test/': { textMentions: 10, links: ['1.test/'] },
  '1.test/': { links: ['2.test/'] },
  '2.test/': { links: ['3.test/'] },
  '3.test/': { links: ['4.test/'] },
  '4.test/': { links: ['5.test/'] },
  'x.test/': { links: ['y.test/'] },
}

test('a URL is hot up to three links from a hot page', () => {
  // 4 is four links away: it waits behind y, which was found before it.
  assert.equal(fetched(CHAIN), 's x h 1 2 3 y 4 5')
})

test('how many links from a hot page, and how many mentions make one, can be chosen', () => {
  assert.equal(fetched(CHAIN, { within: 1 }), 's x h 1 y 2 3 4 5')
  assert.equal(fetched(CHAIN, { within: 0 }), 's x h y 1 2 3 4 5')
  assert.equal(fetched(CHAIN, { times: 11 }), 's x h y 1 2 3 4 5')
})

test('a shorter way to a URL that waits makes it nearer, and all that lies behind it', () => {
  const web = {
    's.test/': { titleMentions: 1, links: ['1.test/'] },
    '1.test/': { links: ['2.test/'] },
    '2.test/': { links: ['3.test/', 'h.test/'] },
    'h.test/': { titleMentions: 1, links: ['3.test/'] },
    '3.test/': { links: ['4.test/'] },
  }
  const crawl = crawlOf(web, FIRST_COME)
  crawl.run(3)
  assert.equal(crawl.candidate('3.test/').signals![1], 3)
  // h comes after 3, so 3 is fetched before its distance is known; this web shows the distance it would get.
  const nearest = crawlOf({ ...web, '2.test/': { links: ['h.test/', '3.test/'] } }, FIRST_COME)
  nearest.run(4)
  assert.equal(nearest.candidate('3.test/').signals![1], 1)
  nearest.run(1)
  assert.equal(nearest.candidate('4.test/').signals![1], 2)
})

const FORK: SampleWeb = {
  's.test/': { titleMentions: 1, links: ['a.test/', 'b.test/'] },
  'a.test/': { links: ['far.test/'] },
  'b.test/': { titleMentions: 1, links: ['near.test/', { to: 'named.test/', anchor: 'hot' }] },
}

test('by default what is hot by its own words goes first, then what is nearest', () => {
  assert.equal(fetched(FORK), 's a b named near far')
  assert.equal(fetched(FORK, FIRST_COME), 's a b far near named')
})

test('queues can be ordered by links', () => {
  const web = {
    's.test/': { links: ['a.test/', 'b.test/', 'c.test/'] },
    'a.test/': { links: ['c.test/'] },
  }
  assert.equal(fetched(web, { order: 2 }), 's a c b')
})

test('letters that a URL has to escape are read', () => {
  const topic = topicOf({ keyword: 'naïve' })
  const judge = hotQueue.judge!({ topic, options: {} })
  const link = { url: urlOf('a.test/na%C3%AFve/'), anchor: '', context: '' }
  assert.deepEqual(judge.link(link), [1])
  assert.deepEqual(judge.link({ ...link, url: urlOf('a.test/na%C3%/%ff%E4') }), [0])
})

test('a listed URL is hot by its address, and behind all others without', () => {
  const web = { 's.test/': { links: ['a.test/'] } }
  const crawl = crawlOf(web)
  const judge = hotQueue.judge!({ topic: topicOf({ keyword: 'hot' }), options: { within: 3 } })
  for (const url of ['plain.test/', 'hot.test/']) crawl.add(url, judge.listed!(urlOf(url)), 1)
  assert.equal(namesOf(crawl.run()), 's hot a plain')
})

test('where a topic has no keywords its own rule tells which pages are hot', () => {
  const web = {
    's.test/': { links: ['a.test/', 'b.test/', 'c.test/'] },
    'a.test/': { hot: true, links: ['d.test/'] },
    // Keywords were counted, but they are too few.
    'b.test/': { hot: true, textMentions: 9, links: ['e.test/'] },
  }
  assert.equal(fetched(web), 's a d b c e')
})

test('a restart goes on counting where it was', () => {
  const crawl = crawlOf(FORK)
  crawl.run(3)
  const { scorer } = crawlOf(FORK)
  scorer.load!(new Uint8Array(7))
  scorer.load!(crawl.scorer.save!()!)
  const page = { ...crawl.candidate('b.test/'), id: 3, judged: [1], links: 1, waiting: 1 }
  const passed = scorer.pass!({ ...page, finder: () => null }, [0], { ...page, position: 0 })
  assert.deepEqual(passed, [0, 1, 3, 1])
})

test('an address is looked at once, but for long ones, which would take too much room', () => {
  const asked: string[] = []
  const topic = topicOf({ keyword: 'hot' })
  const mentions = (text: string): number => {
    asked.push(text)
    return topic.mentions(text)
  }
  const judge = hotQueue.judge?.({ topic: { ...topic, mentions }, options: {} })
  for (const [path, times] of [
    ['hot', 1],
    ['x'.repeat(8000), 3],
  ] as const) {
    asked.length = 0
    for (let time = 0; time < 3; time += 1) judge?.listed?.(urlOf(`a.test/${path}`))
    assert.equal(asked.length, times)
  }
})
