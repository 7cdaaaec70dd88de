import assert from 'node:assert/strict'
import { test } from 'node:test'
import { messageLines, serveLines } from './run-mcp.ts'

async function* inPieces(text: string, size: number): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

async function linesOf(text: string, size: number, most = 10): Promise<(string | null)[]> {
  const lines: (string | null)[] = []
  for await (const line of messageLines(inPieces(text, size), most)) {
    lines.push(line === null ? null : line.toString())
  }
  return lines
}

test('lines are whole however the pipe cuts them, and one that is too long is left out', async () => {
  for (const size of [1, 3, 1000]) {
    assert.deepEqual(await linesOf('é\n\r\n\nmuch too long a line\n{}\r\nlast', size), [
      ...['é', null, '{}\r', 'last'],
    ])
  }
})

test('every line that asks something has one answer, also lines that are no message', async () => {
  const ping = '{"jsonrpc":"2.0","id":7,"method":"ping"}'
  const long = `"${'a'.repeat(2 ** 20)}"`
  const twice = '{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}'
  const written: string[] = []
  const answer = async (message: unknown) =>
    message === null ? null : ({ jsonrpc: '2.0', id: 7, result: {} } as const)
  const input = inPieces([ping, 'no JSON', 'null', long, twice].join('\n'), 65_536)
  await serveLines({ answer }, input, { write: async (text) => void written.push(text) })
  const answers = written.map((line) => JSON.parse(line))
  assert.deepEqual(answers.map(({ error }) => error?.code ?? 'fine').sort(), [
    ...[-32700, -32700, -32700, 'fine'],
  ])
})

test('a request that is cancelled is not answered, and the next one with its id is', async () => {
  const slow = Promise.withResolvers<void>()
  const answer = async (message: unknown) => {
    const { id, method }: { id?: number; method?: string } = { ...Object(message) }
    if (method === 'slow') await slow.promise
    if (method === 'ping') slow.resolve()
    return id === undefined ? null : ({ jsonrpc: '2.0', id, result: {} } as const)
  }
  const written: string[] = []
  const first = Promise.withResolvers<void>()
  async function* input(): AsyncGenerator<Uint8Array> {
    yield Buffer.from('{"jsonrpc":"2.0","id":1,"method":"slow"}\n')
    const params = '{"requestId":1}'
    yield Buffer.from(
      `{"jsonrpc":"2.0","method":"notifications/cancelled","params":${params}}\n` +
        '{"jsonrpc":"2.0","id":2,"method":"ping"}\n',
    )
    await first.promise
    yield Buffer.from('{"jsonrpc":"2.0","id":1,"method":"again"}\n')
  }
  const write = async (text: string) => {
    written.push(text)
    first.resolve()
  }
  await serveLines({ answer }, input(), { write })
  assert.deepEqual(
    written.map((line) => JSON.parse(line).id),
    [2, 1],
  )
})
