// `jelajah explain URL`: tells the story of one URL, put together from the frontier and the store.
import { InvalidInput, shown } from '../core/errors.ts'
import type { HostState } from '../core/host.ts'
import type { JobRecord } from '../core/job.ts'
import type { PageHistory } from '../core/page.ts'
import { topicText } from '../core/topic-text.ts'
import type { UrlRecord } from '../core/visit.ts'
import { reasonCode } from '../core/visit.ts'
import { systemClock } from '../lib/clock.ts'
import { showBytes, showCount, showNumber, showSeconds, showTime } from '../lib/format.ts'
import { safeText } from '../lib/terminal.ts'
import type { ChosenBy } from '../options/option.ts'
import { seedUrl } from '../options/seeds.ts'
import { SEED_SCORE } from '../ordering/ordering.ts'
import type { Explanation, Via } from '../reads/explanation.ts'
import { type Command, readCommand } from './command.ts'
import { CRAWL, JSON_OUTPUT } from './common-options.ts'
import { EXIT, type ExitCode } from './exit-codes.ts'
import type { Output } from './output.ts'
import type { Surroundings } from './sources.ts'
import { WORKSPACE_OPTIONS } from './workspace-options.ts'

const OPTIONS = [...WORKSPACE_OPTIONS, CRAWL, JSON_OUTPUT] as const

export const command: Command = {
  usage: '<url> [options]',
  options: OPTIONS,
  examples: [['explain https://example.com/page', 'in the newest crawl']],
  run: (argv, around, out) => runExplain(parseExplain(argv, around), out),
}

type ExplainOptions = ReturnType<typeof parseExplain>

function parseExplain(argv: readonly string[], around: Surroundings) {
  const read = readCommand<ChosenBy<typeof OPTIONS>>(OPTIONS, argv, around, { words: 1 })
  read.problems.throwIfAny()
  const [written] = read.args.words
  if (written === undefined) throw new InvalidInput('explain', 'give the URL to explain')
  const url = seedUrl(written)
  if (url === null) throw new InvalidInput('explain', `${shown(written)} is not a URL`)
  // Null: the newest crawl.
  return { json: false, crawl: null, ...read.chosen, ...read.workspace, url }
}

export async function runExplain(options: ExplainOptions, out: Output): Promise<ExitCode> {
  const { workspaceOf } = await import('../workspace/open-workspace.ts')
  const { chooseCrawl } = await import('../workspace/find-crawl.ts')
  const { explain, explanationJson, otherCrawlWith } = await import('../reads/explanation.ts')
  const { url, json } = options
  await using workspace = workspaceOf(options)
  const job = await chooseCrawl(workspace, options.crawl)
  const explanation = { ...(await explain(workspace, job, url)), now: systemClock.now() }
  const other = json || explanation.row ? null : await otherCrawlWith(workspace, job, url)
  await out.write(json ? explanationJson(explanation) : explanationText(explanation, other))
  return explanation.row === null ? EXIT.error : EXIT.done
}

/** `other`: a crawl that has the URL where this one does not know it. */
export function explanationText(explanation: Explanation, other: number | null = null): string {
  const { job, url, row } = explanation
  if (row === null) {
    return (
      `${safeText(url)}\n  Crawl ${job.id} has never seen this URL: no seed, no page it fetched ` +
      'and no sitemap it read names it.\n' +
      (other === null ? '' : `  Crawl ${other} has: --crawl ${other}\n`)
    )
  }
  const lines: [string, string][] = [
    ['crawl', `${job.id} (${job.name})`],
    ['state', row.reason === '' ? row.state : `${row.state}: ${row.reason}`],
    ['found', foundText(explanation)],
    ['depth', `${showNumber(row.depth, 'link')} from a seed`],
    ['tries', triesText(row)],
    ...refusalLines(explanation),
    ...waitingLines(explanation),
    ...scoreLines(explanation),
    ...hostLines(explanation),
    ...pageLines(explanation),
    ...historyLines(explanation.history),
    ...topicLines(explanation),
    ...importanceLines(explanation),
  ]
  const body = lines.map(([name, text]) => `  ${name.padEnd(10)}${safeText(text)}\n`)
  return `${safeText(url)}\n${body.join('')}`
}

/** What a rule forbids before anything is sent; the try was only a look at the rule. */
const UNASKED = ['robots', 'robots-unreachable', 'crawl-delay', 'private-address', 'port']

function triesText({ state, reason, tries }: UrlRecord): string {
  const unasked = state === 'refused' && (tries === 0 || UNASKED.includes(reasonCode(reason)))
  return unasked ? 'none: it was refused before any request' : showCount(tries)
}

const FOUND: Readonly<Record<Via, string>> = {
  link: 'on',
  redirect: 'redirected from',
  sitemap: 'listed in',
}

function foundText({ path, via, row }: Explanation): string {
  if (path.length === 0) return row?.depth === 0 ? 'a seed' : 'not recorded where'
  return `${FOUND[via ?? 'link']} ${path.join(', from ')}`
}

function waitingLines({ row, job, ahead, now }: Explanation): [string, string][] {
  if (row === null) return []
  const lines: [string, string][] = []
  if (row.nextAt !== null) {
    const wait = row.nextAt - now
    const when = wait > 0 ? `in ${showSeconds(wait / 1000)}` : 'as soon as the crawl runs'
    lines.push(['next', `${showTime(row.nextAt)}, ${when}`])
  }
  if (ahead !== null) {
    const before = `${showNumber(ahead, 'URL of its host goes', 'URLs of its host go')} before it`
    lines.push([
      'waits',
      `${before} (${job.settings.ordering}, queued with ${showScore(row.priority)})`,
    ])
  }
  return lines
}

const LARGER_HOST_BUDGET = 'its host has used this up; a larger --host-budget would let it in'
const LARGER_DOMAIN_BUDGET =
  'all hosts of its domain together have used this up; a larger --domain-budget would let it in'

/** Refusals that come from what the crawl is after, with what would let the URL in. */
const REFUSED: Readonly<Record<string, (job: JobRecord) => string>> = {
  'budget-requests': () => 'a larger --max-requests would let the crawl go on',
  'budget-host': () => LARGER_HOST_BUDGET,
  'budget-domain': () => LARGER_DOMAIN_BUDGET,
  'forbidden-host': () => 'its host answered 401, 403 or 451 each time; a later run tries again',
  'action-link': () => 'it would do something rather than show it; --follow-actions asks for it',
  'off-topic': () => 'it was fetched and judged; a lower --min-relevance would keep it',
  language: () => 'it was fetched and read; --language with its own would keep it',
  'not-among-best': () => 'it was stored, and dropped for more important pages (--keep-best)',
  'too-short': () => 'it was fetched; a lower --min-terms would keep it',
  plugin: () => 'it was fetched; a plug-in of the crawl left it out',
  'plugin-link': () => 'a plug-in of the crawl follows no link to it',
  focus: ({ settings }) =>
    `only pages off topic link to it, and ${settings.ordering} follows none of those`,
  buffer: ({ settings }) =>
    `it was not among the best ${settings.buffer ?? ''} URLs; a larger --buffer would keep it`,
}

function refusalLines({ row, job }: Explanation): [string, string][] {
  if (row?.state !== 'refused') return []
  // All budgets of a host, and of a domain, have one advice.
  const why = REFUSED[reasonCode(row.reason).replace(/^(budget-(?:host|domain))-.*/, '$1')]
  return why === undefined ? [] : [['why', why(job)]]
}

function scoreLines({ score, job }: Explanation): [string, string][] {
  if (score === null || (score.parts.length === 0 && Object.keys(score.options).length === 0)) {
    return []
  }
  const { parts, options } = score
  const made = parts.map(({ name, value }) => `${name} ${showFigure(value)}`).join(', ')
  const chosen = Object.entries(options).map(([name, value]) => `${name}=${value}`)
  return [
    ['score', `${showScore(score.score)}${made === '' ? '' : `: ${made}`}`],
    ['ordering', [job.settings.ordering, ...chosen].join(' ')],
  ]
}

function showScore(score: number): string {
  if (score === SEED_SCORE) return 'before all that is no seed'
  return score === -SEED_SCORE ? 'after all of which something is known' : showFigure(score)
}

/** As many digits as tell something. */
function showFigure(value: number): string {
  if (value === 0 || Math.abs(value) >= 1e6) return String(value)
  return String(Number(value.toPrecision(3)))
}

function topicLines({ page, job }: Explanation): [string, string][] {
  if (page === null || page.relevance === null) return []
  const hot = page.hot ? 'hot' : 'not hot'
  return [['topic', `relevance ${page.relevance}, ${hot} ("${topicText(job.settings)}")`]]
}

function importanceLines({ importance: known }: Explanation): [string, string][] {
  if (known === null) return []
  const { importance, similarity, backlinks, pagerank, location } = known
  const parts = [
    ...(similarity === null ? [] : [`similarity ${showFigure(similarity)}`]),
    showNumber(backlinks, 'backlink'),
    `PageRank ${showFigure(pagerank)}`,
    `location ${showFigure(location)}`,
  ]
  return [['important', `${showFigure(importance)} of 1: ${parts.join(', ')}`]]
}

function hostLines({ host, now }: Explanation): [string, string][] {
  if (host === null) return []
  const rest = host.restsUntil - now
  const state = [
    `${showCount(host.stored)} stored`,
    `${showCount(host.queued)} queued`,
    `a request every ${host.delayMs} ms`,
    ...(rest > 0 ? [`rests for ${showSeconds(rest / 1000)}`] : []),
    ...(host.failures > 0 ? [failuresText(host)] : []),
  ]
  return [['host', `${host.host}: ${state.join(', ')}`]]
}

function failuresText({ failures, trouble }: HostState): string {
  const last = failures === 1 ? `: ${trouble}` : ` in a row, the last ${trouble}`
  return showNumber(failures, 'failure') + (trouble === '' ? '' : last)
}

function pageLines({ page }: Explanation): [string, string][] {
  if (page === null) return []
  const same = page.duplicateOf === null ? '' : `, same content as page ${page.duplicateOf}`
  const size = showBytes(page.sizeBytes)
  return [
    ['page', `${page.id}: "${page.title}", ${size}, ${page.language || 'no language'}${same}`],
    ['fetched', `${showTime(page.fetchedAt)}, took ${page.fetchMs} ms`],
  ]
}

function historyLines({ looks, gone }: PageHistory): [string, string][] {
  return [
    ...(looks === null ? [] : [['looked', looksText(looks)] as [string, string]]),
    ...(gone === null ? [] : [['gone', goneText(gone)] as [string, string]]),
  ]
}

function looksText({ checks, changes, checkedAt, round, dueAt }: Looks): string {
  const times = `${showNumber(checks, 'time')} again, the last ${showTime(checkedAt)} in round ${round}`
  const changed = changes === 0 ? 'never changed' : `changed ${showNumber(changes, 'time')}`
  return `${times}; ${changed}; due from ${showTime(dueAt)}`
}

function goneText({ at, round, reason, pageId }: Gone): string {
  return `${showTime(at)} in round ${round}: ${reason}; until then it was page ${pageId}`
}

type Looks = NonNullable<PageHistory['looks']>
type Gone = NonNullable<PageHistory['gone']>
