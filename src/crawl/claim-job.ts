// Finds the crawl that a command means: the one of its name, or a new one. It is claimed in one step, so of
// two commands at the same moment one creates the crawl and the other finds it running.
import { CrawlerError, InvalidInput } from '../core/errors.ts'
import { shownRules } from '../core/field-rules.ts'
import type { CrawlSettings, JobRecord } from '../core/job.ts'
import type { CanonicalUrl } from '../core/url.ts'
import { OPTION_KEYS, type OptionKey, TABLE } from '../options/table.ts'
import type { JobStore } from '../store/job-store.ts'
import { chooseCrawl } from '../workspace/find-crawl.ts'
import type { Workspace, WorkspaceLock } from '../workspace/workspace.ts'
import { hasOpenRecrawl } from './recrawls.ts'

/** The lock is held only to look the crawl up and insert its row. */
const FOLDER_PATIENCE_MS = 10_000
/** A process that only checks whether a crawl runs also holds its lock for a moment. */
const LOOK_MS = 300

export type Wanted = {
  /** Null: the crawl is named after its seeds. */
  readonly name: string | null
  readonly seeds: readonly CanonicalUrl[]
  readonly settings: CrawlSettings
  /** Start a new crawl although one of that name exists. */
  readonly fresh: boolean
}

/** A claimed job. No other process can run it until this is disposed of. */
export interface ClaimedJob extends AsyncDisposable {
  readonly job: JobRecord
  /** The record that the last run left; null for a new job. */
  readonly last: JobRecord | null
  /** Aborted if another process runs it nevertheless. */
  readonly lost?: AbortSignal
}

export type WantedAgain = Pick<Wanted, 'name' | 'seeds'> & {
  /** By number or name. */
  readonly crawl: string | null
}

/** The crawl to recrawl: one that has finished, or whose recrawl has not. */
export async function claimFinished(
  jobs: JobStore,
  workspace: Workspace,
  { crawl, name, seeds }: WantedAgain,
): Promise<ClaimedJob> {
  const called = name ?? (seeds.length === 0 ? null : nameOf(seeds))
  const job =
    crawl !== null || called === null
      ? await chooseCrawl(workspace, crawl)
      : await jobs.findByName(called, 'cli')
  if (job === null) throw notThere(name, workspace)
  const lock = await lockCrawl(workspace, job.id)
  try {
    // Another process may have run it while this one waited.
    const last = (await jobs.get(job.id)) ?? job
    const isFinished = isAtItsEnd(last) || (await hasOpenRecrawl({ job: last, workspace }))
    if (!isFinished) throw unfinished(last)
    return claimedBy(lock, { job: last, last })
  } catch (error) {
    await lock[Symbol.asyncDispose]()
    throw error
  }
}

/** An incomplete crawl has fetched what it could, so it can be recrawled. */
function isAtItsEnd({ status }: JobRecord): boolean {
  return status === 'completed' || status === 'incomplete'
}

function notThere(name: string | null, workspace: Workspace): InvalidInput {
  const which = name === null ? 'of these seeds' : `named "${name}"`
  const hint = "crawl without --refresh first; 'jelajah crawls' lists what there is"
  return new InvalidInput('--refresh', `there is no crawl ${which} in ${workspace.shown}: ${hint}`)
}

function unfinished({ id, status }: JobRecord): InvalidInput {
  const hint = 'let it finish first, with the same command without --refresh'
  return new InvalidInput('--refresh', `crawl ${id} has not finished (it is ${status}): ${hint}`)
}

/** The default name of a crawl. */
export function nameOf(seeds: readonly CanonicalUrl[]): string {
  return [...seeds].sort().join(' ')
}

export async function claimJob(
  jobs: JobStore,
  workspace: Workspace,
  wanted: Wanted,
): Promise<ClaimedJob> {
  const { name, seeds, settings, fresh } = wanted
  await using _folder = await workspace.waitForLock('folder', FOLDER_PATIENCE_MS)
  const called = name ?? nameOf(seeds)
  const last = fresh ? null : await jobs.findByName(called, 'cli')
  if (last !== null) await refuseOther(workspace, last, settings)
  const made = { name: called, origin: 'cli', seeds, settings, topic: null } as const
  const job = last ?? (await jobs.create(made))
  const lock = await lockCrawl(workspace, job.id)
  // A process that later finds this status without the lock knows that the run was interrupted.
  if (last === null) await jobs.setStatus(job.id, 'running')
  return claimedBy(lock, { job, last })
}

/** If nothing is stored yet, there is nothing to mix up. */
async function refuseOther(
  workspace: Workspace,
  last: JobRecord,
  settings: CrawlSettings,
): Promise<void> {
  const differs = differencesOf(last.settings, settings)
  if (differs.length === 0) return
  await using pages = await workspace.pageReader()
  const { stored, duplicates } = await pages.totals(last.id)
  if (stored + duplicates > 0) throw otherOptions(last, differs)
}

function claimedBy(lock: WorkspaceLock, claimed: Pick<ClaimedJob, 'job' | 'last'>): ClaimedJob {
  const lost = lock.lost === undefined ? {} : { lost: lock.lost }
  return { ...claimed, ...lost, [Symbol.asyncDispose]: () => lock[Symbol.asyncDispose]() }
}

/** Throws `store-busy` if that crawl is running. */
export async function lockCrawl(workspace: Workspace, crawlId: number): Promise<WorkspaceLock> {
  try {
    return await workspace.waitForLock(`crawl-${crawlId}`, LOOK_MS)
  } catch (cause) {
    if (!(cause instanceof CrawlerError) || cause.code !== 'store-busy') throw cause
    const holder = await workspace.holderOf(`crawl-${crawlId}`)
    const who = holder === null ? '' : ` (${holder})`
    const running = `crawl ${crawlId} is already running in ${workspace.shown}${who}`
    const message = `${running}. Wait for it, stop it, or give this one another --name.`
    throw new CrawlerError('store-busy', message, { cause })
  }
}

type Compared = Exclude<OptionKey, 'contact'>

/**
 * `--scope domain → any` for each of these options that differs. The same seeds continue a crawl only with
 * the same options: the results of two different requests cannot be told apart afterwards. Options that say
 * how a crawl is run (speed, network, limits and budgets) may differ from run to run; options that say what
 * it is about and what is kept may not (`mayChange` of the table of options). A lower `--min-relevance` or
 * `--min-terms`, or another `--language`, is allowed: pages refused for it are fetched again.
 */
export function differencesOf(before: CrawlSettings, now: CrawlSettings): readonly string[] {
  return OPTION_KEYS.flatMap((key) => (key === 'contact' ? [] : [key]))
    .filter((key) => !TABLE[key].mayChange.includes('resume'))
    .filter((key) => meaning(comparedValue(key, before)) !== meaning(comparedValue(key, now)))
    .map((key) => `${flagOf(key)}  ${given(key, before)} → ${given(key, now)}`)
}

/** `differs`: not empty. */
function otherOptions({ id }: JobRecord, differs: readonly string[]): InvalidInput {
  const message = [
    `crawl ${id} began with other options:`,
    ...differs.map((line) => `  ${line}`),
    'Give the same options to go on with it, --fresh to start again, or --name NAME to have both.',
  ]
  return new InvalidInput(`crawl ${id}`, message.join('\n').replace(`crawl ${id} `, 'it '))
}

/** The order of a list never matters among these options. */
function meaning(value: unknown): string {
  if (Array.isArray(value)) return JSON.stringify([...new Set(value)].sort())
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  return JSON.stringify(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
}

/** The names of plug-ins. One that was edited is reported when the crawl continues. */
function comparedValue(key: Compared, settings: CrawlSettings): unknown {
  if (key === 'fields') return shownRules(settings.fields)
  return key === 'plugins' ? settings.plugins.map(({ name }) => name) : settings[key]
}

/** A flag that is on by default is written as `--no-…`. */
function flagOf(key: Compared): string {
  const { name, on = false } = TABLE[key]
  return on ? `--no-${name}` : `--${name}`
}

function given(key: Compared, settings: CrawlSettings): string {
  return shown(TABLE[key].on === true ? !settings[key] : comparedValue(key, settings))
}

function shown(value: unknown): string {
  if (value === null || value === '') return '(none)'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (Array.isArray(value)) return value.length === 0 ? '(none)' : value.join(',')
  if (typeof value !== 'object') return String(value)
  const pairs = Object.entries(value).map(([name, one]) => `${name}=${one}`)
  return pairs.length === 0 ? '(none)' : pairs.join(',')
}
