// What `jelajah doctor` looks at where crawls live on servers: can they be reached, are they of a version
// and kept in a way that a crawl can rely on, and do all clocks agree.

import type { JobRecord } from '../../core/job.ts'
import { withoutPassword } from '../../core/workspace-url.ts'
import { clockWarnings } from '../../fleet/clock-check.ts'
import { systemClock } from '../../lib/clock.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { type Check, ok, type Verdict } from './verdict.ts'

/** Crawls that are named. */
const SHOWN = 20

export function serverChecks(workspace: Workspace): readonly Check[] {
  const needs = ['database', 'frontier']
  const redis = [
    { name: 'frontier', run: () => checkFrontier(workspace) },
    { name: 'frontiers', needs, run: () => checkFrontiers(workspace) },
  ]
  return [
    { name: 'database', run: () => checkDatabase(workspace) },
    ...(workspace.text.frontier === null ? [] : redis),
    { name: 'clocks', needs, run: () => checkClocks(workspace) },
    { name: 'feed', run: () => ok(workspace.feedSocket) },
  ]
}

/** Who cannot be reached, is too old or of another version says so itself. */
async function checkDatabase(workspace: Workspace): Promise<Verdict> {
  await using jobs = await workspace.jobReader()
  if (jobs === null) return ok(`${workspace.shown} (tables will be made)`)
  const crawls = (await jobs.list()).length
  return ok(`${workspace.shown}, ${crawls === 1 ? '1 crawl' : `${crawls} crawls`}`)
}

async function checkFrontier(workspace: Workspace): Promise<Verdict> {
  const [warning] = await workspace.warnings()
  if (warning !== undefined) return { result: 'warn', detail: warning, advice: '' }
  return ok(withoutPassword(workspace.text.frontier ?? ''))
}

/** A crawl that has pages had a frontier once; a Redis that was emptied says nothing of it. */
async function checkFrontiers(workspace: Workspace): Promise<Verdict> {
  await using jobs = await workspace.jobReader()
  const lost: JobRecord[] = []
  for (const job of (await jobs?.list()) ?? []) if (await hasLost(workspace, job)) lost.push(job)
  if (lost.length === 0) return ok('no crawl has lost its own')
  const ids = lost.map(({ id }) => id).toReversed()
  const shown = ids.slice(0, SHOWN).join(', ')
  const more = ids.length > SHOWN ? ` and ${ids.length - SHOWN} more` : ''
  const who = ids.length === 1 ? `crawl ${shown} has` : `crawls ${shown}${more} have`
  // One that is complete needs it only to look at its pages again.
  const result = lost.every(({ status }) => status === 'completed') ? 'warn' : 'fail'
  const advice = "'jelajah doctor --rebuild-frontier' makes it again from what the database knows."
  return { result, detail: `${who} pages, but no frontier in Redis`, advice }
}

async function hasLost(workspace: Workspace, { id }: JobRecord): Promise<boolean> {
  if (await workspace.hasFrontier(id)) return false
  await using pages = await workspace.pageReader()
  return (await pages.totals(id)).stored > 0
}

async function checkClocks(workspace: Workspace): Promise<Verdict> {
  const [warning] = await clockWarnings(workspace, systemClock)
  if (warning === undefined) return ok('this machine and its servers agree')
  return { result: 'warn', detail: warning, advice: '' }
}
