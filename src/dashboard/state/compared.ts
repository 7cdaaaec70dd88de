// The curves of several crawls as one figure, each from its own start.
import type { ReportFigure } from '../../experiment/report-data.ts'
import type { JobHistory } from '../../reads/shapes/job.ts'
import { t } from '../i18n/i18n.ts'
import { samplesOf } from './curve.ts'

export const COMPARED = ['stored', 'pages_per_second', 'recent_harvest_rate', 'cpu'] as const
export type Compared = (typeof COMPARED)[number]

type Named = { readonly name: string; readonly history: JobHistory }

const PERCENT = 100

export function comparedFigure(crawls: readonly Named[], measure: Compared): ReportFigure {
  const factor = measure === 'recent_harvest_rate' ? PERCENT : 1
  const lines = crawls.flatMap(({ name, history }) => {
    const samples = samplesOf(history)
    const start = samples[0]?.at ?? 0
    const points = samples.flatMap((sample): [number, number][] => {
      const value = sample[measure]
      return value === null ? [] : [[(sample.at - start) / 1000, value * factor]]
    })
    if (points.length === 0) return []
    return [{ name, points: points.flat(), band: [], end: points.at(-1)?.[1] ?? null }]
  })
  const all = lines.flatMap(({ points }) => points)
  return {
    ...{ name: 'compared', title: t('compare.title'), bars: [], lines: distinct(lines) },
    xTitle: t('compare.seconds'),
    yTitle: t(`compare.${measure}`),
    xMax: Math.max(0, ...all.filter((_, at) => at % 2 === 0)),
    yMax: Math.max(0, ...all.filter((_, at) => at % 2 === 1)),
    digits: measure === 'stored' ? 0 : 1,
  }
}

/** Two crawls may have the same name and ordering. */
function distinct<L extends { readonly name: string }>(lines: readonly L[]): L[] {
  return lines.map((line, at) => {
    const isTwice = lines.some((other, nth) => nth !== at && other.name === line.name)
    return isTwice ? { ...line, name: `${at + 1}. ${line.name}` } : line
  })
}
