// A frontier in three partitions of one program keeps all promises of a frontier. Crawls that cannot be
// divided have one.
import { randomUUID } from 'node:crypto'
import { type FrontierFixture, frontierContract } from '../../../test/contract/frontier.contract.ts'
import { createMemoryStorage, MemoryServer } from '../../../test/support/memory-storage.ts'
import type { Job } from '../../core/job.ts'
import type { Scorer } from '../../ordering/ordering.ts'
import { openWorkingCopy } from '../sqlite/sqlite-rows.ts'
import { beginPartitionedRecrawl } from './begin-recrawl.ts'
import { whyUndivided } from './partition-of.ts'
import { openPartitionedFrontier, type PartitionedFrontier } from './partitioned-frontier.ts'

const LEASE_MS = 60_000

function openFixture(wanted: number) {
  return async (): Promise<FrontierFixture> => {
    const storage = createMemoryStorage(new MemoryServer())
    let open: PartitionedFrontier | null = null
    let owner = ''
    const begin = async (job: Job, scorer: Scorer) => {
      const many = whyUndivided({ job, scorer }) === null ? wanted : 1
      const partitions = await storage.divide(job, many)
      // Nobody waits for a program that is known to be dead.
      if (owner !== '') await storage.leave(job.id, owner)
      owner = randomUUID()
      return { storage, partitions, owner, leaseMs: LEASE_MS, openCopy: () => openWorkingCopy() }
    }
    return {
      open: async (setup) => {
        const fixture = await begin(setup.job, setup.scorer)
        open = await openPartitionedFrontier({ ...setup, ...fixture, roundMs: 0, idleInMemory: 0 })
        return open
      },
      urlStates: async (job) => {
        const states = await storage.states(job)
        if (states === null) throw new Error('nothing is there')
        return states
      },
      divided: true,
      beginRecrawl: async (recrawl) =>
        beginPartitionedRecrawl(await begin(recrawl.job, { score: () => 0 }), recrawl),
      crash: async () => open?.abandon(),
      [Symbol.asyncDispose]: async () => {},
    }
  }
}

frontierContract('three partitions', openFixture(3))
