// The exact figures behind the charts of a report, as tables.
import { measureOf, type Reading, read } from '../reading.ts'
import { CHECKPOINTS } from '../replay-result.ts'
import { type Summary, topicSpread } from '../summary.ts'
import { rounded } from '../to-json.ts'
import type { Table, TableColumn, TableGroup, TableKind } from './report-data.ts'

type Column = Pick<TableColumn, 'share' | 'digits'> & { readonly reading: Reading }
type Group = Pick<TableGroup, 'key'> & { readonly columns: readonly Column[] }
type CurveName = Extract<Reading, { share: number }>['key']

const KINDS: readonly TableKind[] = ['relevance', 'importance', 'spread']

/** The tables that have a measured value. */
export function tablesOf(summary: Summary): Table[] {
  const isFocused = summary.topics.some(({ relevant }) => relevant > 0)
  return KINDS.filter((kind) => kind !== 'relevance' || isFocused)
    .map((kind) => ({ kind, groups: groupsOf(summary, kind).flatMap(measuredIn(summary)) }))
    .filter(({ groups }) => groups.length > 0)
}

function measuredIn(summary: Summary): (group: Group) => TableGroup[] {
  return ({ key, columns }) => {
    const measured = columns
      .map((column) => columnOf(summary, column))
      .filter(({ best }) => best !== null)
    return measured.length === 0 ? [] : [{ key, columns: measured }]
  }
}

function columnOf(summary: Summary, { reading, share, digits }: Column): TableColumn {
  const { contenders, grid } = summary
  const values = contenders.map(({ mean }) => read(mean, reading, grid))
  const known = values.filter((value) => Number.isFinite(value))
  const best = measureOf(reading).better === 'higher' ? Math.max(...known) : Math.min(...known)
  const spreads = contenders.map((contender) => topicSpread(summary, contender, reading))
  return {
    ...{ share, digits, values: values.map(rounded), best: rounded(best) },
    deviations:
      reading.key === 'nauc20'
        ? spreads.map(({ deviation, count }) => (count > 1 ? rounded(deviation) : null))
        : null,
  }
}

function groupsOf({ grid }: Summary, kind: TableKind): Group[] {
  const at = (key: CurveName & TableGroup['key'], digits = 1): Group => ({
    key,
    columns: CHECKPOINTS.filter((share) => grid.includes(share)).map((share) => ({
      ...{ share, digits, reading: { key, share } },
    })),
  })
  if (kind === 'relevance') {
    const nauc = { share: null, digits: 1, reading: { key: 'nauc20' } } as const
    return [
      { key: 'nauc20', columns: [nauc] },
      ...[at('harvest'), at('recall'), at('relevantHosts')],
    ]
  }
  if (kind === 'spread') return [at('jain', 3), at('gini', 3), at('entropy', 3)]
  const buffered: readonly Column[] = [
    { share: 0.05, digits: 1, reading: { key: 'bc5Pagerank' } },
    { share: 0.1, digits: 1, reading: { key: 'bc10Pagerank' } },
  ]
  return [
    ...[at('pagerankSum'), at('csPagerank'), at('stPagerank')],
    { key: 'bcPagerank', columns: buffered },
  ]
}
