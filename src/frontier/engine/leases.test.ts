import assert from 'node:assert/strict'
import { test } from 'node:test'
import { urlOf } from '../../../test/contract/frontier/rig.ts'
import { ManualClock } from '../../lib/clock.ts'
import { DEFAULT_SETTINGS } from '../../options/settings.ts'
import { MemoryRows } from '../memory/memory-rows.ts'
import { HostQueue } from './host-queue.ts'
import { Hosts } from './hosts.ts'
import { Leases } from './leases.ts'
import { Spending } from './spending.ts'

test('what is held is not granted again, and may be when it is settled', () => {
  const url = urlOf('a.test/1')
  const hosts = new Hosts({
    rows: new MemoryRows(),
    restOf: () => 0,
    partition: 0,
    isHere: () => true,
    job: {
      id: 1,
      name: '',
      origin: 'cli',
      seeds: [],
      settings: DEFAULT_SETTINGS,
      topic: null,
      salt: 1,
    },
    queues: { create: (id, size) => new HostQueue(id, { headSize: 1, headOf: () => [] }, size) },
  })
  const leases = new Leases({
    clock: new ManualClock(),
    hosts,
    spending: new Spending({ settings: DEFAULT_SETTINGS, hosts: [], beside: () => 0 }),
    run: 1,
  })
  const origin = hosts.originFor(url, 'a.test')
  const wanted = { kind: 'page', id: 1, origin, url, hops: 0, tries: 1 } as const
  const active = leases.grant(wanted)
  assert.throws(() => leases.grant(wanted), { code: 'store-damaged' })
  assert.deepEqual([leases.unsettled, origin.host.inFlight, origin.held], [1, 1, 1])
  leases.settle(active)
  assert.equal(leases.grant(wanted).id, 1)
})
