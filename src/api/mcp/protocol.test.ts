import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Type } from 'typebox'
import { Refusal } from '../errors.ts'
import { McpServer, PROTOCOL_VERSIONS } from './protocol.ts'
import { cutText, fitting, textResult, tool } from './tool.ts'

const logged: string[] = []
const annotations = { readOnlyHint: true, openWorldHint: false }
const echo = tool({
  ...{ name: 'echo', title: 'Echo', description: 'says it again', annotations },
  input: Type.Object({ text: Type.String() }, { additionalProperties: false }),
  run: async ({ text }) => {
    if (text === 'refuse') throw new Refusal(409, 'not now; ask again later')
    if (text === 'break') throw new Error('/secret/path')
    return textResult(text)
  },
})
const server = new McpServer({ tools: [echo], version: '1', log: (text) => logged.push(text) })

const ask = (method: string, params?: object): Promise<unknown> =>
  server.answer({ jsonrpc: '2.0', id: 1, method, ...(params === undefined ? {} : { params }) })

async function resultOf(method: string, params?: object): Promise<Record<string, unknown>> {
  const { result }: { result?: Record<string, unknown> } = { ...Object(await ask(method, params)) }
  assert.ok(result !== undefined)
  return result
}

async function codeOf(message: unknown): Promise<unknown> {
  const { error }: { error?: { code: number } } = { ...Object(await server.answer(message)) }
  return error?.code
}

test('a client gets its version, or the newest that is older than its own', async () => {
  const cases = [
    ...PROTOCOL_VERSIONS.map((version) => [version, version]),
    ['2025-03-26', '2024-11-05'],
    ['2099-01-01', PROTOCOL_VERSIONS[0]],
    ['1999-01-01', PROTOCOL_VERSIONS[0]],
    [7, PROTOCOL_VERSIONS[0]],
  ]
  for (const [protocolVersion, given] of cases) {
    assert.equal((await resultOf('initialize', { protocolVersion })).protocolVersion, given)
  }
})

test('notifications and answers of the client are not answered', async () => {
  const messages = [
    { jsonrpc: '2.0', method: 'notifications/initialized' },
    { jsonrpc: '2.0', method: 'notifications/unheard-of' },
    { jsonrpc: '2.0', id: 4, result: {} },
  ]
  for (const message of messages) assert.equal(await server.answer(message), null)
})

test('a message that is wrong is refused by the codes of JSON-RPC', async () => {
  const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }
  assert.equal(await codeOf([ping]), -32600)
  assert.equal(await codeOf(undefined), -32600)
  assert.equal(await codeOf({ ...ping, jsonrpc: '1.0' }), -32600)
  assert.equal(await codeOf({ ...ping, id: { deep: 1 } }), -32600)
  assert.equal(await codeOf({ jsonrpc: '2.0', id: 1 }), -32600)
  assert.equal(await codeOf({ ...ping, method: 'resources/list' }), -32601)
  assert.equal(await codeOf({ ...ping, method: 'tools/call', params: { name: 'no' } }), -32602)
})

test('an error inside a tool is a result that tells nothing of this machine', async () => {
  const call = (text: unknown) => resultOf('tools/call', { name: 'echo', arguments: { text } })
  const saidBy = async (text: unknown) => JSON.stringify(await call(text))
  assert.match(await saidBy('refuse'), /not now; ask again later.*"isError":true/)
  assert.match(await saidBy(7), /text: needs a text.*"isError":true/)
  const broken = await saidBy('break')
  assert.match(broken, /something went wrong here.*"isError":true/)
  assert.doesNotMatch(broken, /secret/)
  assert.match(logged.join('\n'), /secret/)
})

test('an answer is bounded, and no character of it is halved', () => {
  const { content } = textResult('a'.repeat(1_000_000))
  assert.equal(content[0]?.text.length, 200_000)
  assert.equal(cutText('ab😀', 3), 'ab')
  assert.equal(cutText('ab😀', 4), 'ab😀')
  assert.deepEqual(fitting(['aaaa', 'bbbb', 'cccc'], 14), ['aaaa', 'bbbb'])
})
