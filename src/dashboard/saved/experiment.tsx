// The report of an experiment, saved as one HTML file: what was done, figures, tables, and how to do it again. It
// is fit for a screen and for paper.
import { type ComponentChildren, render } from 'preact'
import '../styles/tokens.css'
import '../styles/base.css'
import '../styles/report.css'
import type { ExperimentReport, ShownTable } from '../../experiment/report-data.ts'
import { formatCount, formatDecimal } from '../format.ts'
import { type MessageKey, t } from '../i18n/i18n.ts'
import { bothWidths } from '../report/both-widths.tsx'
import { experimentFigure } from '../report/experiment-figures.tsx'
import { figureHasSpread, tableHasBest, tableHasSpread } from '../report/has-spread.ts'
import { CommandLine } from '../report/report-words.tsx'
import { followSystem } from '../state/preferences.ts'
import { savedData } from './saved-data.ts'

const report = savedData<ExperimentReport>()
followSystem(report.language)
document.title = report.title
const place = document.querySelector('#app')
if (place !== null) render(<Experiment report={report} />, place)

function Experiment({ report }: { readonly report: ExperimentReport }) {
  const spread = (isKnown: boolean) =>
    isKnown ? t('experiment.band', { n: report.repeats }) : t('experiment.noBand')
  return (
    <div class="report">
      <Head report={report} />
      <main>
        {report.figures.map((figure, at) => (
          <section key={figure.name}>
            <h2>{figure.title}</h2>
            <figure>
              {bothWidths((width) => experimentFigure(figure, width))}
              <figcaption>
                <b>{t('report.figure', { n: at + 1, title: figure.title })}</b>{' '}
                {spread(figureHasSpread(figure))} <Again command={report.command} />
              </figcaption>
            </figure>
          </section>
        ))}
        {report.tables.map((table, at) => (
          <section key={table.name}>
            <h2>{table.title}</h2>
            <FigureTable table={table}>
              <b>{t('report.table', { n: at + 1, title: table.title })}</b>{' '}
              {tableHasBest(table) && `${t('experiment.tableNote')} `}
              {spread(tableHasSpread(table))} <Again command={report.command} />
            </FigureTable>
          </section>
        ))}
        <Maps maps={report.maps} />
        <Notes notes={report.notes} />
      </main>
    </div>
  )
}

function Head({ report }: { readonly report: ExperimentReport }) {
  const facts: readonly (readonly [MessageKey, ComponentChildren])[] = [
    ['report.web', report.web],
    ['experiment.kind', t(`experiment.kind.${report.kind}`)],
    ['experiment.cells', formatCount(report.cells)],
    ['report.seeds', report.seeds.join(', ')],
    ['report.reproduce', <CommandLine key="command" command={report.command} />],
    ['report.madeBy', `Jelajah ${report.version}`],
    ...(report.machine === null ? [] : [['experiment.machine', report.machine] as const]),
  ]
  return (
    <header>
      <h1>{report.title}</h1>
      <p class="verdict">{report.about}</p>
      <dl>
        {report.factors.map(({ name, levels }) => (
          <>
            <dt>{name}</dt>
            <dd>{levels.join(' · ')}</dd>
          </>
        ))}
        {facts.map(([name, value]) => (
          <>
            <dt>{t(name)}</dt>
            <dd>{value}</dd>
          </>
        ))}
      </dl>
    </header>
  )
}

function Again({ command }: { readonly command: string }) {
  return (
    <span class="setting again">
      {t('report.reproduce')}: <CommandLine command={command} />
    </span>
  )
}

function FigureTable({
  table: { left, groups, columns, rows },
  children,
}: {
  readonly table: ShownTable
  readonly children: ComponentChildren
}) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what is moved sideways needs the keyboard, too
    <div class="scroll" tabIndex={0}>
      <table>
        <caption>{children}</caption>
        <thead>
          {groups.length > 0 && (
            <tr>
              {left.map((name) => (
                <td key={name} />
              ))}
              {groups.map(({ title, span }) => (
                <th key={title} class="group" scope="colgroup" colSpan={span}>
                  {title}
                </th>
              ))}
            </tr>
          )}
          <tr>
            {left.map((name) => (
              <th key={name} class="left" scope="col">
                {name}
              </th>
            ))}
            {columns.map(({ head, sub }, at) => (
              <th key={at} scope="col">
                <ColumnHead head={head} sub={sub} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ labels, cells }, at) => (
            <tr key={at}>
              {labels.map((label, nth) => (
                <th key={nth} scope="row">
                  {label}
                </th>
              ))}
              {cells.map((cell, nth) => (
                <td key={nth}>
                  <Cell {...cell} digits={columns[nth]?.digits ?? 1} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** `P_CS` is a letter with an index. */
function ColumnHead({ head, sub }: Pick<ShownTable['columns'][number], 'head' | 'sub'>) {
  const [letter, index] = head.split(/^(?:P)_/).length > 1 ? ['P', head.slice(2)] : [head, '']
  return (
    <>
      {letter}
      {index !== '' && <sub>{index}</sub>}
      {sub
        .split(', ')
        .filter((part) => part !== '')
        .map((part) => (
          <>
            <br />
            {part}
          </>
        ))}
    </>
  )
}

type CellProps = ShownTable['rows'][number]['cells'][number] & { readonly digits: number }

function Cell({ mean, half, isBest, digits }: CellProps) {
  const text = formatDecimal(mean, digits)
  return (
    <>
      {isBest ? <b>{text}</b> : text}
      {half !== null && ` ± ${formatDecimal(half, digits)}`}
    </>
  )
}

/** Files beside the report: they are large, and pages of their own. */
function Maps({ maps }: Pick<ExperimentReport, 'maps'>) {
  if (maps.length === 0) return null
  return (
    <section>
      <h2>{t('experiment.maps')}</h2>
      <p>{t('experiment.mapsNote')}</p>
      <ul class="maps">
        {maps.map(({ label, files }) => (
          <li key={label}>
            {label}:{' '}
            {files.map((file) => (
              <>
                <a key={file} href={file}>
                  {file.replace(/^.*-(pages|sites)\./, '$1.')}
                </a>{' '}
              </>
            ))}
          </li>
        ))}
      </ul>
    </section>
  )
}

function Notes({ notes }: Pick<ExperimentReport, 'notes'>) {
  if (notes.length === 0) return null
  return (
    <section>
      <h2>{t('experiment.notes')}</h2>
      <ul>
        {notes.map((note) => (
          <li key={note}>{note}</li>
        ))}
      </ul>
    </section>
  )
}
