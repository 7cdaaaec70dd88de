// What `jelajah doctor` looks at where crawls live on servers: can they be reached, are they of a version
// and kept in a way that a crawl can rely on, and do all clocks agree.

import { withoutPassword } from '../core/place-text.ts'
import { systemClock } from '../lib/clock.ts'
import { clockWarnings } from './clock-check.ts'
import { type Check, ok, type Verdict } from './doctor-verdict.ts'
import type { Place } from './place/place.ts'

export function serverChecks(place: Place): readonly Check[] {
  const frontier = { name: 'frontier', run: () => checkFrontier(place) }
  return [
    { name: 'database', run: () => checkDatabase(place) },
    ...(place.text.frontier === null ? [] : [frontier]),
    { name: 'clocks', run: () => checkClocks(place) },
    { name: 'feed', run: () => ok(place.feedSocket) },
  ]
}

/** Who cannot be reached, is too old or of another version says so itself. */
async function checkDatabase(place: Place): Promise<Verdict> {
  await using jobs = await place.jobReader()
  if (jobs === null) return ok(`${place.shown} (tables will be made)`)
  const crawls = (await jobs.list()).length
  return ok(`${place.shown}, ${crawls === 1 ? '1 crawl' : `${crawls} crawls`}`)
}

async function checkFrontier(place: Place): Promise<Verdict> {
  const [warning] = await place.warnings()
  if (warning !== undefined) return { result: 'warn', detail: warning, advice: '' }
  return ok(withoutPassword(place.text.frontier ?? ''))
}

async function checkClocks(place: Place): Promise<Verdict> {
  const [warning] = await clockWarnings(place, systemClock)
  if (warning === undefined) return ok('this machine and its servers agree')
  return { result: 'warn', detail: warning, advice: '' }
}
