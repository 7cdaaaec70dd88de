// `jelajah doctor`: checks that everything a crawl needs is there, and says what to do where it is not.
import { CrawlerError } from '../../core/errors.ts'
import type { JobRecord } from '../../core/job.ts'
import { systemClock } from '../../lib/clock.ts'
import { safeText } from '../../lib/terminal.ts'
import { type ChosenBy, flag } from '../../options/option.ts'
import { optionOf } from '../../options/options.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { type Command, readCommand } from '../command.ts'
import { CRAWL, JSON_OUTPUT } from '../common-options.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import type { Output } from '../output.ts'
import type { Surroundings } from '../sources.ts'
import { WORKSPACE_OPTIONS } from '../workspace-options.ts'
import type { Check, Finding } from './checks.ts'

const OPTIONS = [
  ...WORKSPACE_OPTIONS,
  flag({
    name: 'rebuild-frontier',
    help: 'check nothing, but rebuild frontiers that were lost or damaged from what the store knows',
  }),
  {
    ...CRAWL,
    default: 'every crawl that lost its own',
    help: 'with --rebuild-frontier: whose frontier, by number (3 or crawl_3) or name',
  },
  optionOf('contact'),
  JSON_OUTPUT,
] as const

export const command: Command = {
  usage: '[options]',
  options: OPTIONS,
  examples: [
    ['doctor --data ./news', 'also checks the files of that place'],
    ['doctor --rebuild-frontier --data ./news', 'makes a frontier again that was damaged'],
    [
      'doctor --rebuild-frontier --data postgres://db/crawls --frontier redis://cache',
      'makes again what Redis lost of crawls',
    ],
  ],
  run: (argv, around, out) => runDoctor(parseDoctor(argv, around), out),
}

/** A contact of null: none. A crawl of null: every crawl that has lost its frontier. */
const DEFAULTS = { json: false, contact: null, rebuildFrontier: false, crawl: null }

type Parsed = ReturnType<typeof parseDoctor>
type DoctorOptions = Omit<Parsed, 'rebuildFrontier' | 'crawl'> &
  Partial<Pick<Parsed, 'rebuildFrontier' | 'crawl'>>

function parseDoctor(argv: readonly string[], around: Surroundings) {
  const rules = { fileKeys: ['contact'] }
  const read = readCommand<ChosenBy<typeof OPTIONS>>(OPTIONS, argv, around, rules)
  read.problems.throwIfAny()
  return { ...DEFAULTS, ...read.chosen, ...read.workspace }
}

const MARK = { ok: 'ok  ', warn: 'warn', fail: 'FAIL', skip: 'skip' } as const

export async function runDoctor(options: DoctorOptions, out: Output): Promise<ExitCode> {
  const { workspaceOf } = await import('../../workspace/open-workspace.ts')
  const { checksFor } = await import('./checks.ts')
  const findings: Finding[] = []
  await using workspace = workspaceOf(options)
  if (options.rebuildFrontier) return await rebuildFrontiers(workspace, options, out)
  for (const check of checksFor(workspace, options.contact)) {
    const finding = skipped(check, findings) ?? (await examine(check))
    findings.push(finding)
    if (!options.json) await out.write(findingText(finding))
  }
  const healthy = findings.every(({ result }) => result !== 'fail')
  if (options.json) await out.write(`${JSON.stringify({ healthy, checks: findings })}\n`)
  return healthy ? EXIT.done : EXIT.error
}

function skipped({ name, needs }: Check, before: readonly Finding[]): Finding | null {
  const failed = before.find(({ check, result }) => result === 'fail' && needs?.includes(check))
  if (failed === undefined) return null
  return { check: name, result: 'skip', detail: `not looked at: see ${failed.check}`, advice: '' }
}

async function examine({ name, run }: Check): Promise<Finding> {
  try {
    return { check: name, ...(await run()) }
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error)
    return { check: name, result: 'fail', detail, advice: '' }
  }
}

function findingText({ check, result, detail, advice }: Finding): string {
  const line = `${MARK[result]}  ${check.padEnd(12)}${safeText(detail)}\n`
  return advice === '' ? line : `${line}                  ${advice}\n`
}

type RebuildWanted = { readonly crawl?: string | null; readonly json: boolean }

type Rebuilt = {
  readonly crawl: number
  /** `rebuilt`: it was gone. `there`: nothing to do. `running`: it is gone, and somebody has the crawl. */
  readonly result: 'rebuilt' | 'there' | 'running'
  /** URLs it has now; null where it was left alone. */
  readonly urls: number | null
}

/**
 * Rebuilds frontiers that were lost or damaged from what the store knows. Crawls that run are left alone, and
 * so are frontiers that are there.
 */
async function rebuildFrontiers(
  workspace: Workspace,
  { crawl = null, json }: RebuildWanted,
  out: Output,
): Promise<ExitCode> {
  const rebuilt: Rebuilt[] = []
  for (const job of await crawlsOf(workspace, crawl)) {
    const result = await rebuildOne(workspace, job)
    rebuilt.push(result)
    if (!json && (result.result !== 'there' || crawl !== null)) await out.write(textOf(result))
  }
  if (json) await out.write(`${JSON.stringify({ frontiers: rebuilt })}\n`)
  else if (rebuilt.every(({ result }) => result === 'there') && crawl === null) {
    await out.write('no frontier is missing\n')
  }
  return rebuilt.some(({ result }) => result === 'running') ? EXIT.error : EXIT.done
}

async function crawlsOf(workspace: Workspace, crawl: string | null): Promise<readonly JobRecord[]> {
  const { chooseCrawl } = await import('../../workspace/find-crawl.ts')
  if (crawl !== null) return [await chooseCrawl(workspace, crawl)]
  await using jobs = await workspace.jobReader()
  if (jobs === null)
    throw new CrawlerError('store-unreachable', `no crawl is in ${workspace.shown}`)
  const whole: JobRecord[] = []
  // A list leaves topics out, which say how URLs are scored.
  for (const { id } of await jobs.list({})) {
    const job = await jobs.get(id)
    if (job !== null) whole.push(job)
  }
  return whole
}

async function rebuildOne(workspace: Workspace, job: JobRecord): Promise<Rebuilt> {
  const { frontierNeeds } = await import('../../crawl/frontier-needs.ts')
  const { id } = job
  await using lock = await workspace.lock(`crawl-${id}`)
  if (lock === null) {
    const result = (await workspace.hasFrontier(id)) ? 'there' : 'running'
    return { crawl: id, result, urls: null }
  }
  const urls = await workspace.rebuildFrontier(frontierNeeds(job, systemClock))
  return { crawl: id, result: urls === null ? 'there' : 'rebuilt', urls }
}

function textOf({ crawl, result, urls }: Rebuilt): string {
  if (result === 'running') return `crawl ${crawl}: somebody runs it; stop it first\n`
  if (result === 'there') return `crawl ${crawl}: its frontier is there, nothing to do\n`
  return `crawl ${crawl}: its frontier is there again, with ${urls} URLs\n`
}
