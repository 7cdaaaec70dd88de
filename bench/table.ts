/** A Markdown table with aligned columns, numbers to the right. */
export function markdownTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  const all = [head, ...rows]
  const widths = head.map((_, column) => Math.max(3, ...all.map((row) => row[column]?.length ?? 0)))
  const line = (row: readonly string[]) =>
    `| ${widths.map((width, column) => pad(row[column] ?? '', width, column)).join(' | ')} |`
  const rule = widths.map((width, column) =>
    column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`,
  )
  return [line(head), `| ${rule.join(' | ')} |`, ...rows.map(line)].join('\n')
}

function pad(cell: string, width: number, column: number): string {
  return column === 0 ? cell.padEnd(width) : cell.padStart(width)
}

/** Text in which runs of JSON objects, one per line, have become tables with a column each. */
export function tableFromLines(text: string): string {
  const pieces: string[] = []
  let records: Record<string, unknown>[] = []
  const flush = () => {
    const keys = Object.keys(records[0] ?? {})
    const rows = keys.map((key) => [key, ...records.map((record) => String(record[key] ?? ''))])
    const [head, ...rest] = rows
    if (head) pieces.push(markdownTable(head, rest))
    records = []
  }
  for (const line of text.split('\n')) {
    const record = recordOf(line)
    if (record !== null) records.push(record)
    else {
      flush()
      pieces.push(line)
    }
  }
  flush()
  return pieces.join('\n')
}

function recordOf(line: string): Record<string, unknown> | null {
  if (!line.startsWith('{')) return null
  try {
    return JSON.parse(line)
  } catch {
    return null
  }
}
