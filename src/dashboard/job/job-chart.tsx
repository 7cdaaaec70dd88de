// The curves of a job, as a chart and, for readers who cannot see it, in words and as a table.
import { useState } from 'preact/hooks'
import { Choice } from '../components/tabs.tsx'
import { formatTime } from '../format.ts'
import { t } from '../i18n/i18n.ts'
import type { Sample } from '../state/curve.ts'
import type { LiveJob } from '../state/live-job.ts'
import { CHART_OF, type Chart, type ChartName, chartsFor, spread } from './chart-choices.ts'
import { CurvePlot } from './curve-plot.tsx'

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
