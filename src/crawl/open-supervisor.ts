// Opens the processes of a run: a single supervisor if the workspace is a folder; where workers may join, a
// shared run, with or without processes on this machine.
import { hostname } from 'node:os'
import { fileURLToPath } from 'node:url'
import { VERSION } from '../core/version.ts'
import { newestSchema } from '../db/postgres-schema.ts'
import { SharedRun } from '../fleet/shared-run.ts'
import { type Program, protocolWith } from '../fleet/worker-registry.ts'
import { moduleBeside } from '../lib/module-beside.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { SeveralPairs } from './several-pairs.ts'
import { type CrawlProcesses, Supervisor, type SupervisorOptions } from './supervisor.ts'

type SupervisedRun = Omit<SupervisorOptions, 'entries' | 'workspace' | 'joined'> & {
  readonly workspace: Workspace
  /** How many scouters work on it here, each with its parser. */
  readonly pairs: number
  /** False: only workers fetch and parse pages. */
  readonly carries: boolean
  /** Aborted if another process runs the same crawl. */
  readonly lost?: AbortSignal
  /** The current work while no page is fetched. */
  readonly onBusy: (text: string) => void
}

/** The programs of scouter and parser. */
export const PAIR_ENTRIES = {
  scouter: fileURLToPath(moduleBeside(import.meta, '../main/scouter')),
  parser: fileURLToPath(moduleBeside(import.meta, '../main/parser')),
}

/** This program, as others see it. */
export function thisProgram(): Program {
  const protocol = protocolWith(newestSchema())
  return { machine: hostname(), pid: process.pid, version: VERSION, protocol }
}

export async function openSupervisor({
  workspace,
  pairs,
  carries,
  lost,
  onBusy,
  ...run
}: SupervisedRun): Promise<CrawlProcesses> {
  const alone = { ...run, workspace: workspace.text, entries: PAIR_ENTRIES }
  const registry = await workspace.workers()
  if (registry === null) return pairs === 1 ? new Supervisor(alone) : new SeveralPairs(alone, pairs)
  // Stop rules and time limit are checked for all machines together.
  const openPair = (onProgress: () => void): CrawlProcesses =>
    new Supervisor({ ...alone, durationMs: null, joined: true, onProgress })
  return new SharedRun({
    ...{ ...run, registry, onBusy },
    ...(lost === undefined ? {} : { lost }),
    owner: { ...thisProgram(), role: carries ? 'crawl' : 'serve' },
    openPair: carries ? openPair : null,
  })
}
