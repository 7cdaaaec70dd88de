// What an export says at its end, and when it goes on with an earlier one.
import type { ExportCommand } from '../cli/export-command.ts'
import { showBytes, showCount, showNumber, showTook } from '../cli/format.ts'
import type { ExportNote } from '../export/export-state.ts'
import { safeText } from '../lib/terminal.ts'
import type { Output } from './output.ts'

export type ExportResult = {
  readonly note: ExportNote
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

function summaryJson(command: ExportCommand, { note, bytes, seconds, resumed }: ExportResult) {
  const { exporter, choices, out } = command
  const { pages, counts } = note
  const about = { format: exporter.name, what: choices.what, out: out ?? '-' }
  return `${JSON.stringify({ ...about, pages, ...counts, bytes, seconds, resumed })}\n`
}

function summaryText({ out }: ExportCommand, { note, bytes, seconds }: ExportResult): string {
  if (note.pages === 0) return 'no page matches: the export is empty\n'
  const figures = Object.entries(note.counts).filter(([, count]) => count > 0)
  const more = figures.map(([name, count]) => `, ${showCount(count)} ${name.replaceAll('_', ' ')}`)
  const size = bytes === null ? '' : ` (${showBytes(bytes)})`
  const where = out === null ? '' : ` to ${safeText(out)}`
  const what = `${showNumber(note.pages, 'page')}${more.join('')}${where}${size}`
  return `Exported ${what} in ${showTook(seconds)}\n`
}
