import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ManualClock } from '../../lib/clock.ts'
import { Host, Site } from './host.ts'
import { LargestHosts } from './host-states.ts'
import type { Hosts } from './hosts.ts'

function manyHosts(count: number): { all: Host[]; hosts: Hosts; looks: () => number } {
  const site = new Site('a.test', true)
  const all = Array.from({ length: count }, (_, id) => new Host(id, `${id}.a.test`, site))
  let looks = 0
  const hosts = {
    size: count,
    all: () => {
      looks += 1
      return all
    },
    delayOf: () => 1000,
    parkedStates: () => [],
  }
  return { all, hosts: hosts as unknown as Hosts, looks: () => looks }
}

const sizes = (largest: LargestHosts, limit = 2): [string, number][] =>
  largest.take(limit).map(({ host, stored }) => [host, stored])

test('with few hosts the largest are always those of this moment', () => {
  const { all, hosts } = manyHosts(1000)
  const largest = new LargestHosts(hosts, new ManualClock())
  all[7]!.stored = 2
  all[3]!.stored = 1
  assert.deepEqual(sizes(largest), [
    ['7.a.test', 2],
    ['3.a.test', 1],
  ])
  all[9]!.stored = 5
  assert.deepEqual(sizes(largest), [
    ['9.a.test', 5],
    ['7.a.test', 2],
  ])
})

test('with many hosts all are looked at once in a while, those shown are of this moment', () => {
  const { all, hosts, looks } = manyHosts(100_000)
  const clock = new ManualClock()
  const largest = new LargestHosts(hosts, clock)
  all[7]!.stored = 2
  all[3]!.stored = 1
  sizes(largest)
  all[3]!.stored = 4
  all[9]!.stored = 5
  for (let beat = 0; beat < 3; beat += 1) {
    clock.advance(250)
    assert.deepEqual(sizes(largest), [
      ['3.a.test', 4],
      ['7.a.test', 2],
    ])
  }
  assert.equal(looks(), 1)
  clock.advance(250)
  assert.deepEqual(sizes(largest), [
    ['9.a.test', 5],
    ['3.a.test', 4],
  ])
  assert.equal(looks(), 2)
})

test('another number of hosts, or a clock set back, is a new look', () => {
  const { hosts, looks } = manyHosts(2000)
  const clock = new ManualClock()
  const largest = new LargestHosts(hosts, clock)
  sizes(largest, 2)
  assert.equal(sizes(largest, 5).length, 5)
  clock.advance(-3_600_000)
  sizes(largest, 5)
  assert.equal(looks(), 3)
})
