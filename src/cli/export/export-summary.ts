// What an export says at its end, and when it goes on with an earlier one.

import type { ExportNote } from '../../export/export-state.ts'
import { showBytes, showCount, showNumber, showTook } from '../../lib/format.ts'
import { safeText } from '../../lib/terminal.ts'
import type { LeftOut } from '../../store/whole-pages.ts'
import type { Output } from '../output.ts'
import type { ExportCommand } from './export-command.ts'

export type ExportResult = {
  readonly note: ExportNote
  /** Pages that nobody asked to leave out; null as `bytes`. */
  readonly left: LeftOut | null
  /** Null: not known, since everything was written before. */
  readonly bytes: number | null
  readonly seconds: number
  readonly resumed: boolean
}

/** On stderr where the export itself went to stdout. */
export async function tellExport(
  command: ExportCommand,
  result: ExportResult,
  out: Output,
): Promise<void> {
  const { json, quiet } = command
  if (!json && quiet) return
  const text = json ? summaryJson(command, result) : summaryText(command, result)
  if (command.out === null) out.warn(text)
  else await out.write(text)
}

export function tellResumed({ pages }: ExportNote, out: Output): void {
  out.warn(`going on with an interrupted export after ${showNumber(pages, 'page')}\n`)
}

function summaryJson(command: ExportCommand, result: ExportResult): string {
  const { exporter, choices, out } = command
  const { note, left, bytes, seconds, resumed } = result
  const { pages, counts } = note
  const about = { format: exporter.name, what: choices.what, out: out ?? '-' }
  const figures = { ...UNKNOWN, ...left, ...figuresOf(command), ...counts }
  return `${JSON.stringify({ ...about, pages, ...figures, bytes, seconds, resumed })}\n`
}

const UNKNOWN = { noindex: null, duplicates: null }

/** What is counted on the way: said also where it is none. */
function figuresOf(command: ExportCommand): Readonly<Record<string, number>> {
  return {
    ...(command.withoutNearDuplicates ? { near_duplicates: 0 } : {}),
    ...(command.withoutBoilerplate ? { boilerplate_blocks: 0, boilerplate_pages: 0 } : {}),
    ...(command.minWords === null ? {} : { too_short: 0 }),
  }
}

function summaryText(command: ExportCommand, result: ExportResult): string {
  const { out } = command
  const { note, bytes, seconds } = result
  const missing = missingOf(command, result)
  const why = missing.count === 0 ? '' : `; ${missing.reasons}`
  if (note.pages === 0) return `no page matches: the export is empty${why}\n`
  const figures = Object.entries(note.counts).filter(([, count]) => count > 0)
  const more = figures.map(([name, count]) => `, ${showCount(count)} ${name.replaceAll('_', ' ')}`)
  const size = bytes === null ? '' : ` (${showBytes(bytes)})`
  const where = out === null ? '' : ` to ${safeText(out)}`
  const all = showNumber(note.seen + missing.count, 'page')
  const pages =
    missing.count === 0 ? showNumber(note.pages, 'page') : `${showCount(note.pages)} of ${all}`
  const what = `${pages}${more.join('')}${where}${size}`
  return `Exported ${what} in ${showTook(seconds)}${why}\n`
}

/** Pages that are missing, so that the figures of a crawl and of its export can be compared. */
function missingOf({ filter }: ExportCommand, { left }: ExportResult) {
  // Where there is a limit, it is what most of them are missing for.
  const known = filter.limit === null && left !== null ? left : { noindex: 0, duplicates: 0 }
  const { noindex, duplicates } = known
  const reasons = [
    ...(noindex === 0 ? [] : [`${showNumber(noindex, 'asks', 'ask')} not to be indexed`]),
    ...(duplicates === 0 ? [] : [`${showNumber(duplicates, 'repeats', 'repeat')} another`]),
  ]
  return { count: noindex + duplicates, reasons: reasons.join(', ') }
}
