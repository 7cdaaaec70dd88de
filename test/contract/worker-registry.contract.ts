// What a registry of workers promises, wherever it is kept.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CrawlerError } from '../../src/core/errors.ts'
import { NO_PROGRESS } from '../../src/crawl/progress.ts'
import type { WorkerRegistry } from '../../src/fleet/worker-registry.ts'
import { announcementOf, programOf, workerRecord } from '../support/registry-records.ts'

/** A separate registry, with a clock that the test sets. */
export type OpenRegistry = AsyncDisposable & {
  readonly clock: { ms: number }
  readonly registry: WorkerRegistry
}

const STRANGE = { ...programOf(), version: '9.0.0', protocol: 99 }
const STRANGE_OWNER = { ...STRANGE, role: 'serve' as const }

/** `manyWorkers`: so many that they are read only now and then, and no more than a test can wait for. */
export function workerRegistryContract(
  name: string,
  openRegistry: () => Promise<OpenRegistry>,
  manyWorkers: number,
): void {
  const promise = (title: string, body: (opened: OpenRegistry) => Promise<void>) =>
    test(`${name}: ${title}`, async () => {
      await using opened = await openRegistry()
      await body(opened)
    })

  promise(
    'a worker hears which crawls run, an owner who is there and how the crawl looks',
    async (opened) => {
      const { registry } = opened
      const announcement = announcementOf({ crawl: 3 })
      assert.deepEqual(await registry.announce(announcement), { workers: [], snapshot: null })
      const record = workerRecord({ id: 'one' })
      const snapshot = { counts: NO_PROGRESS.counts, hosts: [], fairness: 0.5 }
      assert.deepEqual(await registry.report(record, new Map([[3, snapshot]])), [announcement])
      assert.deepEqual(await registry.announce(announcement), { workers: [record], snapshot })
      assert.deepEqual(await registry.announcements(), [announcement])
    },
  )

  promise('what a worker says of a crawl that nobody announces is not kept', async (opened) => {
    const { registry } = opened
    const snapshot = { counts: NO_PROGRESS.counts, hosts: [], fairness: 0.5 }
    await registry.report(workerRecord({}), new Map([[3, snapshot]]))
    const heard = await registry.announce(announcementOf({ crawl: 3 }))
    assert.equal(heard.snapshot, null)
  })

  promise(
    'who falls silent is gone after a while, and an owner later than a worker',
    async (opened) => {
      const { registry, clock } = opened
      await registry.report(workerRecord({ id: 'silent' }))
      await registry.announce(announcementOf({ crawl: 3 }))
      clock.ms += 14_000
      await registry.report(workerRecord({ id: 'alive' }))
      assert.equal((await registry.workers()).length, 2)
      clock.ms += 1_001
      assert.deepEqual(
        (await registry.workers()).map(({ id }) => id),
        ['alive'],
      )
      assert.equal((await registry.announcements()).length, 1)
      clock.ms += 15_000
      assert.equal((await registry.announcements()).length, 0)
    },
  )

  promise('a worker that leaves is gone at once', async (opened) => {
    const { registry } = opened
    await registry.report(workerRecord({ id: 'one' }))
    await registry.leave('one')
    assert.deepEqual(await registry.workers(), [])
  })

  promise(
    'a program of another protocol than the owner’s is refused, told who is there, and changes nothing',
    async (opened) => {
      const { registry, clock } = opened
      await registry.announce(announcementOf({ crawl: 3 }))
      const isRefusal = (error: unknown): boolean =>
        error instanceof CrawlerError &&
        /this is Jelajah 9\.0\.0, but Jelajah 1\.2\.3 on machine, process 7 is at work/.test(
          error.message,
        )
      await assert.rejects(registry.report(workerRecord({ id: 'two', ...STRANGE })), isRefusal)
      await assert.rejects(
        registry.announce(announcementOf({ crawl: 4, owner: STRANGE_OWNER })),
        isRefusal,
      )
      assert.deepEqual([await registry.workers(), (await registry.announcements()).length], [[], 1])
      clock.ms += 30_001
      // Once the others are gone, programs of this protocol may use it.
      assert.deepEqual(await registry.report(workerRecord({ id: 'two', ...STRANGE })), [])
    },
  )

  promise(
    'a worker of another protocol keeps no owner from its crawl: it is not told of, and goes',
    async (opened) => {
      const { registry } = opened
      await registry.report(workerRecord({ id: 'forgotten' }))
      const announcement = announcementOf({ owner: STRANGE_OWNER })
      assert.deepEqual((await registry.announce(announcement)).workers, [])
      await assert.rejects(
        registry.report(workerRecord({ id: 'forgotten' })),
        /cannot share crawls/,
      )
      await registry.report(workerRecord({ id: 'same', ...STRANGE }))
      const { workers } = await registry.announce(announcement)
      assert.deepEqual(
        workers.map(({ id }) => id),
        ['same'],
      )
      assert.equal((await registry.workers()).length, 1)
    },
  )

  promise(
    'with many workers an owner hears of all of them now and then, and always once its crawl ends',
    async (opened) => {
      const { registry } = opened
      const running = announcementOf({ crawl: 3, phase: 'running' })
      for (let at = 0; at < manyWorkers; at += 50) {
        const some = Array.from({ length: 50 }, (_, more) => workerRecord({ id: `w${at + more}` }))
        await Promise.all(some.map((record) => registry.report(record)))
      }
      assert.equal((await registry.announce(running)).workers.length, manyWorkers)
      await registry.report(workerRecord({ id: 'late' }))
      assert.equal((await registry.announce(running)).workers.length, manyWorkers)
      const over = announcementOf({ crawl: 3, phase: 'over' })
      assert.equal((await registry.announce(over)).workers.length, manyWorkers + 1)
    },
  )
}
