import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { createServer } from 'node:net'
import { test } from 'node:test'
import { portHolder } from './port-holder.ts'

test('the process that listens on a port is named', {
  skip: !existsSync('/proc/net/tcp'),
}, async () => {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    const address = server.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    assert.match(portHolder(port) ?? '', new RegExp(`^${process.pid} \\(.+\\)$`))
  } finally {
    server.close()
  }
})

test('nobody is named where nobody listens, or where the system does not tell', () => {
  assert.equal(portHolder(1), null)
  assert.equal(portHolder(8088, '/nonexistent'), null)
})
