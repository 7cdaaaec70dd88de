// The figures as tables: what the pictures show, to the digit.
import type { ComponentChildren, VNode } from 'preact'
import type {
  ReportData,
  Table,
  TableColumn,
  TableGroup,
} from '../../simulate/report/report-data.ts'
import { formatDecimal } from '../format.ts'
import { t } from '../i18n/i18n.ts'
import { leadName, percent, shortName } from './report-words.tsx'

/** A table, given its caption. */
type TableExhibit = {
  readonly title: string
  readonly what: string
  readonly shown: (caption: VNode) => VNode
}

export function tablesOf(report: ReportData): readonly TableExhibit[] {
  const figures = report.tables.map((table) => ({
    title: t(`report.tables.${table.kind}`),
    what: t('report.tablesWhat'),
    shown: (caption: VNode) => (
      <FigureTable table={table} orderings={report.orderings} caption={caption} />
    ),
  }))
  const { wins } = report
  if (wins === null) return figures
  const won: TableExhibit = {
    title: t('report.winsTitle'),
    what: t('report.winsWhat', { n: report.lead.topics, lead: leadName(report) }),
    shown: (caption) => <WinTable report={report} wins={wins} caption={caption} />,
  }
  return [...figures, won]
}

function FigureTable({
  table: { groups },
  orderings,
  caption,
}: Pick<ReportData, 'orderings'> & { readonly table: Table; readonly caption: VNode }) {
  const columns = groups.flatMap((group) =>
    group.columns.map((column, at) => ({ column, side: at === 0 ? 'first' : 'next' })),
  )
  return (
    <Scrolled>
      <caption>{caption}</caption>
      <thead>
        <tr>
          <td />
          {groups.map(({ key, columns: own }) => (
            <th key={key} class="group" scope="colgroup" colSpan={own.length}>
              {groupTitle(key)}
            </th>
          ))}
        </tr>
        <tr>
          <th scope="col">{t('report.ordering')}</th>
          {columns.map(({ column, side }, at) => (
            <th key={at} class={side} scope="col">
              {column.share === null ? 'nAUC20' : percent(column.share)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {orderings.map(({ name }, row) => (
          <tr key={name}>
            <th scope="row">{shortName(name)}</th>
            {columns.map(({ column, side }, at) => (
              <td key={at} class={side}>
                <Cell column={column} row={row} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </Scrolled>
  )
}

function Cell({ column, row }: { readonly column: TableColumn; readonly row: number }) {
  const { digits, best, values, deviations } = column
  const text = formatDecimal(values[row] ?? null, digits)
  const deviation = deviations?.[row] ?? null
  return (
    <>
      {/* What looks equal to the best is marked like it. */}
      {text === formatDecimal(best, digits) ? <b>{text}</b> : text}
      {deviation !== null && ` ± ${formatDecimal(deviation, 1)}`}
    </>
  )
}

function WinTable({
  report: { orderings, lead },
  wins,
  caption,
}: {
  readonly report: ReportData
  readonly wins: readonly (readonly number[])[]
  readonly caption: VNode
}) {
  return (
    <Scrolled class="wins">
      <caption>{caption}</caption>
      <thead>
        <tr>
          <th scope="col">{t('report.winsHead')}</th>
          {orderings.map(({ name }, at) => (
            <th key={name} scope="col" title={name}>
              {at + 1}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {orderings.map(({ name }, row) => (
          <tr key={name}>
            <th scope="row">
              {row + 1} {shortName(name)}
            </th>
            {(wins[row] ?? []).map((won, column) =>
              column === row ? (
                <td key={column} class="w0">
                  ·
                </td>
              ) : (
                <td key={column} class={`w${Math.floor((4 * won) / Math.max(1, lead.topics))}`}>
                  {won}
                </td>
              ),
            )}
          </tr>
        ))}
      </tbody>
    </Scrolled>
  )
}

function Scrolled(props: { readonly class?: string; readonly children: ComponentChildren }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what is moved sideways needs the keyboard, too
    <div class="scroll" tabIndex={0}>
      <table class={props.class}>{props.children}</table>
    </div>
  )
}

function groupTitle(key: TableGroup['key']): ComponentChildren {
  switch (key) {
    case 'nauc20':
      return ''
    case 'harvest':
    case 'recall':
      return t(`report.${key}.title`)
    case 'relevantHosts':
      return t('report.hosts')
    case 'entropy':
      return t('report.entropy')
    case 'pagerankSum':
      return 'PageRank'
    case 'jain':
      return 'Jain'
    case 'gini':
      return 'Gini'
    default:
      return (
        <>
          P<sub>{key.slice(0, 2).toUpperCase()}</sub>
        </>
      )
  }
}
