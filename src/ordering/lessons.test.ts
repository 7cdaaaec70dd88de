// Programs that share a crawl learn together: what each has learned from its parts is heard by the others.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CanonicalUrl } from '../core/url.ts'
import { adaptive } from './adaptive.ts'
import { fishSearch } from './fish-search.ts'
import { hotQueue } from './hot-queue.ts'
import { optionValues } from './index.ts'
import { opic } from './opic.ts'
import type { Candidate, Scorer, SettledPage, Signals } from './ordering.ts'
import { hubOf, placesOf } from './prefix-table.ts'

const PARTS = 4

/** A page of host `host`: even hosts are good, and words tell a little. */
function pageOf(number: number): SettledPage {
  const host = number % 16
  const url = `http://h${host}.test/d${number % 3}/${number}` as CanonicalUrl
  const words = Math.sin(number * 7.1)
  const worth = Math.min(1, Math.max(0, (host % 2 === 0 ? 0.6 : 0.1) + 0.2 * words))
  const signals: Signals = [
    ...[words, Math.cos(number * 3.3), 0, 0, 0, ...placesOf(url)],
    ...[hubOf(number % 7), 0.3, 1, placesOf('http://portal.test/' as CanonicalUrl)[0]],
  ]
  return {
    ...{ url, signals, depth: 2, foundAt: number, inLinks: 1, id: number, judged: [words, worth] },
    ...{ links: 10, waiting: 100, finder: () => null, part: host % PARTS },
  }
}

function candidates(): Candidate[] {
  return Array.from({ length: 64 }, (_, at) => pageOf(10_000 + at))
}

function scorerOf(): Scorer {
  return adaptive.createScorer(optionValues(adaptive, { step: '0' }), 1)
}

/** Each program owns every other part, and hears the others after every tenth page. */
function learnTogether(programs: readonly Scorer[], pages: number): void {
  for (let number = 1; number <= pages; number += 1) {
    const page = pageOf(number)
    programs[(page.part ?? 0) % programs.length]?.settled?.(page)
    if (number % 10 === 0) tellAll(programs)
  }
}

function tellAll(programs: readonly Scorer[]): void {
  const told = programs.map((program) =>
    Array.from({ length: PARTS }, (_, part) => program.gist?.(part) ?? null).filter(
      (gist) => gist !== null,
    ),
  )
  for (const [at, program] of programs.entries()) {
    program.hear?.(told.flatMap((gists, by) => (by === at ? [] : gists)))
  }
}

function meanDifference(a: Scorer, b: Scorer): number {
  const all = candidates().map((one) => Math.abs(a.score(one) - b.score(one)))
  return all.reduce((sum, one) => sum + one, 0) / all.length
}

test('adaptive: two programs that hear of each other expect what one that saw all pages expects', () => {
  const whole = scorerOf()
  for (let number = 1; number <= 400; number += 1) whole.settled?.(pageOf(number))
  const together = [scorerOf(), scorerOf()]
  learnTogether(together, 400)
  const [deaf] = [scorerOf()]
  for (let number = 1; number <= 400; number += 1) {
    const page = pageOf(number)
    if ((page.part ?? 0) % 2 === 0) deaf?.settled?.(page)
  }
  const ownOf = (at: number) => candidates().filter(({ url }) => isOfProgram(url, at))
  for (const [at, program] of together.entries()) {
    for (const one of ownOf(at)) {
      const difference = Math.abs(program.score(one) - whole.score(one))
      assert.ok(difference < 0.03, `${one.url}: ${program.score(one)}, not ${whole.score(one)}`)
    }
  }
  assert.ok(deaf !== undefined && meanDifference(deaf, whole) > 0.05)
})

function isOfProgram(url: string, at: number): boolean {
  const host = Number(/h(\d+)\./.exec(url)?.[1])
  return (host % PARTS) % 2 === at
}

test('adaptive: a part that goes to another program takes its lessons with it, and nothing counts twice', () => {
  const [left = scorerOf(), right = scorerOf()] = [scorerOf(), scorerOf()]
  learnTogether([left, right], 400)
  const before = scorerOf()
  for (const part of [0, 2]) before.load?.(left.save?.(part) ?? new Uint8Array(), part)
  for (const part of [1, 3]) before.load?.(right.save?.(part) ?? new Uint8Array(), part)
  // All parts go to the right, one of them twice.
  const moved = [0, 2, 2].map((part) => [part, left.save?.(part)] as const)
  right.hear?.([])
  for (const [part, bytes] of moved) right.load?.(bytes ?? new Uint8Array(), part)
  assert.ok(meanDifference(right, before) < 1e-6)
  // And two of them back again.
  right.leave?.(0)
  right.leave?.(2)
  const alone = scorerOf()
  for (const part of [1, 3]) alone.load?.(right.save?.(part) ?? new Uint8Array(), part)
  assert.ok(meanDifference(right, alone) < 1e-3)
})

test('adaptive: a host that led others to surprises becomes a gateway where it is crawled', () => {
  const [portal, other] = [scorerOf(), scorerOf()]
  const url = 'http://portal.test/more' as CanonicalUrl
  const more = { ...pageOf(1), url, signals: [0, 0, 0, 0, 0, ...placesOf(url), hubOf(99), 0.1, 1] }
  // Both know the same pages, one of them only by hearing.
  for (let number = 1; number <= 30; number += 1) other.settled?.(pageOf(number))
  portal.hear?.(Array.from({ length: PARTS }, (_, part) => other.gist?.(part) ?? new Uint8Array()))
  const parts = portal.explain?.(more) ?? []
  assert.ok((parts.find(({ name }) => name === 'gateway')?.value ?? 0) > 0)
})

test('adaptive: a gist is small, whatever was learned', () => {
  const scorer = scorerOf()
  for (let number = 1; number <= 3000; number += 1) {
    const page = pageOf(number)
    const signals = [...(page.signals ?? [])]
    signals[8] = hubOf(number)
    signals[11] = number
    scorer.settled?.({ ...page, signals })
  }
  for (let part = 0; part < PARTS; part += 1) {
    assert.ok((scorer.gist?.(part)?.byteLength ?? 0) <= 1024)
  }
})

test('bytes that are no gist change nothing', () => {
  for (const ordering of [adaptive, fishSearch, hotQueue, opic]) {
    const scorer = ordering.createScorer(optionValues(ordering, {}), 1)
    scorer.settled?.(pageOf(1))
    const gist = scorer.gist?.(1) ?? new Uint8Array()
    const nan = gist.slice()
    nan.fill(0xff, 12)
    const before = candidates().map((one) => scorer.score(one))
    scorer.hear?.([new Uint8Array(), Uint8Array.of(1, 2, 3), gist.slice(0, -1), nan])
    assert.deepEqual(
      candidates().map((one) => scorer.score(one)),
      before,
      ordering.name,
    )
  }
})

test('fish-search and hot-queue: whoever is behind counts on from the latest', () => {
  for (const ordering of [fishSearch, hotQueue]) {
    const [early, late] = [1, 2].map(() => ordering.createScorer(optionValues(ordering, {}), 1))
    for (let number = 1; number <= 5; number += 1) early?.settled?.(pageOf(number))
    late?.hear?.([early?.gist?.(1) ?? new Uint8Array()])
    assert.deepEqual(late?.gist?.(1), early?.gist?.(1))
    // An old report does not turn it back.
    late?.settled?.(pageOf(6))
    late?.hear?.([early?.gist?.(1) ?? new Uint8Array()])
    assert.notDeepEqual(late?.gist?.(1), early?.gist?.(1))
  }
})

test('opic: what the virtual page gave is the same for all programs, and is counted once', () => {
  const [a, b] = [1, 2].map(() => opic.createScorer(optionValues(opic, { virtual: '0.5' }), 1))
  assert.ok(a && b)
  const seed = { ...pageOf(1), depth: 0, signals: null, part: 0 }
  for (const part of [0, 0, 1]) a.settled?.({ ...seed, part })
  b.hear?.([0, 1].map((part) => a.gist?.(part) ?? new Uint8Array()))
  const target = { url: seed.url, position: 0 }
  a.settled?.({ ...seed, waiting: 0 })
  b.settled?.({ ...seed, waiting: 0, part: 2 })
  const [, given] = a.pass?.(seed, null, target) ?? []
  assert.ok((given ?? 0) > 0)
  assert.equal(b.pass?.(seed, null, target)?.[1], given)
  // The part goes to b: it is no longer heard of.
  b.load?.(a.save?.(0) ?? new Uint8Array(), 0)
  b.hear?.([a.gist?.(1) ?? new Uint8Array()])
  assert.equal(b.pass?.(seed, null, target)?.[1], given)
})
