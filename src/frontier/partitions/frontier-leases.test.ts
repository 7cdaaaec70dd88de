import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type HostState, NO_COUNTS } from '../../core/host.ts'
import type { CanonicalUrl } from '../../core/url.ts'
import type { CrawlView, PartitionView } from '../storage.ts'
import type { ListedUrl } from '../url-states.ts'
import { countLeases, readLeases } from './frontier-leases.ts'
import { encodeSummary, type PartitionSummary, UNOPENED } from './summary.ts'

const NOW = 5000
const OPTIONS = {
  limit: 10,
  keysOf: (partition: number) => `{p:${partition}}`,
  urlsAt: async (positions: readonly number[]) => positions.map(leased),
}

function view(partitions: readonly Partial<PartitionView>[], owners: readonly string[]): CrawlView {
  const all = partitions.map((more, partition) => {
    return { partition, owner: '', epoch: 1, summary: '', messages: 0, ...more }
  })
  return { now: NOW, owners, partitions: all }
}

const summary = (told: Partial<PartitionSummary>) => encodeSummary({ ...UNOPENED, ...told })

function host(name: string, more: Partial<HostState> = {}): HostState {
  return {
    ...{ host: name, site: name, queued: 1, inFlight: 0, stored: 0, failures: 0, trouble: '' },
    ...{ delayMs: 0, restsUntil: 0, ...more },
  }
}

function leased(position: number): ListedUrl {
  return {
    ...{ crawlId: 1, url: `http://a.test/${position}` as CanonicalUrl, host: 'a.test', position },
    ...{ state: 'leased', reason: '', depth: 0, foundOn: null, priority: 0, tries: 2 },
    nextAt: null,
  }
}

test('an owner has the leases and hosts of all its partitions; what nobody owns counts as a lease, too', async () => {
  const seen = view(
    [
      { owner: 'a', summary: summary({ unsettled: 2, hostCount: 5 }) },
      { owner: 'b', summary: summary({ unsettled: 1, hostCount: 1 }) },
      { owner: 'a', summary: summary({ unsettled: 4, hostCount: 7 }) },
      { summary: summary({ unsettled: 8, hostCount: 1 }) },
    ],
    ['a', 'b', 'idle'],
  )
  assert.deepEqual([...countLeases(seen)].sort(), [
    ['a', 6],
    ['b', 1],
  ])
  const { sessions, total, now } = await readLeases(seen, OPTIONS)
  assert.deepEqual([total, now], [15, NOW])
  assert.deepEqual(
    sessions.map(({ session, leases, hosts }) => [session, leases, hosts]),
    [
      ['a', 6, 12],
      ['b', 1, 1],
      ['idle', 0, 0],
    ],
  )
})

test('a leased URL is held by the owner of its partition, of many as many as asked for', async () => {
  const seen = view(
    [
      { owner: 'a', summary: summary({ leases: [[4, 3000]] }) },
      {
        owner: 'b',
        summary: summary({
          leases: [
            [1, null],
            [4, 2000],
          ],
        }),
      },
      {
        summary: summary({
          leases: [
            [7, null],
            [8, null],
          ],
        }),
      },
    ],
    ['a', 'b'],
  )
  const { leases } = await readLeases(seen, { ...OPTIONS, limit: 4 })
  assert.deepEqual(
    leases.map(({ url, session, startedAt }) => [url, session, startedAt]),
    [
      ['http://a.test/12', 'a', 3000],
      ['http://a.test/4', 'b', null],
      ['http://a.test/13', 'b', 2000],
      ['http://a.test/23', '', null],
    ],
  )
  assert.deepEqual([leases[0]?.kind, leases[0]?.tries], ['page', 2])
})

test('a partition is shown with its counts, its hosts that wait and its keys', async () => {
  const counts = { ...NO_COUNTS, queued: 3, leased: 1, stored: 2, outside: 4 }
  const hosts = [
    host('ready.test', { restsUntil: NOW }),
    host('rests.test', { restsUntil: NOW + 1 }),
    host('done.test', { queued: 0, inFlight: 1 }),
  ]
  const told = summary({ counts, hostCount: 30, hosts })
  const seen = view([{}, { owner: 'a', summary: told }, { summary: told }], ['a'])
  const { partitions, hosts: visited } = await readLeases(seen, OPTIONS)
  assert.deepEqual(partitions[1], {
    ...{ partition: 1, keys: '{p:1}', urls: 10, hosts: 30, queued: 3, leased: 1, stored: 2 },
    ...{ readyHosts: 1, restingHosts: 1 },
  })
  assert.deepEqual([partitions.length, partitions[0]?.urls], [3, 0])
  assert.deepEqual(visited, [{ host: 'done.test', session: 'a', until: NOW }])
})

test('a summary that cannot be read hides nothing of the other partitions', async () => {
  const seen = view(
    [
      { owner: 'a', summary: '{"unsettled":' },
      { owner: 'a', summary: summary({ unsettled: 3 }) },
    ],
    ['a'],
  )
  assert.deepEqual([...countLeases(seen)], [['a', 3]])
  assert.equal((await readLeases(seen, OPTIONS)).partitions.length, 2)
})
