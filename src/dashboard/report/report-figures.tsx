// The pictures of a report, in the order they are read: which ordering is best, how each measure went along
// the crawl, the same over time, and topic by topic.
import type { VNode } from 'preact'
import type { Chart, Curve, ReportData, TopicChart } from '../../simulate/report/report-data.ts'
import { formatDecimal } from '../format.ts'
import { t } from '../i18n/i18n.ts'
import { BarChart } from './bar-chart.tsx'
import { type Line, LineChart } from './line-chart.tsx'
import { lookOf } from './palette.ts'
import { leadName, shortName, showTick } from './report-words.tsx'
import { SmallMultiples } from './small-multiples.tsx'

/** A picture or a table with its title and what its caption says. */
export type Exhibit = { readonly title: string; readonly what: string; readonly shown: VNode }

/** The first so many are drawn stronger in small pictures. */
const STRONG_IN_SMALL = 3

export function figuresOf(report: ReportData): readonly Exhibit[] {
  return [
    leadFigure(report),
    ...report.charts.map((chart) => measureFigure(report, chart)),
    ...report.hourCharts.map((chart) => hourFigure(report, chart)),
    ...report.topicCharts.map((chart) => topicFigure(report, chart)),
  ]
}

function leadFigure(report: ReportData): Exhibit {
  const axis = leadName(report)
  const title = t('report.leadTitle', { lead: axis })
  const bars = report.lead.bars.map(({ mean, deviation, topics }, place) => ({
    name: shortName(report.orderings[place]?.name ?? ''),
    look: lookOf(place),
    strong: place === 0,
    mean,
    value: `${formatDecimal(mean, 1)}${deviation === null ? '' : ` ± ${formatDecimal(deviation, 1)}`}`,
    topics,
  }))
  const about = report.lead.key === 'nauc20' ? ` ${t('report.naucWhat')}` : ''
  const shown = wide(
    <BarChart id="lead" title={title} axis={axis} bars={bars} showTick={showTick} />,
  )
  return { title, what: `${t('report.leadWhat')}${about}`, shown }
}

function measureFigure(report: ReportData, chart: Chart): Exhibit {
  const { key, references } = chart
  const title = t(`report.${key}.title`)
  const marks =
    references === null
      ? []
      : [
          markLine(t('report.ideal'), references.ideal, chart),
          markLine(t('report.random'), references.random, chart),
        ]
  const lines = [...orderingLines(report, chart, 1), ...marks]
  const note = references === null ? '' : ` ${t('report.referencesNote')}`
  const axes = { xTitle: t('report.axisShare'), yTitle: t(`report.${key}.axis`) }
  const shown = wide(
    <LineChart {...chart} {...axes} id={key} title={title} lines={lines} showTick={showTick} />,
  )
  return { title, what: `${t(`report.${key}.what`)}${note}`, shown }
}

function hourFigure(report: ReportData, chart: Chart): Exhibit {
  const { key } = chart
  const title = t('report.overHours', { title: t(`report.${key}.title`) })
  const lines = orderingLines(report, chart, 1)
  const axes = { xTitle: t('report.axisHours'), yTitle: t(`report.${key}.axis`) }
  const id = `${key}-hours`
  const shown = wide(
    <LineChart {...chart} {...axes} id={id} title={title} lines={lines} showTick={showTick} />,
  )
  return { title, what: `${t(`report.${key}.what`)} ${t('report.overHoursNote')}`, shown }
}

function topicFigure(report: ReportData, chart: TopicChart): Exhibit {
  const { key, xMax, yMax } = chart
  const title = t('report.byTopic', { title: t(`report.${key}.title`) })
  const panels = chart.panels.map(({ topic, relevant, curves }) => ({
    name: topic,
    note: t('report.relevantPages', { n: relevant }),
    lines: orderingLines(report, { key, curves }, STRONG_IN_SMALL),
  }))
  const axes = t('report.axes', { y: t(`report.${key}.axis`), x: t('report.axisShare') })
  const shared = { id: `${key}-topics`, xMax, yMax, showTick }
  return {
    title,
    what: `${t(`report.${key}.what`)} ${t('report.byTopicWhat')} ${axes}`,
    shown: (
      <>
        <Legend orderings={report.orderings} />
        <SmallMultiples {...shared} panels={panels} />
      </>
    ),
  }
}

function orderingLines(
  { orderings }: ReportData,
  { key, curves }: Pick<Chart, 'key' | 'curves'>,
  strong: number,
): Line[] {
  return curves.map((curve, place) => ({
    ...{ curve, look: lookOf(place), strong: place < strong, value: endText(key, curve) },
    name: shortName(orderings[place]?.name ?? ''),
  }))
}

function markLine(name: string, curve: Curve, { key }: Chart): Line {
  return { name, curve, look: null, strong: false, value: endText(key, curve) }
}

function endText(key: Chart['key'], { end }: Curve): string {
  return formatDecimal(end, key === 'jain' ? 2 : 1)
}

function Legend({ orderings }: Pick<ReportData, 'orderings'>) {
  return (
    <ul class="legend" aria-label={t('report.legend')}>
      {orderings.map(({ name, hostPolicy }, place) => {
        const { colour, dash } = lookOf(place)
        return (
          <li key={name}>
            <svg viewBox="0 0 30 10" aria-hidden="true">
              <path class={colour} stroke-dasharray={dash} d="M0 5H30" />
            </svg>
            <span class={place === 0 ? 'strong' : undefined}>{shortName(name)}</span>
            {!name.endsWith(hostPolicy) && <small>{hostPolicy}</small>}
          </li>
        )
      })}
    </ul>
  )
}

/** On a narrow screen it is moved sideways, since its letters would be too small. */
function wide(picture: VNode): VNode {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what is moved sideways needs the keyboard, too
    <div class="scroll" tabIndex={0}>
      <div class="wide">{picture}</div>
    </div>
  )
}
