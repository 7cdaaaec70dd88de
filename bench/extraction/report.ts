// The figures of all extractors on one set, in Markdown.
import { markdownTable } from '../table.ts'
import type { PageSet } from './data.ts'
import { mean } from './metrics.ts'
import { ABOUT, type Figures, type Share } from './score.ts'

/** What one extractor reached on one set. */
export type Outcome = {
  readonly extractor: string
  readonly all: Figures
  readonly byKind: ReadonlyMap<string, Figures>
}

const MEASURES: readonly { readonly name: string; of(figures: Figures): string }[] = [
  { name: 'F1', of: ({ score }) => score.f1.toFixed(3) },
  { name: 'precision', of: ({ score }) => score.precision.toFixed(3) },
  { name: 'recall', of: ({ score }) => score.recall.toFixed(3) },
  { name: 'lost half', of: ({ lostHalf }) => percent(lostHalf) },
  { name: 'ms CPU', of: ({ cpuMs }) => cpuMs.toFixed(2) },
  { name: 'no text', of: ({ empty }) => `${empty}` },
]

/** Equal weight to each kind of page, however many there are of it. */
export function meanOverKinds({ byKind }: Outcome): number {
  return mean([...byKind.values()].map(({ score }) => score.f1))
}

export function reportOf({ name, metric, pages }: PageSet, outcomes: readonly Outcome[]): string {
  const about = tableOfAbout(outcomes)
  return [
    `### ${name}: ${pages.length} pages, by ${metric}\n`,
    tableOfText(outcomes),
    ...(about === '' ? [] : [`\nShare of pages on which it is right:\n\n${about}`]),
    ...outcomes.filter(({ all }) => all.failed > 0).map(failuresOf),
  ].join('\n')
}

/** Pages that lost more than half of their text, over all sets together. */
export function lostOverall(outcomes: readonly Outcome[]): string {
  const lines: string[] = []
  for (const [name, group] of Map.groupBy(outcomes, ({ extractor }) => extractor)) {
    const sum = (of: (share: Share) => number) =>
      group.reduce((total, { all }) => total + of(all.lostHalf), 0)
    const lost = { count: sum(({ count }) => count), of: sum((share) => share.of) }
    if (lost.of > 0) lines.push(`- ${name}: ${percent(lost)} (${lost.count} of ${lost.of})`)
  }
  if (lines.length === 0) return ''
  return `Pages that lost more than half of their text, all sets:\n${lines.join('\n')}`
}

function tableOfText(outcomes: readonly Outcome[]): string {
  const kinds = [...(outcomes[0]?.byKind.keys() ?? [])]
  const head = MEASURES.flatMap(({ name }) =>
    outcomes.map((outcome) => `${name} ${short(outcome)}`),
  )
  const cells = (figures: readonly Figures[]) => MEASURES.flatMap(({ of }) => figures.map(of))
  const rows = [['all', ...cells(outcomes.map(({ all }) => all))]]
  if (kinds.length > 1) {
    for (const kind of kinds) {
      const ofKind = outcomes.flatMap(({ byKind }) => byKind.get(kind) ?? [])
      rows.push([`${kind} (${ofKind[0]?.pages})`, ...cells(ofKind)])
    }
    rows.push(['mean over kinds', ...outcomes.map((outcome) => meanOverKinds(outcome).toFixed(3))])
  }
  return markdownTable(['kind of page', ...head], rows)
}

function tableOfAbout(outcomes: readonly Outcome[]): string {
  const rows = ABOUT.flatMap((about) => {
    const shares = outcomes.flatMap(({ all }) => all.about.get(about) ?? [])
    const most = Math.max(...shares.map((share) => share.of))
    return most > 0 ? [[about, `${most}`, ...shares.map(percent)]] : []
  })
  if (rows.length === 0) return ''
  return markdownTable(['', 'pages', ...outcomes.map(({ extractor }) => extractor)], rows)
}

function failuresOf({ extractor, all }: Outcome): string {
  return `\n${extractor} failed on ${all.failed} of the pages; they count as pages without text.`
}

/** Columns come in pairs: a letter says whose. */
function short({ extractor }: Outcome): string {
  return extractor.slice(0, 1)
}

function percent({ count, of }: Share): string {
  return of === 0 ? '' : `${((100 * count) / of).toFixed(1)} %`
}
