// What owners and workers say in a registry, for tests.
import type { Job } from '../../src/core/job.ts'
import type { Announcement, Program, WorkerRecord } from '../../src/fleet/worker-registry.ts'
import { PROTOCOL } from '../../src/fleet/worker-registry.ts'
import { DEFAULT_SETTINGS } from '../../src/options/settings.ts'

export function programOf(): Program {
  return { machine: 'machine', pid: 7, version: '1.2.3', protocol: PROTOCOL }
}

export function aJob(id: number): Job {
  return {
    ...{ id, name: `job ${id}`, origin: 'cli', seeds: [], topic: null, salt: id },
    settings: DEFAULT_SETTINGS,
  }
}

export function announcementOf(said: Partial<Announcement>): Announcement {
  return {
    ...{ crawl: 1, run: 'run', phase: 'running', enough: false, pairs: 0, round: null },
    owner: { ...programOf(), role: 'serve' },
    ...{ settings: DEFAULT_SETTINGS, isProxied: false },
    ...said,
  }
}

export function workerRecord(said: Partial<WorkerRecord>): WorkerRecord {
  return {
    ...programOf(),
    ...{ id: 'worker', name: 'machine', pairs: 1, since: 0, cpu: 0, rssBytes: 0 },
    ...{ pagesPerSecond: 0, inFlight: 0, shares: [], declined: [], isLeaving: false },
    ...said,
  }
}
