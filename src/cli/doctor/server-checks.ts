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

export function serverChecks(place: Workspace): readonly Check[] {
  const needs = ['database', 'frontier']
  const redis = [
    { name: 'frontier', run: () => checkFrontier(place) },
    { name: 'frontiers', needs, run: () => checkFrontiers(place) },
  ]
  return [
    { name: 'database', run: () => checkDatabase(place) },
    ...(place.text.frontier === null ? [] : redis),
    { name: 'clocks', needs, run: () => checkClocks(place) },
    { name: 'feed', run: () => ok(place.feedSocket) },
  ]
}

/** Who cannot be reached, is too old or of another version says so itself. */
async function checkDatabase(place: Workspace): Promise<Verdict> {
  await using jobs = await place.jobReader()
  if (jobs === null) return ok(`${place.shown} (tables will be made)`)
  const crawls = (await jobs.list()).length
  return ok(`${place.shown}, ${crawls === 1 ? '1 crawl' : `${crawls} crawls`}`)
}

async function checkFrontier(place: Workspace): Promise<Verdict> {
  const [warning] = await place.warnings()
  if (warning !== undefined) return { result: 'warn', detail: warning, advice: '' }
  return ok(withoutPassword(place.text.frontier ?? ''))
}

/** A crawl that has pages had a frontier once; a Redis that was emptied says nothing of it. */
async function checkFrontiers(place: Workspace): Promise<Verdict> {
  await using jobs = await place.jobReader()
  const lost: JobRecord[] = []
  for (const job of (await jobs?.list()) ?? []) if (await hasLost(place, job)) lost.push(job)
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

async function hasLost(place: Workspace, { id }: JobRecord): Promise<boolean> {
  if (await place.hasFrontier(id)) return false
  await using pages = await place.pageReader()
  return (await pages.totals(id)).stored > 0
}

async function checkClocks(place: Workspace): Promise<Verdict> {
  const [warning] = await clockWarnings(place, systemClock)
  if (warning === undefined) return ok('this machine and its servers agree')
  return { result: 'warn', detail: warning, advice: '' }
}
