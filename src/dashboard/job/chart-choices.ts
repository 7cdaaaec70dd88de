// What the chart of a job can show, and how each is written.
import { formatBytes, formatCount, formatRate, formatShare } from '../format.ts'
import type { MessageKey } from '../i18n/i18n.ts'
import type { Measure, Sample } from '../state/curve.ts'

const CHARTS = ['pages', 'rate', 'queue', 'harvest', 'memory', 'cpu'] as const
export type ChartName = (typeof CHARTS)[number]

type Series = {
  readonly measure: Measure
  readonly label: MessageKey
  /** A custom property of the theme. */
  readonly colour: string
  /** Lines also differ by their dashes, for those who do not see the colours. */
  readonly dash: readonly number[]
}

export type Chart = {
  readonly series: readonly Series[]
  readonly format: (value: number) => string
  /** Counts have no marks between two whole numbers. */
  readonly whole?: boolean
}

const series = (measure: Measure, label: MessageKey, at: 1 | 2 | 3): Series => ({
  measure,
  label,
  colour: `--chart-${at}`,
  dash: at === 1 ? [] : at === 2 ? [6, 3] : [2, 3],
})

export const CHART_OF: Readonly<Record<ChartName, Chart>> = {
  pages: {
    series: [
      series('stored', 'chart.stored', 1),
      series('refused', 'chart.refused', 2),
      series('failed', 'chart.failed', 3),
    ],
    format: formatCount,
    whole: true,
  },
  rate: { series: [series('pages_per_second', 'chart.pagesPerSecond', 1)], format: formatRate },
  // Beside the pages they would dwarf them: most links of most sites lead elsewhere.
  queue: {
    series: [series('queued', 'chart.queued', 1), series('outside', 'chart.outside', 2)],
    format: formatCount,
    whole: true,
  },
  harvest: {
    series: [series('recent_harvest_rate', 'chart.recentHarvest', 1)],
    format: formatShare,
  },
  memory: {
    series: [
      series('scouter_rss_bytes', 'chart.scouter', 1),
      series('parser_rss_bytes', 'chart.parser', 2),
    ],
    format: formatBytes,
  },
  cpu: { series: [series('cpu', 'chart.cpuCores', 1)], format: formatRate },
}

/** Harvest is only offered where something was judged. */
export function chartsFor(curve: readonly Sample[]): readonly ChartName[] {
  const judged = curve.some((sample) => sample.recent_harvest_rate !== null)
  return CHARTS.filter((name) => name !== 'harvest' || judged)
}

/** At most `most` samples, evenly over the curve, with its first and last. */
export function spread(curve: readonly Sample[], most: number): readonly Sample[] {
  if (curve.length <= most) return curve
  const step = (curve.length - 1) / (most - 1)
  return Array.from({ length: most }, (_, at) => curve[Math.round(at * step)]).filter(
    (sample) => sample !== undefined,
  )
}
