// Messages of a pipe: one per line.

const NEWLINE = 0x0a

/** The lines of a stream, without empty ones. Null: a line was longer than that, and is left out. */
export async function* messageLines(
  stream: AsyncIterable<Uint8Array>,
  maxBytes: number,
): AsyncGenerator<Buffer | null> {
  let parts: Uint8Array[] = []
  let bytes = 0
  const add = (part: Uint8Array): void => {
    bytes += part.length
    if (bytes > maxBytes) parts = []
    else parts.push(part)
  }
  const take = (): Buffer | null => {
    const line = bytes > maxBytes ? null : Buffer.concat(parts)
    parts = []
    bytes = 0
    return line
  }
  for await (const chunk of stream) {
    let from = 0
    for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, from)) {
      add(chunk.subarray(from, at))
      from = at + 1
      const line = take()
      if (line === null || !isBlank(line)) yield line
    }
    add(chunk.subarray(from))
  }
  const rest = take()
  if (rest === null || !isBlank(rest)) yield rest
}

function isBlank(line: Buffer): boolean {
  return line.toString('latin1').trim() === ''
}
