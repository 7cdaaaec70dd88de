// The curves of a job, as a chart and, for readers who cannot see it, in words and as a table.
import { useEffect, useRef, useState } from 'preact/hooks'
import UPlot from 'uplot'
import { Choice } from '../components/tabs.tsx'
import { formatAxisTime, formatTime } from '../format.ts'
import { language, t } from '../i18n/i18n.ts'
import type { Sample } from '../state/curve.ts'
import type { LiveJob } from '../state/live-job.ts'
import { shownTheme } from '../state/preferences.ts'
import { CHART_OF, type Chart, type ChartName, chartsFor, spread } from './chart-choices.ts'

const TABLE_ROWS = 24

export function JobChart({ live }: { readonly live: LiveJob }) {
  const [chosen, setChosen] = useState<ChartName>('pages')
  const curve = live.curve.value
  const names = chartsFor(curve)
  const name = names.includes(chosen) ? chosen : 'pages'
  const chart = CHART_OF[name]
  return (
    <section class="card" aria-labelledby="chart-title">
      <div class="card-head">
        <h2 id="chart-title">{t('chart.title')}</h2>
        <Choice
          name="chart"
          label={t('chart.choose')}
          value={name}
          choices={names.map((value) => ({ value, label: t(`chart.${value}`) }))}
          onChange={setChosen}
        />
      </div>
      {curve.length < 2 ? (
        <p class="muted chart-none">{t('chart.none')}</p>
      ) : (
        <>
          <CurvePlot key={name} chart={chart} curve={curve} label={inWords(chart, curve)} />
          <details class="small">
            <summary>{t('chart.table')}</summary>
            <CurveTable chart={chart} curve={spread(curve, TABLE_ROWS)} />
          </details>
        </>
      )}
    </section>
  )
}

function inWords({ series, format }: Chart, curve: readonly Sample[]): string {
  const from = formatTime(curve[0]?.at ?? 0)
  const to = formatTime(curve.at(-1)?.at ?? 0)
  const lines = series.map(({ measure, label }) => {
    const values = curve.map((sample) => sample[measure] ?? 0)
    const most = values.reduce((a, b) => Math.max(a, b), 0)
    return t('chart.summary', {
      name: t(label),
      last: format(values.at(-1) ?? 0),
      most: format(most),
    })
  })
  return `${t('chart.label', { from, to })} ${lines.join('; ')}.`
}

function CurveTable({
  chart: { series, format },
  curve,
}: {
  readonly chart: Chart
  readonly curve: readonly Sample[]
}) {
  return (
    <div class="table-scroll">
      <table class="table">
        <thead>
          <tr>
            <th scope="col">{t('chart.time')}</th>
            {series.map(({ label }) => (
              <th scope="col" class="number" key={label}>
                {t(label)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {curve.map((sample) => (
            <tr key={sample.at}>
              <td class="moment">{formatTime(sample.at)}</td>
              {series.map(({ measure }) => {
                const value = sample[measure]
                return (
                  <td class="number" key={measure}>
                    {value === null ? '–' : format(value)}
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

const HEIGHT = 240
/** Seconds between two marks of time: none is below one, which would be written twice. */
const TIME_STEPS = [
  1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400, 28_800, 86_400,
]

/** Between two marks of a count: 1, 2, 5, 10, … */
const COUNT_STEPS = Array.from({ length: 10 }, (_, power) =>
  [1, 2, 5].map((n) => n * 10 ** power),
).flat()

/** Curves drawn by uPlot, in the colours of the theme. Drawn again when theme or language change. */
function CurvePlot({
  chart,
  curve,
  label,
}: {
  readonly chart: Chart
  readonly curve: readonly Sample[]
  readonly label: string
}) {
  const place = useRef<HTMLDivElement>(null)
  const plot = useRef<UPlot | null>(null)
  /** The sample under the pointer; null: the last one is shown. */
  const [pointed, setPointed] = useState<number | null>(null)
  const look = `${shownTheme.value} ${language.value}`
  useEffect(() => {
    const element = place.current
    if (element === null) return
    const made = new UPlot(optionsFor(chart, element, setPointed), columnsOf(chart, curve), element)
    plot.current = made
    const watch = new ResizeObserver(() => {
      made.setSize({ width: element.clientWidth, height: HEIGHT })
    })
    watch.observe(element)
    return () => {
      watch.disconnect()
      made.destroy()
      plot.current = null
    }
  }, [chart, look])
  useEffect(() => {
    plot.current?.setData(columnsOf(chart, curve))
  }, [chart, curve])
  return (
    <>
      <Legend chart={chart} sample={curve[pointed ?? -1] ?? curve.at(-1)} />
      <div ref={place} class="curve" role="img" aria-label={label} />
    </>
  )
}

function Legend({
  chart: { series, format },
  sample,
}: {
  readonly chart: Chart
  readonly sample: Sample | undefined
}) {
  if (sample === undefined) return null
  return (
    <ul class="legend">
      {series.map(({ measure, label, colour, dash }) => (
        <li key={measure}>
          <svg viewBox="0 0 24 8" aria-hidden="true" focusable="false">
            <path
              d="M0 4h24"
              fill="none"
              stroke={`var(${colour})`}
              stroke-width="2.5"
              stroke-dasharray={dash.join(' ')}
            />
          </svg>
          {t(label)}: <strong>{valueText(sample[measure], format)}</strong>
        </li>
      ))}
      <li class="muted">{formatTime(sample.at)}</li>
    </ul>
  )
}

function valueText(value: number | null, format: (value: number) => string): string {
  return value === null ? '–' : format(value)
}

function columnsOf({ series }: Chart, curve: readonly Sample[]): UPlot.AlignedData {
  const times = curve.map(({ at }) => at / 1000)
  return [times, ...series.map(({ measure }) => curve.map((sample) => sample[measure]))]
}

function optionsFor(
  { series, format, whole = false }: Chart,
  element: HTMLElement,
  onPoint: (index: number | null) => void,
): UPlot.Options {
  const styles = getComputedStyle(document.documentElement)
  const colour = (name: string): string => styles.getPropertyValue(name).trim()
  const axis = {
    stroke: colour('--muted'),
    font: `12px ${colour('--font')}`,
    grid: { stroke: colour('--chart-grid'), width: 1 },
    ticks: { show: false },
  }
  return {
    width: element.clientWidth,
    height: HEIGHT,
    // Dragging would zoom, and nothing tells how to get back.
    cursor: { drag: { x: false, y: false }, points: { size: 7 } },
    legend: { show: false },
    hooks: { setCursor: [({ cursor }) => onPoint(cursor.idx ?? null)] },
    scales: { y: { range: (_plot, _least, most) => [0, roomAbove(most)] } },
    axes: [
      {
        ...axis,
        space: 80,
        size: 34,
        incrs: TIME_STEPS,
        values: (_plot, splits) => splits.map((at) => formatAxisTime(at * 1000)),
      },
      {
        ...axis,
        size: 68,
        ...(whole ? { incrs: COUNT_STEPS } : {}),
        values: (_plot, splits) => splits.map(format),
      },
    ],
    series: [
      {},
      ...series.map(({ label, colour: name, dash }) => ({
        label: t(label),
        stroke: colour(name),
        width: 1.75,
        dash: [...dash],
        points: { show: false },
      })),
    ],
  }
}

function roomAbove(most: number | null): number {
  return most === null || most <= 0 ? 1 : most * 1.08
}
