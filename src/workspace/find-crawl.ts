// Shared by the reading commands: the workspace, and the crawl they are about.
import { existsSync, readdirSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { CrawlerError, InvalidInput } from '../core/errors.ts'
import type { Job, JobRecord } from '../core/job.ts'
import { DEFAULT_DATA } from '../core/workspace-url.ts'
import type { UrlStates } from '../frontier/url-states.ts'
import { safeText } from '../lib/terminal.ts'
import type { JobReader } from '../store/job-store.ts'
import { storePath } from './folder/paths.ts'
import type { Workspace } from './workspace.ts'

/** The crawl of that number or name, the newest if none is given; InvalidInput if it does not exist. */
export async function chooseCrawl(workspace: Workspace, crawl: string | null): Promise<JobRecord> {
  await using jobs = await workspace.jobReader()
  if (jobs === null) throw nothingIn(workspace)
  const job = crawl === null ? await newest(jobs) : await find(jobs, crawl)
  if (job) return job
  if (crawl === null) throw nothingIn(workspace)
  throw new InvalidInput('--crawl', `there is no crawl "${crawl}"; 'jelajah crawls' lists them`)
}

/** Only for a crawl that has reached its first URL: whatever kept its frontier has lost it if it is not there. */
export async function openUrlStates(workspace: Workspace, job: Job): Promise<UrlStates> {
  const urlStates = await workspace.urlStates(job)
  if (urlStates !== null) return urlStates
  const hint = "'jelajah doctor --rebuild-frontier' makes it again; or use --fresh."
  const message = `the frontier of crawl ${job.id} is lost in ${workspace.shown}. ${hint}`
  throw new CrawlerError('store-damaged', message)
}

/** With its topic, which a list leaves out. */
async function newest(jobs: JobReader): Promise<JobRecord | null> {
  const [job] = await jobs.list({ limit: 1 })
  return job === undefined ? null : jobs.get(job.id)
}

/** A name may be a number; but 3 usually means crawl 3, and crawl_3 is how a server names it. */
async function find(jobs: JobReader, crawl: string): Promise<JobRecord | null> {
  const digits = /^(?:crawl_)?(\d{1,15})$/.exec(crawl)?.[1]
  const byId = digits === undefined ? null : await jobs.get(Number(digits))
  return byId ?? jobs.findByName(crawl)
}

function nothingIn(workspace: Workspace): InvalidInput {
  return new InvalidInput('--data', noCrawlError(workspace))
}

/** The error for a workspace without a crawl; it also names one in a folder below. */
export function noCrawlError(workspace: Workspace): string {
  const { folder, shown } = workspace
  const isNamed = folder !== null && folder !== resolve(DEFAULT_DATA)
  const below = folder === null ? null : workspaceBelow(folder)
  const hint =
    below === null
      ? `'jelajah crawl <seed>${isNamed ? ` --data ${shortest(folder)}` : ''}' makes one`
      : `did you mean --data ${shortest(below)}?`
  const isMissing = isNamed && !existsSync(folder)
  const what = isMissing ? `there is no folder ${shown}` : `there is no crawl in ${shown} yet`
  return safeText(`${what}; ${hint}`)
}

/** The first subfolder that has crawls, such as that of the demo. */
function workspaceBelow(folder: string): string | null {
  const folders = namesIn(folder).map((name) => join(folder, name))
  return folders.find((each) => existsSync(storePath(each))) ?? null
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort()
  } catch {
    return []
  }
}

/** As it would be typed here. */
function shortest(path: string): string {
  const fromHere = relative('', path)
  return fromHere.startsWith('..') ? path : fromHere
}
