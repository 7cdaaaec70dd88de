// Shared by the child processes: the connection to the supervisor, the lock that proves that an earlier child
// is gone, and a last message before every exit.
import { rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { CrawlerError, firstError } from '../core/errors.ts'
import { asCrawlerError } from '../db/sqlite-errors.ts'
import { ignoreStopSignals } from '../lib/stop-signals.ts'
import {
  type Assignment,
  ChildLink,
  type Footprint,
  type FromChild,
  type ToChild,
} from '../wire/control.ts'
import { openWorkspace } from '../workspace/open-workspace.ts'
import { childLock, type Workspace } from '../workspace/workspace.ts'

/** An orphan of a killed run exits within this time, so a new child waits no longer. */
const LOCK_PATIENCE_MS = 10_000
/** How long an orphan may take to finish its work. */
const ORPHAN_MS = 3_000
const BEAT_MS = 250

type Work = {
  /** Works until done. The result is sent to the supervisor. */
  readonly run: () => Promise<FromChild | null>
  readonly beat: () => FromChild
  readonly onMessage: (message: ToChild) => void
  /** The supervisor is gone: begin nothing new, so that `run` ends with what is under way. */
  readonly leave: () => void
}

export async function runChild(
  role: 'scouter' | 'parser',
  open: (
    assignment: Assignment,
    workspace: Workspace,
    notice: (text: string) => void,
  ) => Promise<Work & AsyncDisposable>,
): Promise<void> {
  const [, , controlSocket] = process.argv
  if (controlSocket === undefined) {
    throw new CrawlerError('process-died', `the ${role} is started by 'jelajah crawl', not by hand`)
  }
  let work: (Work & AsyncDisposable) | null = null
  let ending = false
  ignoreStopSignals()
  const link = await ChildLink.open({
    controlSocket,
    role,
    onMessage: (message) => work?.onMessage(message),
    onOrphaned: () => {
      if (!ending) leaveAsOrphan(work, controlSocket)
    },
  }).catch(leaveUnlessHeard)
  const assignment = await link.assignment
  try {
    // The parent process has already opened it.
    await using workspace = openWorkspace({ ...assignment.workspace, isKnown: true })
    const name = childLock(role, assignment.job.id, assignment.pair)
    await using _lock = await workspace.waitForLock(name, LOCK_PATIENCE_MS)
    const opening = setInterval(() => link.send({ type: 'alive' }), BEAT_MS)
    const notice = (text: string): void => link.send({ type: 'notice', text })
    await using opened = await open(assignment, workspace, notice).finally(() =>
      clearInterval(opening),
    )
    work = opened
    link.send({ type: 'up', role })
    const timer = setInterval(() => link.send(opened.beat()), BEAT_MS)
    const last = await opened.run().finally(() => clearInterval(timer))
    ending = true
    link.send(opened.beat())
    if (last !== null) link.send(last)
  } catch (error) {
    ending = true
    link.send(fatal(asCrawlerError(firstError(error))))
  }
  await link.end()
  process.exit(0)
}

let lastResident = 0

/** The system returns it in a file. If no more files can be opened, the last value is returned. */
function residentBytes(): number {
  try {
    lastResident = process.memoryUsage.rss()
  } catch {
    // The heartbeat matters more than this figure.
  }
  return lastResident
}

/** CPU and memory of this process, for its heartbeats. */
export function footprint(): Footprint {
  const { user, system } = process.cpuUsage()
  const cpuMs = Math.round((user + system) / 1_000)
  return { pid: process.pid, rssBytes: residentBytes(), cpuMs }
}

/** The supervisor listens before it starts a child, so a refused connection means that it is gone. */
function leaveUnlessHeard(error: Error & { code?: string }): never {
  if (error.code === 'ENOENT' || error.code === 'ECONNREFUSED') process.exit(1)
  throw error
}

function fatal(error: unknown): FromChild {
  const code = error instanceof CrawlerError ? error.code : 'bug'
  const message =
    error instanceof CrawlerError ? error.message : error instanceof Error ? error.stack : error
  return { type: 'fatal', code, message: String(message) }
}

/**
 * Work under way is finished and saved if that does not take long. Then the process kills itself:
 * process.exit would wait for threads, or crash with those that are just starting.
 */
function leaveAsOrphan(work: Work | null, controlSocket: string): void {
  rmSync(dirname(controlSocket), { recursive: true, force: true })
  if (work === null) process.exit(1)
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), ORPHAN_MS).unref()
  work.leave()
}
