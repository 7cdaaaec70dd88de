import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pageText } from '../../test/support/topic-pages.ts'
import { TermTable } from '../text/term-table.ts'
import { buildTopic } from './build-topic.ts'
import { openTopic } from './open-topic.ts'
import type { PageText, Topic } from './topic.ts'
import { Feedback, MAX_HOSTS, MAX_TERMS } from './topic-learner.ts'

function opened(words: string, keywords: readonly string[] = []): Topic {
  const source = { words, keywords, positive: [], negative: [], model: null, language: 'en' }
  return openTopic(buildTopic(source), { hotThreshold: 0.5 })
}

const FILLER = 'plain words that any page of this web may have here and there '

function page(number: number, text: string): PageText {
  return pageText({ url: `http://host${number % 7}.test/${number}`, text: text + FILLER.repeat(3) })
}

/** Every fourth page is about comets, with a word that the user did not type; all of them have "sky". */
function pages(count: number): PageText[] {
  return Array.from({ length: count }, (_, number) =>
    page(number, number % 4 === 0 ? 'sky comet comet tail tail perihelion ' : 'sky kitchen '),
  )
}

const SKY = page(1000, 'sky sky ')

test('a word that most pages of a crawl have no longer makes a page hot', () => {
  const topic = opened('comet, tail, sky')
  assert.equal(topic.judge(SKY).hot, true)
  for (const each of pages(60)) topic.judge(each)
  assert.equal(topic.judge(SKY).hot, false)
  assert.equal(topic.judge(page(1001, 'comet comet comet ')).hot, true)
})

test('a topic of one word stays what it is, however often the word is met', () => {
  const topic = opened('comet')
  const before = topic.judge(page(1000, 'comet comet comet ')).relevance
  for (let number = 0; number < 60; number++) topic.judge(page(number, 'comet comet comet '))
  assert.equal(topic.judge(page(1000, 'comet comet comet ')).relevance, before)
})

test('words of pages on topic speak for links, but make no page hot', () => {
  const topic = opened('comet')
  const stranger = pageText({ text: 'perihelion tail '.repeat(20) })
  const before = { judged: topic.judge(stranger), anchor: topic.evidence('perihelion') }
  for (const each of pages(60)) topic.judge(each)
  const after = topic.judge(stranger)
  assert.ok(topic.evidence('perihelion') > before.anchor + 0.3)
  assert.ok(topic.evidence('kitchen') < 0)
  assert.ok(after.evidence > before.judged.evidence + 0.05)
  assert.equal(after.relevance, before.judged.relevance)
  assert.equal(after.hot, false)
})

test('passages around a phrase among keywords teach its neighbours', () => {
  const topic = opened('', ['comet tail', 'night sky'])
  const before = topic.evidence('perihelion')
  for (let number = 0; number < 60; number++) {
    const isOnTopic = number % 4 === 0
    topic.judge(page(number, isOnTopic ? 'comet tail perihelion comet tail ' : 'tail kitchen '))
  }
  assert.ok(topic.evidence('perihelion') > before + 0.3)
})

test('the same pages teach the same, and a fresh topic has learned nothing', () => {
  const [one, other] = [opened('comet, tail, sky'), opened('comet, tail, sky')]
  const untouched = one.judge(SKY).relevance
  other.judge(SKY)
  for (const each of pages(60)) assert.deepEqual(one.judge(each), other.judge(each))
  assert.equal(one.evidence('perihelion'), other.evidence('perihelion'))
  assert.equal(one.fresh?.().judge(SKY).relevance, untouched)
})

test('what is learned of a web of endless words and hosts stays bounded', () => {
  const feedback = new Feedback()
  const few = new TermTable()
  few.set(1, 1)
  for (let host = 0; host <= MAX_HOSTS; host++) feedback.learnOnTopic(few, `h${host}.test`, 1)
  assert.ok(feedback.sizes.hosts <= MAX_HOSTS)
  for (let round = 0; round < 60; round++) {
    const counts = new TermTable(2000)
    for (let word = 1; word <= 2000; word++) counts.set(round * 2000 + word, 1)
    feedback.learn(counts)
    feedback.learnOnTopic(counts, `b${round}.test`, 200)
    const { all, onTopic } = feedback.sizes
    assert.ok(all <= MAX_TERMS && onTopic <= MAX_TERMS)
  }
  // More than the limit was met on both sides, and what is left is still much.
  assert.ok(feedback.sizes.all > MAX_TERMS / 10)
  assert.ok(feedback.odds().size <= 20_000)
})

test('with less than a page on topic nothing is learned from it', () => {
  const feedback = new Feedback()
  const counts = new TermTable()
  counts.set(7, 3)
  feedback.learn(counts)
  feedback.learnOnTopic(counts, 'a.test', 0.6)
  assert.equal(feedback.odds().size, 0)
  feedback.learnOnTopic(counts, 'a.test', 0.6)
  assert.equal(feedback.odds().size, 1)
})
