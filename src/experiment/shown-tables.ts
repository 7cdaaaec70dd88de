// Tables with their words, as report and LaTeX show them.
import type { Language } from '../core/languages.ts'
import { meanOf } from '../simulate/measures.ts'
import type { DoneCell, Plan, SiteRow } from './experiment.ts'
import { columnOfTable, digitsOf, factorName } from './measure-words.ts'
import type { ShownTable, Value } from './report-data.ts'
import { groupBy, type ResultTable, tablesOf } from './results.ts'

export function shownTables(
  plan: Plan,
  cells: readonly DoneCell[],
  language: Language,
): ShownTable[] {
  const tables = tablesOf(plan, cells).map((table) => shownTable(table, language))
  return plan.sites ? [...tables, sitesTable(plan, cells, language)] : tables
}

function shownTable({ plan, columns, rows }: ResultTable, language: Language): ShownTable {
  const levels = [...new Set(columns.map(({ level }) => level))].filter((level) => level !== null)
  const span = columns.length / Math.max(1, levels.length)
  return {
    ...{ name: plan.name, title: plan.title },
    left: plan.rows.map((name) => factorName(name, language)),
    groups: levels.map((title) => ({ title, span })),
    columns: columns.map((column) => ({
      ...columnOfTable(column, language),
      digits: digitsOf(column),
    })),
    rows: rows.map(({ labels, cells }) => ({
      labels: plan.rows.map((name) => labels[name] ?? ''),
      cells: cells.map(({ mean, half, isBest }) => ({
        ...{ mean: known(mean), half: known(half), isBest },
      })),
    })),
  }
}

function known(value: number): Value {
  return Number.isFinite(value) ? value : null
}

const SITE_WORDS: Readonly<Record<Language, Readonly<Record<string, string>>>> = {
  en: {
    title: 'The list of seeds before and after ordering by size',
    site: 'Site',
    before: 'Position in the list',
    size: 'Pages of the site',
    after: 'Position by size',
    pages: 'Pages fetched',
    half: 'Half of them after (s)',
  },
  id: {
    title: 'Daftar seed sebelum dan sesudah diurutkan menurut ukuran',
    site: 'Situs',
    before: 'Posisi dalam daftar',
    size: 'Halaman situs',
    after: 'Posisi menurut ukuran',
    pages: 'Halaman diambil',
    half: 'Separuhnya setelah (s)',
  },
}
/** A list of thousands of sites is in sites.csv. */
const MAX_SITES = 40

/** Shows the first repeat only: others have other webs, or the same again. */
function sitesTable(plan: Plan, cells: readonly DoneCell[], language: Language): ShownTable {
  const first = cells.filter(({ cell }) => cell.repeat === 0)
  const factor = plan.factors.find(({ name }) => name === 'hostPolicy')
  const groups = groupBy(first, factor === undefined ? [] : [factor.name])
  const sites = (first[0]?.result.sites ?? []).filter(({ seedPosition }) => seedPosition !== null)
  const bySize = sites.toSorted((a, b) => b.size - a.size)
  const words = SITE_WORDS[language]
  const plain = (mean: Value) => ({ mean, half: null, isBest: false })
  const column = (head: string | undefined, sub: string, digits = 0) => ({
    ...{ head: head ?? '', sub, digits },
  })
  return {
    ...{ name: 'sites', title: words.title ?? '', left: [words.site ?? ''], groups: [] },
    columns: [
      ...[column(words.before, ''), column(words.size, ''), column(words.after, '')],
      ...groups.flatMap(({ labels }) => {
        const sub = Object.values(labels).join()
        return [column(words.pages, sub), column(words.half, sub, 1)]
      }),
    ],
    rows: bySize.slice(0, MAX_SITES).map((site, at) => ({
      labels: [site.host],
      cells: [
        ...[plain(site.seedPosition), plain(site.size), plain(at + 1)],
        ...groups.flatMap((group) => {
          const own = group.cells.flatMap(({ result }) => result.sites.filter(isAt(site)))
          const halves = own.flatMap(({ halfAt }) => halfAt ?? [])
          return [plain(known(meanOf(own.map(({ pages }) => pages)))), plain(known(meanOf(halves)))]
        }),
      ],
    })),
  }
}

function isAt({ host }: SiteRow): (site: SiteRow) => boolean {
  return (site) => site.host === host
}
