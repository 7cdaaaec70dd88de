// The tables of a report.
import type { Summary } from '../summary.ts'
import { topicsFor } from '../summary.ts'
import type { CaptionMaker } from './captions.ts'
import { leadName } from './head.ts'
import { html, type Markup } from './markup.ts'
import { drawTable, drawWins, type TableKind } from './tables.ts'
import { showCount, type Words } from './words.ts'

const KINDS: readonly TableKind[] = ['relevance', 'importance', 'spread']

export function drawTables(summary: Summary, words: Words, captions: CaptionMaker): Markup[] {
  const focused = summary.topics.some(({ relevant }) => relevant > 0)
  const kinds = KINDS.filter((kind) => kind !== 'relevance' || focused)
  const tables = kinds.flatMap((kind) => {
    const title = words.tables[kind]
    const drawn = drawTable(summary, kind, words, captions.table(title, words.tables.what))
    return drawn === null
      ? []
      : [
          html`<h2>${title}</h2>
${drawn}`,
        ]
  })
  if (summary.contenders.length < 2 || topicsFor(summary.topics, summary.lead).length < 2)
    return tables
  const topics = showCount(topicsFor(summary.topics, summary.lead).length, words)
  const what = words.winsWhat(leadName(summary, words), topics)
  const wins = drawWins(summary, words, captions.table(words.winsTitle, what))
  return wins === null
    ? tables
    : [
        ...tables,
        html`<h2>${words.winsTitle}</h2>
${wins}`,
      ]
}
