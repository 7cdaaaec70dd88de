// Readers of CSV and WARC that share nothing with our writers.
import assert from 'node:assert/strict'

/** RFC 4180. */
export function readCsv(text: string): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  let cell = ''
  let quoted = false
  for (let at = 0; at < text.length; at++) {
    const c = text[at]
    if (quoted && c === '"' && text[at + 1] === '"') {
      cell += '"'
      at += 1
    } else if (c === '"') quoted = !quoted
    else if (!quoted && (c === ',' || c === '\n')) {
      row.push(cell.replace(/\r$/, ''))
      cell = ''
      if (c === '\n') {
        rows.push(row)
        row = []
      }
    } else cell += c
  }
  assert.equal(quoted, false, 'a quote does not end')
  return rows
}

export type WarcRecord = {
  readonly type: string
  readonly uri: string | null
  readonly bytes: number
}

/** Goes from record to record by their lengths; fails where one does not begin as it must. */
export function readWarc(archive: Buffer): WarcRecord[] {
  const records: WarcRecord[] = []
  for (let at = 0; at < archive.length; ) {
    const end = archive.indexOf('\r\n\r\n', at)
    assert.ok(end > 0, `no end of headers after byte ${at}`)
    const [version, ...lines] = archive.subarray(at, end).toString('utf8').split('\r\n')
    assert.match(version ?? '', /^WARC\/1\.[01]$/, `byte ${at}`)
    const headers = new Map(
      lines.map((line) => {
        const colon = line.indexOf(':')
        assert.ok(colon > 0, line)
        return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
      }),
    )
    const bytes = Number(headers.get('content-length'))
    assert.ok(Number.isSafeInteger(bytes))
    const next = end + 4 + bytes
    assert.equal(
      archive.subarray(next, next + 4).toString('latin1'),
      '\r\n\r\n',
      `record at byte ${at}`,
    )
    records.push({
      type: headers.get('warc-type') ?? '',
      uri: headers.get('warc-target-uri') ?? null,
      bytes,
    })
    at = next + 4
  }
  return records
}
