// The pictures of a report, in the order they are read: which ordering is best, how each measure went along
// the crawl, the same over time, and topic by topic.
import type { VNode } from 'preact'
import { fit } from '../../lib/terminal.ts'
import type { Chart, Curve, ReportData, TopicChart } from '../../simulate/report/report-data.ts'
import { formatDecimal } from '../format.ts'
import { t } from '../i18n/i18n.ts'
import { BarChart } from './bar-chart.tsx'
import { bothWidths } from './both-widths.tsx'
import { createScale, lookOf } from './chart-parts.ts'
import { CurveLine, type Line, LineChart, short } from './line-chart.tsx'
import { leadName, shortName, showTick } from './report-words.tsx'

/** A picture or a table with its title and what its caption says. */
type Exhibit = { readonly title: string; readonly what: string; readonly shown: VNode }

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
  const shown = bothWidths((width) => (
    <BarChart id="lead" {...{ title, axis, bars, width, showTick }} />
  ))
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
  const shown = bothWidths((width) => (
    <LineChart {...chart} {...axes} id={key} {...{ title, lines, width, showTick }} />
  ))
  return { title, what: `${t(`report.${key}.what`)}${note}`, shown }
}

function hourFigure(report: ReportData, chart: Chart): Exhibit {
  const { key } = chart
  const title = t('report.overHours', { title: t(`report.${key}.title`) })
  const lines = orderingLines(report, chart, 1)
  const axes = { xTitle: t('report.axisHours'), yTitle: t(`report.${key}.axis`) }
  const id = `${key}-hours`
  const shown = bothWidths((width) => (
    <LineChart {...chart} {...axes} id={id} {...{ title, lines, width, showTick }} />
  ))
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

type Panel = {
  readonly name: string
  readonly note: string
  readonly lines: readonly Line[]
}

type Shared = {
  readonly id: string
  readonly xMax: number
  readonly yMax: number
  readonly showTick: (value: number, decimals: number) => string
}

const [WIDTH, HEIGHT] = [224, 178]
const [LEFT, RIGHT, TOP, BOTTOM] = [28, WIDTH - 8, 38, HEIGHT - 22]
const NAME_CELLS = 28

/** The same picture for each topic, small and side by side, on the same axes. */
function SmallMultiples(all: Shared & { readonly panels: readonly Panel[] }) {
  return (
    <div class="multiples">
      {all.panels.map((panel, at) => (
        <SmallChart key={panel.name} {...all} panel={panel} id={`${all.id}-${at + 1}`} />
      ))}
    </div>
  )
}

function SmallChart({ id, xMax, yMax, showTick, panel }: Shared & { readonly panel: Panel }) {
  const x = createScale({ max: xMax, from: LEFT, to: RIGHT, ticks: 4, exact: true })
  const y = createScale({ max: yMax, from: BOTTOM, to: TOP, ticks: 4 })
  return (
    <svg class="small-chart" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-labelledby={id}>
      <title id={id}>{panel.name}</title>
      <text class="panel-name" x={LEFT} y="13">
        {fit(panel.name, NAME_CELLS)}
      </text>
      <text class="panel-note" x={LEFT} y="27">
        {panel.note}
      </text>
      <g class="axes">
        {y.ticks.map((tick) => (
          <g key={tick}>
            <path class="grid" d={`M${LEFT} ${short(y.place(tick))}H${RIGHT}`} />
            <text x={LEFT - 4} y={short(y.place(tick) + 3)} text-anchor="end">
              {showTick(tick, y.decimals)}
            </text>
          </g>
        ))}
        {x.ticks.map((tick) => (
          <text key={tick} x={short(x.place(tick))} y={BOTTOM + 14} text-anchor="middle">
            {showTick(tick, x.decimals)}
          </text>
        ))}
        <path class="base" d={`M${LEFT} ${BOTTOM}H${RIGHT}`} />
      </g>
      <g class="lines thin">
        {panel.lines.toReversed().map((line) => (
          <CurveLine key={line.name} line={line} x={x} y={y} />
        ))}
      </g>
    </svg>
  )
}
