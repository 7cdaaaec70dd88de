// The rows of one part of a page, for people: links by where they lead, tables as rows of cells.
import type { Part } from '../core/page.ts'
import type { PartRow } from '../core/part-columns.ts'
import { canonicalise, hostOf, siteOf } from '../core/url.ts'
import { fit, safeText } from '../lib/terminal.ts'
import { showCount } from './format.ts'
import type { Style } from './style.ts'

const MAX_CELLS = 500

/** `site` is the one the page belongs to. */
export function partText(part: Part, rows: readonly PartRow[], site: string, style: Style): string {
  const groups = part === 'links' ? linkGroups(rows, site) : [{ title: part, rows }]
  return groups
    .filter((group) => group.rows.length > 0)
    .map((group) => {
      const title = style.bold(`${safeText(group.title)} (${showCount(group.rows.length)})`)
      return [title, ...group.rows.flatMap((row) => rowLines(row, style)), ''].join('\n')
    })
    .join('\n')
}

type Group = { readonly title: string; readonly rows: readonly PartRow[] }

function linkGroups(rows: readonly PartRow[], site: string): readonly Group[] {
  const isWithin = ({ url }: PartRow): boolean => {
    const target = canonicalise(String(url))
    return target !== null && siteOf(hostOf(target)) === site
  }
  return [
    { title: `links within ${site}`, rows: rows.filter(isWithin) },
    { title: 'links elsewhere', rows: rows.filter((row) => !isWithin(row)) },
  ]
}

/** The first value says what it is; short ones stand behind it, long ones below. */
function rowLines(row: PartRow, style: Style): string[] {
  const [first, ...rest] = Object.entries(row).filter(([, value]) => !isEmpty(value))
  if (first === undefined) return []
  const notes = rest.filter(([, value]) => !Array.isArray(value))
  const nested = [first, ...rest].filter(([, value]) => Array.isArray(value))
  const head = Array.isArray(first[1]) ? `${first[0]}:` : cell(first[1])
  const note = notes.map(([name, value]) => `${style.dim(name)} ${cell(value)}`).join('  ')
  return [
    `  ${head}${note === '' ? '' : `  ${note}`}`,
    ...nested.flatMap(([, value]) => listLines(value)),
  ]
}

function listLines(value: unknown): string[] {
  return Array.isArray(value) ? value.map((entry: unknown) => `    ${entryText(entry)}`) : []
}

/** A row of a table, or one entry of a list. */
function entryText(entry: unknown): string {
  return Array.isArray(entry) ? entry.map(cell).join(' | ') : cell(entry)
}

function cell(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return fit(safeText(text ?? ''), MAX_CELLS)
}

function isEmpty(value: unknown): boolean {
  if (value === null || value === '' || value === undefined) return true
  return Array.isArray(value) && value.length === 0
}
