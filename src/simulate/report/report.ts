// A comparison of orderings as one self-contained HTML file. The dashboard's own code draws it from the
// numbers that are collected here. They include no date and no machine, so equal input gives equal bytes.
import type { Language } from '../../core/reader-languages.ts'
import { VERSION } from '../../core/version.ts'
import { savedPage } from '../../lib/built-pages.ts'
import { safeText } from '../../lib/terminal.ts'
import { duel } from '../comparison.ts'
import { read } from '../reading.ts'
import type { RunFacts } from '../summary.ts'
import { type Summary, topicSpread, topicsFor } from '../summary.ts'
import { rounded } from '../to-json.ts'
import { hourChart, meanChart, topicChart, wasMeasured } from './charts.ts'
import { CHART_KEYS, type ChartKey, type Lead, type ReportData } from './report-data.ts'
import { tablesOf } from './tables.ts'

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
