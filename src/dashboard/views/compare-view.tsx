// Curves side by side: of crawls of this server, or of an experiment whose result is opened from a file.
import { useEffect, useState } from 'preact/hooks'
import '../styles/report.css'
import type { ReportFigure } from '../../experiment/report-data.ts'
import type { JobHistory, JobList, JobSummary } from '../../reads/shapes/job.ts'
import { type Failure, get } from '../api.ts'
import { CheckField, SelectField } from '../components/field.tsx'
import { FailureNotice, Notice } from '../components/notice.tsx'
import { Choice } from '../components/tabs.tsx'
import { t } from '../i18n/i18n.ts'
import { bothWidths } from '../report/both-widths.tsx'
import { experimentFigure } from '../report/experiment-figures.tsx'
import { replaceQuery, useTitle, type ViewProps } from '../router.ts'
import { samplesOf } from '../state/curve.ts'
import { figuresIn } from '../state/experiment-file.ts'
import { visible } from '../web-text.ts'

/** As many as there are colours and dashes that are easily told apart. */
const MOST_CRAWLS = 14
const LISTED = 100

const COMPARED = ['stored', 'pages_per_second', 'recent_harvest_rate', 'cpu'] as const
type Compared = (typeof COMPARED)[number]

type Named = { readonly name: string; readonly history: JobHistory }

const PERCENT = 100

export function CompareView({ query }: ViewProps) {
  useTitle(t('compare.title'))
  return (
    <div class="stack">
      <h1>{t('compare.title')}</h1>
      <CompareCrawls chosen={(query.crawls ?? '').split(',').filter((id) => id !== '')} />
      <CompareExperiment />
    </div>
  )
}

function CompareCrawls({ chosen }: { readonly chosen: readonly string[] }) {
  const [jobs, setJobs] = useState<readonly JobSummary[] | null>(null)
  const [failure, setFailure] = useState<Failure | null>(null)
  const load = async (): Promise<void> => {
    const answer = await get<JobList>('/crawl', { limit: LISTED })
    setFailure(answer.ok ? null : answer.failure)
    if (answer.ok) setJobs(answer.value.jobs)
  }
  useEffect(() => void load(), [])
  const choose = (id: string, on: boolean): void => {
    const others = chosen.filter((each) => each !== id)
    const ids = on ? [...others, id].slice(-MOST_CRAWLS) : others
    replaceQuery({ crawls: ids.join(',') })
  }
  return (
    <section class="card stack" aria-labelledby="compare-crawls">
      <h2 id="compare-crawls">{t('compare.crawls')}</h2>
      {failure && <FailureNotice failure={failure} onRetry={() => void load()} />}
      {jobs?.length === 0 && <p class="muted">{t('compare.noCrawls')}</p>}
      <div class="compare-list">
        {jobs?.map(({ id, name, ordering }) => (
          <CheckField
            key={id}
            id={`compare-${id}`}
            label={`${id} · ${visible(name, 60)} · ${ordering}`}
            checked={chosen.includes(id)}
            onChange={(on) => choose(id, on)}
          />
        ))}
      </div>
      {jobs !== null && chosen.length > 0 && <Curves jobs={jobs} chosen={chosen} />}
    </section>
  )
}

type CurvesProps = { readonly jobs: readonly JobSummary[]; readonly chosen: readonly string[] }

function Curves({ jobs, chosen }: CurvesProps) {
  const [measure, setMeasure] = useState<Compared>('stored')
  const [histories, setHistories] = useState<ReadonlyMap<string, JobHistory>>(new Map())
  const wanted = chosen.join()
  useEffect(() => {
    let current = true
    const ids = wanted.split(',')
    void Promise.all(ids.map((id) => get<JobHistory>(`/crawl/${id}/history`))).then((answers) => {
      const known = answers.flatMap((answer, at): [string, JobHistory][] =>
        answer.ok ? [[ids[at] ?? '', answer.value]] : [],
      )
      if (current) setHistories(new Map(known))
    })
    return () => {
      current = false
    }
  }, [wanted])
  const shown = chosen.flatMap((id) => {
    const history = histories.get(id)
    const job = jobs.find((each) => each.id === id)
    const name = job === undefined ? id : `${job.ordering}, ${visible(job.name, 20)}`
    return history === undefined ? [] : [{ name, history }]
  })
  return (
    <>
      <Choice
        name="compare-measure"
        label={t('chart.choose')}
        value={measure}
        choices={COMPARED.map((value) => ({ value, label: t(`compare.${value}`) }))}
        onChange={setMeasure}
      />
      <Drawn figure={comparedFigure(shown, measure)} />
    </>
  )
}

/** The file stays in the browser: nothing is sent. */
function CompareExperiment() {
  const [figures, setFigures] = useState<readonly ReportFigure[]>([])
  const [isWrong, setIsWrong] = useState(false)
  const [name, setName] = useState('')
  const open = async (file: File | undefined): Promise<void> => {
    const found = file === undefined ? [] : figuresIn(await file.text())
    setFigures(found)
    setName(found[0]?.name ?? '')
    setIsWrong(file !== undefined && found.length === 0)
  }
  const figure = figures.find((each) => each.name === name)
  return (
    <section class="card stack" aria-labelledby="compare-experiment">
      <h2 id="compare-experiment">{t('compare.experiment')}</h2>
      <p>
        <label for="compare-file">{t('compare.file')}</label>{' '}
        <input
          id="compare-file"
          type="file"
          accept=".json,application/json"
          onChange={(event) => void open(event.currentTarget.files?.[0])}
        />
      </p>
      {isWrong && <Notice tone="error" urgent title={t('compare.wrongFile')} />}
      {figure !== undefined && (
        <>
          <SelectField
            id="compare-figure"
            label={t('compare.figure')}
            value={name}
            choices={figures.map(({ name: value, title }) => ({
              value,
              label: visible(title, 100),
            }))}
            onChange={setName}
          />
          <Drawn figure={figure} />
        </>
      )}
    </section>
  )
}

function Drawn({ figure }: { readonly figure: ReportFigure }) {
  if (figure.lines.length + figure.bars.length === 0) return <p class="muted">{t('chart.none')}</p>
  return <div class="report embedded">{bothWidths((width) => experimentFigure(figure, width))}</div>
}

/** The curves of several crawls as one figure, each from its own start. */
function comparedFigure(crawls: readonly Named[], measure: Compared): ReportFigure {
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
