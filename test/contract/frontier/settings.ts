// A later run with other settings: which refusals they undo, and which they do not.
import assert from 'node:assert/strict'
import type { CrawlSettings } from '../../../src/core/job.ts'
import type { Ordering } from '../../../src/ordering/ordering.ts'
import { found, type Promises, type Rig, refused } from './rig.ts'

type Change = {
  readonly before?: Partial<CrawlSettings>
  readonly after: Partial<CrawlSettings>
}

const detour = { pattern: 'a.test', address: '127.0.0.1', port: 8080 }

const UNDONE: readonly (readonly [reason: string, change: string, Change])[] = [
  ['private-address: 10.0.0.1', 'private addresses are allowed', { after: { allowPrivate: true } }],
  ['private-address: 10.0.0.1', 'an address is given', { after: { connectTo: [detour] } }],
  ['port: 6379', 'an address is given', { after: { connectTo: [detour] } }],
  [
    'robots: /x',
    'robots.txt is ignored',
    { before: { ignoreRobots: false }, after: { ignoreRobots: true } },
  ],
  [
    'off-topic: relevance 0.2 below 0.5',
    'less is asked of a page',
    { before: { minRelevance: 0.5 }, after: { minRelevance: 0.1 } },
  ],
  [
    'too-short: 12 of 50 words',
    'nothing is asked of a page',
    { before: { minTerms: 50 }, after: { minTerms: null } },
  ],
  [
    'language: en, not id',
    'another language is wanted, too',
    { before: { languages: ['id'] }, after: { languages: ['id', 'en'] } },
  ],
]

const KEPT: readonly (readonly [reason: string, change: string, Change])[] = [
  ['private-address: 10.0.0.1', 'the scope is wider', { after: { scope: 'any' } }],
  [
    'robots: /x',
    'the scope is wider',
    { before: { ignoreRobots: false }, after: { scope: 'any' } },
  ],
  [
    'off-topic: relevance 0.2 below 0.5',
    'more is asked of a page',
    { before: { minRelevance: 0.5 }, after: { minRelevance: 0.6, minTerms: 10 } },
  ],
  [
    'language: en, not id',
    'the same language is wanted',
    { before: { languages: ['id'] }, after: { languages: ['id'], minTerms: 10 } },
  ],
  ['type: image/png', 'anything else is allowed', { after: { allowPrivate: true, scope: 'any' } }],
]

const bySignal: Ordering = {
  name: 'by-signal',
  about: 'the first signal',
  rescoreOn: ['signals'],
  createScorer: () => ({ score: ({ signals }) => signals?.[0] ?? 0 }),
}

const signal = (short: string, score: number) => found(short, { signals: [score] })

async function refuseOne(rig: Rig, reason: string): Promise<void> {
  await rig.seed('a.test/')
  let lease = await rig.visitNext()
  if (lease.kind === 'robots') {
    await rig.frontier.saveRobots(lease, rig.robotsRecord('http://a.test'))
    lease = await rig.visitNext()
  }
  await rig.frontier.settle([refused(lease, reason)])
}

export function settingsContract(promise: Promises): void {
  for (const [reason, change, { before = {}, after }] of UNDONE) {
    promise(
      `what was refused for ${reason} is queued by a later run where ${change}`,
      async (rig) => {
        await refuseOne(rig, reason)
        await rig.restart({ settings: after })
        assert.deepEqual(await rig.states(), { 'a.test/': 'queued' })
        assert.deepEqual(await rig.drain(), ['a.test/'])
      },
      { settings: before },
    )
  }

  for (const [reason, change, { before = {}, after }] of KEPT) {
    promise(
      `what was refused for ${reason} stays so in a later run where ${change}`,
      async (rig) => {
        await refuseOne(rig, reason)
        await rig.restart({ settings: after })
        assert.deepEqual(await rig.states(), { 'a.test/': `refused: ${reason}` })
      },
      { settings: before },
    )
  }

  promise('another seed makes its host trusted, also where a page was refused', async (rig) => {
    await refuseOne(rig, 'port: 6379')
    await rig.restart({ seeds: ['a.test/', 'a.test/2'] })
    assert.deepEqual(await rig.states(), { 'a.test/': 'queued' })
  })

  promise(
    'a larger buffer takes in again the best of what was too much',
    async (rig) => {
      await rig.seed('a.test/')
      await rig.store(...[5, 1, 4, 2, 3].map((score) => signal(`a.test/${score}`, score)))
      await rig.restart({ settings: { buffer: 4 } })
      assert.equal((await rig.states())['a.test/1'], 'refused: buffer')
      assert.deepEqual(await rig.drain(), ['a.test/5', 'a.test/4', 'a.test/3', 'a.test/2'])
      await rig.restart({ settings: { buffer: null } })
      assert.deepEqual(await rig.drain(), ['a.test/1'])
    },
    { ordering: bySignal, settings: { buffer: 2 } },
  )

  promise(
    'a smaller buffer refuses the worst of what waits',
    async (rig) => {
      await rig.seed('a.test/')
      await rig.store(...[5, 1, 4, 2, 3].map((score) => signal(`a.test/${score}`, score)))
      const later = rig.restart({ settings: { buffer: 2 } })
      // No partition knows everything that waits.
      if (rig.fixture.divided) return assert.rejects(later, /is divided into 3 partitions/)
      await later
      assert.deepEqual([rig.frontier.counts().queued, rig.frontier.counts().refused], [2, 3])
      assert.deepEqual(await rig.drain(), ['a.test/5', 'a.test/4'])
    },
    { ordering: bySignal },
  )

  promise(
    'what other settings let in is like any other URL in the runs after that',
    async (rig) => {
      await rig.seed('a.test/')
      await rig.store(signal('b.test/1', 1), signal('a.test/2', 2))
      await rig.restart({ settings: { scope: 'any' }, admit: () => null })
      await rig.restart()
      await rig.store(signal('b.test/1', 9))
      await rig.restart()
      assert.equal((await rig.record('b.test/1')).priority, 9)
    },
    {
      ordering: bySignal,
      settings: { hostPolicy: 'best', delayMs: 0 },
      admit: (_, host) => (host === 'a.test' ? null : 'scope'),
    },
  )

  promise('all hosts of a domain are visited when a later run has another policy', async (rig) => {
    await rig.seed('a.test/', 'x.a.test/', 'y.a.test/')
    await rig.restart({ settings: { hostPolicy: 'best' } })
    assert.deepEqual((await rig.drain()).sort(), ['a.test/', 'x.a.test/', 'y.a.test/'])
  })
}
