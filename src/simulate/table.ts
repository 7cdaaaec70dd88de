// The comparison as a terminal table: one row per contender, the best first, at most 100 columns; on request
// also topic by topic.
import { cells, fit, safeText } from '../lib/terminal.ts'
import { duel } from './comparison.ts'
import type { Contender } from './contenders.ts'
import { type CurveKey, meanOf } from './measures.ts'
import { measureOf, type Reading, read } from './reading.ts'
import { CHECKPOINTS } from './replay-result.ts'
import { type JudgedBy, type Summary, topicSpread, topicsFor } from './summary.ts'
import type { TopicFacts } from './yardstick.ts'

const WIDTH = 100
const GAP = '  '
const NAME_CELLS = 22
const TOPIC_CELLS = { least: 7, most: 14 }

type Column = {
  /** The measure, and below it the percentage of pages it was read at. */
  readonly title: string
  readonly under: string
  readonly cell: (contender: Contender) => string
}

type TableOptions = {
  /** Also shows the deciding figure for each topic. */
  readonly verbose?: boolean
  /** The source of the relevance judgements, named below the table. */
  readonly judgedBy?: JudgedBy
}

export function printTable(summary: Summary, options: TableOptions = {}): string {
  const { verbose = false, judgedBy = 'nobody' } = options
  const main = block(summary, columnsOf(summary))
  const parts = [
    main,
    byWeb(summary),
    notes(summary, judgedBy),
    wins(summary),
    ...(verbose ? perTopic(summary) : []),
  ]
  return parts.filter((part) => part !== '').join('\n')
}

function columnsOf(summary: Summary): Column[] {
  const last = CHECKPOINTS.findLast((share) => summary.grid.includes(share))
  const share = last ?? summary.grid.at(-1) ?? 1
  const after = `@${percentOf(share)}%`
  const at = (title: string, key: CurveKey) =>
    column(summary, { title, under: after }, { key, share })
  const columns = [
    harvestColumn(summary),
    at('recall', 'recall'),
    leadColumn(summary),
    at('hosts', 'relevantHosts'),
    at('PR', 'pagerankSum'),
    at('P_CS', 'csPagerank'),
    at('P_ST', 'stPagerank'),
    column(summary, { title: 'P_BC', under: '@10%' }, { key: 'bc10Pagerank' }),
    at('Jain', 'jain'),
  ]
  return columns.flatMap((found) => found ?? [])
}

/** Null if no contender has the figure. */
function column(
  summary: Summary,
  head: { readonly title: string; readonly under: string },
  reading: Reading,
): Column | null {
  const value = ({ mean }: Contender) => read(mean, reading, summary.grid)
  if (summary.contenders.every((contender) => Number.isNaN(value(contender)))) return null
  return { ...head, cell: (contender) => show(value(contender), digitsOf(reading)) }
}

function harvestColumn(summary: Summary): Column | null {
  const shares = CHECKPOINTS.filter((share) => summary.grid.includes(share))
  const values = ({ mean }: Contender) =>
    shares.map((share) => read(mean, { key: 'harvest', share }, summary.grid))
  const nothing = summary.contenders.every((one) => values(one).every(Number.isNaN))
  if (nothing) return null
  return {
    title: 'harvest',
    under: `@${shares.map(percentOf).join('/')}%`,
    cell: (contender) =>
      values(contender)
        .map((value) => show(value, 0))
        .join('/'),
  }
}

/** The spread is over topics. */
function leadColumn(summary: Summary): Column | null {
  if (summary.lead.key !== 'nauc20') return null
  return {
    title: 'nAUC20',
    under: topicsFor(summary.topics, summary.lead).length > 1 ? '±sd' : '',
    cell: (contender) => {
      const { mean, deviation, count } = topicSpread(summary, contender, summary.lead)
      return count > 1 ? `${show(mean, 1)} ±${show(deviation, 1).padStart(4)}` : show(mean, 1)
    },
  }
}

function notes(summary: Summary, judgedBy: JudgedBy): string {
  const { topics, seeds, grid, web } = summary
  const reach = topics.map(({ reachable }) => reachable)
  const [least, most] = [Math.min(...reach), Math.max(...reach)]
  const pages = least === most ? `${most}` : `${least} to ${most}`
  const budget = `${show(100 * (grid.at(-1) ?? 0), 1).replace(/\.0$/, '')} %`
  return wrap(
    `Mean of ${counted(topics.length, 'topic')} and ${counted(seeds.length, 'random seed')}; ` +
      `${budget} of ${pages} reachable pages on ${counted(web.hosts, 'host')}. ` +
      'In per cent but for hosts and Jain, measured after so many per cent of the pages; ' +
      'docs/ORDERINGS.md says what each column is.' +
      (isCutShort(summary) ? ' P_BC is measured at the end of a crawl: --budget 100%.' : '') +
      JUDGES[judgedBy],
  )
}

const JUDGES: Readonly<Record<JudgedBy, string>> = {
  truth: ' Judged by the known truth; example pages are not counted for relevance.',
  crawl:
    ' Relevant is what the crawl itself called hot when it was made; no people were asked. Example pages are not counted.',
  topic:
    ' Self-judged: relevant is what the topic itself calls hot, so focused orderings are graded by their own guide. Example pages are not counted.',
  nobody: '',
}

/** A limited buffer needs finished crawls, and some were cut short. */
function isCutShort({ contenders, grid }: Summary): boolean {
  return contenders.some(({ mean }) => Number.isNaN(read(mean, { key: 'bc10Pagerank' }, grid)))
}

function wins(summary: Summary): string {
  const [best, ...others] = summary.contenders
  const topics = topicsFor(summary.topics, summary.lead).length
  if (best === undefined || others.length === 0 || topics < 2) return ''
  const duels = others.map((other) => ({ other, ...duel(summary, best, other, summary.lead) }))
  const clear = duels.filter(({ wins: won, topics: of }) => won === of)
  const each = duels
    .filter((one) => !clear.includes(one))
    .map(({ other, wins: won, topics: of }) => `${nameOf(other)} on ${won} of ${of} topics`)
  const rest = clear.map(({ other }) => nameOf(other)).join(', ')
  const all = rest === '' ? [] : [`${rest} on every topic`]
  return wrap(`${nameOf(best)} beats ${[...each, ...all].join('; ')}.`)
}

/** The deciding figure on each web, if there are several. */
function byWeb(summary: Summary): string {
  const topics = topicsFor(summary.topics, summary.lead)
  const webs = Map.groupBy(topics, ({ web }) => web)
  if (webs.size < 2) return ''
  const { lead, grid } = summary
  const columns = [...webs].map(([web, own]) => ({
    title: fit(safeText(web), TOPIC_CELLS.most),
    under: '',
    cell: ({ byTopic }: Contender) => {
      const figures = own.flatMap(({ topic }) => byTopic.get(topic) ?? [])
      return show(meanOf(figures.map((one) => read(one, lead, grid))), digitsOf(lead))
    },
  }))
  return `${leadTitle(summary)}, web by web\n${block(summary, columns)}`
}

function leadTitle({ lead }: Summary): string {
  return lead.key === 'nauc20' ? 'nAUC20' : lead.key
}

function perTopic(summary: Summary): string[] {
  const webs = Map.groupBy(topicsFor(summary.topics, summary.lead), ({ web }) => web)
  return [...webs].flatMap(([web, topics]) => {
    const title = `${leadTitle(summary)}, topic by topic${web === '' ? '' : `: ${web}`}`
    const [first = '', ...rest] = topicBlocks(summary, topics)
    return [`${title}\n${first}`, ...rest]
  })
}

/** As many topics side by side as fit, then the next ones below. */
function topicBlocks(summary: Summary, topics: readonly TopicFacts[]): string[] {
  const names = Math.max(...summary.contenders.map((one) => cells(nameOf(one))), 'ordering'.length)
  const room = Math.floor((WIDTH - names) / Math.max(1, topics.length)) - GAP.length
  const width = Math.min(TOPIC_CELLS.most, Math.max(TOPIC_CELLS.least, room))
  const fitting = Math.floor((WIDTH - names) / (width + GAP.length))
  const columns = topics.map((facts) => topicColumn(summary, facts, width))
  const blocks: string[] = []
  for (let at = 0; at < columns.length; at += fitting) {
    blocks.push(block(summary, columns.slice(at, at + fitting)))
  }
  return blocks
}

function topicColumn(summary: Summary, { topic, web }: TopicFacts, width: number): Column {
  const { lead, grid } = summary
  const name = web === '' ? topic : topic.slice(web.length + 1)
  return {
    title: fit(safeText(name), width),
    under: '',
    cell: ({ byTopic }) => {
      const figures = byTopic.get(topic)
      return show(figures ? read(figures, lead, grid) : Number.NaN, digitsOf(lead))
    },
  }
}

function block({ contenders }: Summary, columns: readonly Column[]): string {
  const under = columns.map((one) => one.under)
  const titles = columns.map(({ title }) => title)
  const lines = [
    ...(under.some((text) => text !== '') ? [['', ...titles]] : []),
    ['ordering', ...(under.some((text) => text !== '') ? under : titles)],
    ...contenders.map((one) => [nameOf(one), ...columns.map(({ cell }) => cell(one))]),
  ]
  const widths = ['', ...columns].map((_, at) =>
    lines.reduce((widest, line) => Math.max(widest, cells(line[at] ?? '')), 0),
  )
  return lines.map((line) => `${joined(line, widths)}\n`).join('')
}

/** Aligns names left, figures right. */
function joined(line: readonly string[], widths: readonly number[]): string {
  const padded = line.map((text, at) => {
    const space = ' '.repeat(Math.max(0, (widths[at] ?? 0) - cells(text)))
    return at === 0 ? text + space : space + text
  })
  return padded.join(GAP).trimEnd()
}

function wrap(text: string): string {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    if (line !== '' && cells(line) + 1 + cells(word) > WIDTH) {
      lines.push(line)
      line = ''
    }
    line = line === '' ? word : `${line} ${word}`
  }
  return `${[...lines, line].join('\n')}\n`
}

function nameOf({ name }: Contender): string {
  return fit(safeText(name), NAME_CELLS)
}

function percentOf(share: number): string {
  return String(Number((100 * share).toFixed(1)))
}

function digitsOf(reading: Reading): number {
  const { unit } = measureOf(reading)
  return unit === 'index' ? 2 : unit === 'count' ? 0 : 1
}

function show(value: number, digits: number): string {
  return Number.isNaN(value) ? '–' : value.toFixed(digits)
}

function counted(count: number, one: string): string {
  return `${count} ${one}${count === 1 ? '' : 's'}`
}
