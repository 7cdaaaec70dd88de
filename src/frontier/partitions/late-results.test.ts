import assert from 'node:assert/strict'
import { test } from 'node:test'
import { founds, stored, urlOf } from '../../../test/contract/frontier/rig.ts'
import { sampleJob } from '../../../test/contract/sample-page.ts'
import { OwnersFixture, openOwners } from '../../../test/support/several-owners.ts'
import { SimulatedTime } from '../../../test/support/simulated-time.ts'
import type { CanonicalUrl } from '../../core/url.ts'
import type { RoleChange } from '../../core/visit.ts'
import { orderingNamed } from '../../ordering/index.ts'
import type { FrontierUpdate } from '../frontier.ts'
import { hostPolicyNamed } from '../policy/index.ts'
import { LateResults } from './late-results.ts'
import type { Mail } from './mail.ts'
import type { OwnedPartition } from './owned-partition.ts'

/** `2.test/x` belongs to partition 2. */
const partitionOf = (url: CanonicalUrl): number => Number(new URL(url).hostname[0])

function result(name: string, moved: readonly string[] = []): FrontierUpdate {
  const lease = {
    kind: 'page',
    id: 0,
    token: 7,
    durable: true,
    url: urlOf(name),
    depth: 1,
  } as const
  const came = { found: [], judged: null, likeness: 1 }
  const states = moved.map((each) => ({ url: urlOf(each), of: null }))
  return { lease, outcome: 'stored', ...came, moved: states }
}

/** Partitions that note what they are told. Each commit may lose some of them. */
function stage(numbers: readonly number[], losses: readonly number[][] = []) {
  const told: string[] = []
  const namesOf = (moved: readonly RoleChange[] = []) =>
    moved.map(({ url }) => new URL(url).hostname)
  const owned = numbers.map((number) => {
    const engine = {
      settle: ([one]: readonly [{ moved: readonly RoleChange[] }]) =>
        told.push(`${number} settles, with ${namesOf(one.moved)}`),
      restate: (moved: readonly RoleChange[]) => told.push(`${number} restates ${namesOf(moved)}`),
    }
    const send = (to: number, mail: Mail) => {
      const moved = mail.kind === 'settled' && 'moved' in mail.update ? mail.update.moved : []
      const names = namesOf(mail.kind === 'moved' ? mail.moved : moved)
      told.push(`${number} to ${to}: ${mail.kind}, with ${names}`)
    }
    return { number, isLeaving: false, engine, send } as unknown as OwnedPartition
  })
  const open = new Map(owned.map((one) => [one.number, one]))
  const commits = [...losses]
  const late = new LateResults(
    {
      get all() {
        return open.values()
      },
      get isClosed() {
        return open.size === 0
      },
      get: (number) => open.get(number),
      check: () => {},
      commit: async () => {
        for (const number of commits.shift() ?? []) open.delete(number)
      },
    },
    partitionOf,
    { sleep: () => assert.fail('nobody waits') },
  )
  return { late, told }
}

test('a result goes to the owner of its page, and each duplicate it moved to its own', async () => {
  const { late, told } = stage([1])
  const moved = ['1.test/', '2.test/', '3.test/']
  assert.equal(await late.forward([result('2.test/', moved), result('1.test/', moved)]), 2)
  assert.deepEqual(told, [
    '1 restates 1.test',
    '1 to 3: moved, with 3.test',
    '1 to 2: settled, with 2.test',
    '1 to 2: moved, with 2.test',
    '1 to 3: moved, with 3.test',
    '1 settles, with 1.test',
  ])
})

test('a result whose sender is lost before it is written is sent by another', async () => {
  const { late, told } = stage([1, 2], [[1]])
  assert.equal(await late.forward([result('3.test/')]), 1)
  assert.deepEqual(told, ['1 to 3: settled, with ', '2 to 3: settled, with '])
})

test('a program that ends keeps no result waiting, and does not count it', async () => {
  const { late } = stage([1], [[1]])
  assert.equal(await late.forward([result('3.test/')]), 0)
})

test('only results of stored pages are kept', async () => {
  const { late, told } = stage([1])
  const { lease } = result('3.test/')
  const failed = { ...lease, durable: undefined } as unknown as FrontierUpdate['lease']
  assert.equal(await late.forward([{ ...stored(lease), lease: failed }]), 0)
  assert.deepEqual(told, [])
})

test('a new owner reads what was sent to a partition before it makes the first request there', async () => {
  const time = new SimulatedTime()
  const { settings, ...job } = sampleJob()
  const plain = { ...settings, delayMs: 0, ignoreRobots: true, sitemaps: false, trapBudget: 0 }
  const ordering = orderingNamed('breadth-first')
  const fixture = new OwnersFixture({
    ...{ job: { ...job, id: 1, salt: 77, settings: plain }, ordering, time, partitions: 4 },
    ...{ policy: hostPolicyNamed('fair'), admit: () => null, templateOf: () => null },
    createScorer: () => ordering.createScorer({}, 1),
  })
  const owners = await openOwners(fixture, 2, time)
  const seeds = founds('a.test/', 'a.test/1')
  const added = await time.until(Promise.all(owners.map((owner) => owner.add(seeds, 'seed'))))
  const [dead, heir] = added[0] === 2 ? owners : owners.toReversed()
  assert.ok(dead && heir)
  const [lease] = await dead.lease(1)
  assert.ok(lease)
  dead.abandon()
  // The parser of the dead owner has stored the page; its receipt comes to the other.
  const { kind, id, url, depth } = lease
  const receipt = { kind, id, url, depth, token: null }
  assert.equal(await time.until(heir.settle([stored(receipt, founds('a.test/2'))])), 1)
  let leases = await heir.lease(9)
  while (leases.length === 0) {
    await time.pass(1)
    leases = await heir.lease(9)
  }
  assert.deepEqual(
    leases.map((one) => one.url),
    ['a.test/', 'a.test/1'].map(urlOf).filter((one) => one !== url),
  )
  await time.until(heir[Symbol.asyncDispose]())
})
