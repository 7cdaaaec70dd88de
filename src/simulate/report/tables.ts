// The figures as tables: what the pictures show, to the digit.
import type { Contender } from '../contenders.ts'
import { measureOf, type Reading, read } from '../reading.ts'
import { CHECKPOINTS } from '../replay-result.ts'
import { type Summary, topicSpread, topicsFor } from '../summary.ts'
import { duel } from '../wins.ts'
import { type Content, html, type Markup } from './markup.ts'
import { shortName, showDecimal, showShare, type Words } from './words.ts'

type Group = { readonly title: Content; readonly columns: readonly Column[] }
type Column = { readonly title: string; readonly reading: Reading; readonly digits: number }

export type TableKind = 'relevance' | 'importance' | 'spread'

/** Null when nothing of the kind was measured. */
export function drawTable(
  summary: Summary,
  kind: TableKind,
  words: Words,
  caption: Markup,
): Markup | null {
  const groups = groupsOf(summary, kind, words)
    .map((group) => ({ ...group, columns: measured(summary, group.columns) }))
    .filter(({ columns }) => columns.length > 0)
  if (groups.length === 0) return null
  const columns = groups.flatMap((group) =>
    group.columns.map((column, at) => ({ ...column, side: at === 0 ? 'first' : 'next' })),
  )
  const best = columns.map(({ reading }) => bestOf(summary, reading))
  const rows = summary.contenders.map(
    (contender) =>
      html`<tr><th scope="row">${shortName(contender.name)}</th>${columns.map(
        (column, at) =>
          html`<td class="${column.side}">${cellOf(summary, contender, column, best[at] ?? Number.NaN, words)}</td>`,
      )}</tr>`,
  )
  return html`<div class="scroll"><table>
<caption>${caption}</caption>
<thead><tr><th></th>${groups.map((group) => html`<th class="group" scope="colgroup" colspan="${group.columns.length}">${group.title}</th>`)}</tr>
<tr><th scope="col">${words.ordering}</th>${columns.map(({ title, side }) => html`<th class="${side}" scope="col">${title}</th>`)}</tr></thead>
<tbody>
${rows}
</tbody></table></div>`
}

/** Who beats whom on how many topics; null with fewer than two contenders or topics. */
export function drawWins(summary: Summary, words: Words, caption: Markup): Markup | null {
  const { contenders, lead } = summary
  if (contenders.length < 2 || topicsFor(summary.topics, lead).length < 2) return null
  const rows = contenders.map((row, at) => {
    const cells = contenders.map((column, other) =>
      at === other ? html`<td class="w0">·</td>` : winCell(summary, row, column),
    )
    return html`<tr><th scope="row">${at + 1} ${shortName(row.name)}</th>${cells}</tr>`
  })
  return html`<div class="scroll"><table class="wins">
<caption>${caption}</caption>
<thead><tr><th scope="col">${words.winsHead}</th>${contenders.map(({ name }, at) => html`<th scope="col" title="${name}">${at + 1}</th>`)}</tr></thead>
<tbody>
${rows}
</tbody></table></div>`
}

function winCell(summary: Summary, row: Contender, column: Contender): Markup {
  const { wins, topics } = duel(summary, row, column, summary.lead)
  const shade = topics === 0 ? 0 : Math.floor((4 * wins) / topics)
  return html`<td class="w${shade}">${wins}</td>`
}

function groupsOf({ grid }: Summary, kind: TableKind, words: Words): Group[] {
  const at = (title: Content, reading: (share: number) => Reading, digits = 1): Group => ({
    title,
    columns: CHECKPOINTS.filter((share) => grid.includes(share)).map((share) => ({
      title: showShare(share, words),
      reading: reading(share),
      digits,
    })),
  })
  const single = (title: string, reading: Reading): Column => ({ title, reading, digits: 1 })
  if (kind === 'relevance') {
    return [
      { title: '', columns: [single(words.tables.nauc, { key: 'nauc20' })] },
      at(words.charts.harvest.title, (share) => ({ key: 'harvest', share })),
      at(words.charts.recall.title, (share) => ({ key: 'recall', share })),
      at(words.tables.hosts, (share) => ({ key: 'relevantHosts', share })),
    ]
  }
  if (kind === 'importance') {
    return [
      at('PageRank', (share) => ({ key: 'pagerankSum', share })),
      at(html`P<sub>CS</sub>`, (share) => ({ key: 'csPagerank', share })),
      at(html`P<sub>ST</sub>`, (share) => ({ key: 'stPagerank', share })),
      {
        title: html`P<sub>BC</sub>`,
        columns: [
          single(showShare(0.05, words), { key: 'bc5Pagerank' }),
          single(showShare(0.1, words), { key: 'bc10Pagerank' }),
        ],
      },
    ]
  }
  return [
    at(words.tables.fairness, (share) => ({ key: 'jain', share }), 3),
    at('Gini', (share) => ({ key: 'gini', share }), 3),
    at(words.tables.entropy, (share) => ({ key: 'entropy', share }), 3),
  ]
}

function measured({ contenders, grid }: Summary, columns: readonly Column[]): Column[] {
  return columns.filter(({ reading }) =>
    contenders.some(({ mean }) => Number.isFinite(read(mean, reading, grid))),
  )
}

function bestOf({ contenders, grid }: Summary, reading: Reading): number {
  const values = contenders
    .map(({ mean }) => read(mean, reading, grid))
    .filter((value) => Number.isFinite(value))
  return measureOf(reading).better === 'higher' ? Math.max(...values) : Math.min(...values)
}

function cellOf(
  summary: Summary,
  contender: Contender,
  { reading, digits }: Column,
  best: number,
  words: Words,
): Markup {
  const value = read(contender.mean, reading, summary.grid)
  const text = showDecimal(value, digits, words)
  // What looks equal to the best is marked like it.
  const isBest = text === showDecimal(best, digits, words)
  const shown: Content = isBest ? html`<b>${text}</b>` : text
  if (reading.key !== 'nauc20') return html`${shown}`
  const { deviation, count } = topicSpread(summary, contender, reading)
  return html`${shown}${count > 1 ? ` ± ${showDecimal(deviation, 1, words)}` : ''}`
}
