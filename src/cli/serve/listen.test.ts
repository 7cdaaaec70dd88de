import assert from 'node:assert/strict'
import { createServer } from 'node:net'
import { test } from 'node:test'
import { CannotListen, probePort, urlOf } from './listen.ts'

async function takenPort() {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return { port, [Symbol.dispose]: () => void server.close() }
}

async function refusal(host: string, port: number): Promise<CannotListen> {
  try {
    await probePort({ host, port })
  } catch (error) {
    if (error instanceof CannotListen) return error
    throw error
  }
  return assert.fail('it can be listened on')
}

test('a port in use is told with the process that has it', async () => {
  using taken = await takenPort()
  const error = await refusal('127.0.0.1', taken.port)
  assert.equal(error.inUse, true)
  assert.match(error.message, new RegExp(`^port ${taken.port} is in use`))
  assert.match(error.message, new RegExp(`process ${process.pid} |ss -ltnp`))
  assert.match(error.message, /--port/)
})

test('an address this machine has not is told as such', async () => {
  const error = await refusal('192.0.2.1', 0)
  assert.equal(error.inUse, false)
  assert.match(error.message, /no address 192\.0\.2\.1/)
})

test('a probe leaves the port free', async () => {
  const port = await (async () => {
    using taken = await takenPort()
    return taken.port
  })()
  await probePort({ host: '127.0.0.1', port })
  await probePort({ host: '127.0.0.1', port })
})

test('the address to ask is one this machine can reach', () => {
  assert.equal(urlOf({ host: '127.0.0.1', port: 8088 }), 'http://127.0.0.1:8088')
  assert.equal(urlOf({ host: '::1', port: 80 }), 'http://[::1]:80')
  assert.equal(urlOf({ host: '0.0.0.0', port: 1 }), 'http://127.0.0.1:1')
  assert.equal(urlOf({ host: '::', port: 1 }), 'http://[::1]:1')
})
