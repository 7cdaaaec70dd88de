// A comparison of orderings as one self-contained HTML file. The dashboard's own code draws it from the
// numbers that are collected here. They include no date and no machine, so equal input gives equal bytes.
import type { Language } from '../../core/languages.ts'
import { VERSION } from '../../core/version.ts'
import { savedPage } from '../../lib/built-pages.ts'
import { safeText } from '../../lib/terminal.ts'
import { duel } from '../comparison.ts'
import { measureOf, type Reading, read } from '../reading.ts'
import { CHECKPOINTS } from '../replay-result.ts'
import { type RunFacts, type Summary, topicSpread, topicsFor } from '../summary.ts'
import { rounded } from '../to-json.ts'
import { hourChart, meanChart, topicChart, wasMeasured } from './charts.ts'
import {
  CHART_KEYS,
  type ChartKey,
  type Lead,
  type ReportData,
  type Table,
  type TableColumn,
  type TableGroup,
  type TableKind,
} from './report-data.ts'

export type ReportOptions = RunFacts & { readonly language: Language }

const OVER_HOURS: readonly ChartKey[] = ['harvest', 'recall', 'pagerankSum']
const PER_TOPIC: readonly ChartKey[] = ['harvest', 'ofIdeal']

/** Null if the dashboard is not built. */
export function drawReport(summary: Summary, options: ReportOptions): string | null {
  return savedPage('report', reportData(summary, options))
}

export function reportData(summary: Summary, options: ReportOptions): ReportData {
  const { language, command, delayMs, judgedBy } = options
  const { hosts, sites } = summary.web
  const reach = summary.topics.map(({ reachable }) => reachable)
  const shown = CHART_KEYS.filter((key) => wasMeasured(summary, key))
  return {
    ...{ language, delayMs, judgedBy, version: VERSION, command: safeText(command) },
    web: { name: safeText(options.web), hosts, sites },
    reachable: [Math.min(...reach), Math.max(...reach)],
    topics: summary.topics.map(({ topic }) => safeText(topic)),
    seeds: summary.seeds,
    budget: summary.grid.at(-1) ?? 0,
    orderings: summary.contenders.map(({ name, hostPolicy }) => ({
      name: safeText(name),
      hostPolicy: safeText(hostPolicy),
    })),
    lead: leadOf(summary),
    charts: shown.map((key) => meanChart(summary, key)),
    hourCharts: shown
      .filter((key) => OVER_HOURS.includes(key))
      .flatMap((key) => hourChart(summary, key) ?? []),
    topicCharts: shown
      .filter((key) => PER_TOPIC.includes(key))
      .map((key) => topicChart(summary, key)),
    tables: tablesOf(summary),
    wins: winsOf(summary),
  }
}

function leadOf(summary: Summary): Lead {
  const { lead, grid, contenders } = summary
  const topics = topicsFor(summary.topics, lead)
  const [best, second] = contenders
  const isDuel = best !== undefined && second !== undefined && topics.length > 1
  const { wins, topics: both, difference } = isDuel ? duel(summary, best, second, lead) : NO_DUEL
  return {
    key: lead.key === 'nauc20' || lead.key === 'recall' ? lead.key : 'pagerankSum',
    share: lead.share ?? null,
    topics: topics.length,
    bars: contenders.map((contender) => {
      const { deviation, count } = topicSpread(summary, contender, lead)
      return {
        mean: rounded(read(contender.mean, lead, grid)),
        deviation: count > 1 ? rounded(deviation) : null,
        topics: topics.flatMap(({ topic }) => {
          const figures = contender.byTopic.get(topic)
          if (figures === undefined) return []
          return [{ name: safeText(topic), value: rounded(read(figures, lead, grid)) }]
        }),
      }
    }),
    duel: isDuel ? { wins, topics: both, difference: rounded(difference) } : null,
  }
}

const NO_DUEL = { wins: 0, topics: 0, difference: 0 }

function winsOf(summary: Summary): ReportData['wins'] {
  const { contenders, lead, topics } = summary
  if (contenders.length < 2 || topicsFor(topics, lead).length < 2) return null
  return contenders.map((row) => contenders.map((column) => duel(summary, row, column, lead).wins))
}

type Column = Pick<TableColumn, 'share' | 'digits'> & { readonly reading: Reading }
type Group = Pick<TableGroup, 'key'> & { readonly columns: readonly Column[] }
type CurveName = Extract<Reading, { share: number }>['key']

const KINDS: readonly TableKind[] = ['relevance', 'importance', 'spread']

/** The exact figures behind the charts of a report, as the tables that have a measured value. */
function tablesOf(summary: Summary): Table[] {
  const isFocused = summary.topics.some(({ relevant }) => relevant > 0)
  return KINDS.filter((kind) => kind !== 'relevance' || isFocused)
    .map((kind) => ({ kind, groups: groupsOf(summary, kind).flatMap(measuredIn(summary)) }))
    .filter(({ groups }) => groups.length > 0)
}

function measuredIn(summary: Summary): (group: Group) => TableGroup[] {
  return ({ key, columns }) => {
    const measured = columns
      .map((column) => columnOf(summary, column))
      .filter(({ best }) => best !== null)
    return measured.length === 0 ? [] : [{ key, columns: measured }]
  }
}

function columnOf(summary: Summary, { reading, share, digits }: Column): TableColumn {
  const { contenders, grid } = summary
  const values = contenders.map(({ mean }) => read(mean, reading, grid))
  const known = values.filter((value) => Number.isFinite(value))
  const best = measureOf(reading).better === 'higher' ? Math.max(...known) : Math.min(...known)
  const spreads = contenders.map((contender) => topicSpread(summary, contender, reading))
  return {
    ...{ share, digits, values: values.map(rounded), best: rounded(best) },
    deviations:
      reading.key === 'nauc20'
        ? spreads.map(({ deviation, count }) => (count > 1 ? rounded(deviation) : null))
        : null,
  }
}

function groupsOf({ grid }: Summary, kind: TableKind): Group[] {
  const at = (key: CurveName & TableGroup['key'], digits = 1): Group => ({
    key,
    columns: CHECKPOINTS.filter((share) => grid.includes(share)).map((share) => ({
      ...{ share, digits, reading: { key, share } },
    })),
  })
  if (kind === 'relevance') {
    const nauc = { share: null, digits: 1, reading: { key: 'nauc20' } } as const
    return [
      { key: 'nauc20', columns: [nauc] },
      ...[at('harvest'), at('recall'), at('relevantHosts')],
    ]
  }
  if (kind === 'spread') return [at('jain', 3), at('gini', 3), at('entropy', 3)]
  const buffered: readonly Column[] = [
    { share: 0.05, digits: 1, reading: { key: 'bc5Pagerank' } },
    { share: 0.1, digits: 1, reading: { key: 'bc10Pagerank' } },
  ]
  return [
    ...[at('pagerankSum'), at('csPagerank'), at('stPagerank')],
    { key: 'bcPagerank', columns: buffered },
  ]
}
