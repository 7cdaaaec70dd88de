import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { endianness, tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { peerUser } from './peer-user.ts'

const skip = process.platform !== 'linux' && 'only Linux has such tables'

async function connected(host: string, work: (here: Socket, there: Socket) => Promise<void>) {
  const server = createServer({ allowHalfOpen: true }).listen(0, host)
  await once(server, 'listening')
  const there = connect((server.address() as AddressInfo).port, host)
  const [here] = (await once(server, 'connection')) as [Socket]
  here.on('error', () => {})
  try {
    await work(here, there)
  } finally {
    here.destroy()
    there.destroy()
    server.close()
  }
}

for (const host of ['127.0.0.1', '::1']) {
  test(
    `a connection to ${host} is told by its user, also when half of it is closed`,
    { skip },
    () =>
      connected(host, async (here, there) => {
        assert.equal(await peerUser(here), process.geteuid?.())
        there.end()
        here.resume()
        await once(here, 'end')
        assert.equal(await peerUser(here), process.geteuid?.())
      }),
  )
}

test('one whose other end is gone is nobody’s, least of all root’s', { skip }, () =>
  connected('127.0.0.1', async (here, there) => {
    there.write('x')
    there.destroy()
    await once(there, 'close')
    assert.equal(await peerUser(here), 'gone')
  }),
)

test('addresses count, not ports alone, and tables of another network tell nothing', async () => {
  const proc = mkdtempSync(join(tmpdir(), 'jelajah-proc-'))
  mkdirSync(join(proc, 'net'))
  const address = (bytes: string) =>
    endianness() === 'LE' ? (bytes.match(/../g) ?? []).reverse().join('') : bytes
  const [one, two] = [address('7F000001'), address('7F000002')]
  const row = (local: string, remote: string, uid: number) =>
    `0: ${local} ${remote} 01 0:0 00:0 0 ${uid} 0 77 1\n`
  const write = (...rows: string[]) =>
    writeFileSync(join(proc, 'net', 'tcp'), ['  sl local …\n', ...rows].join(''))
  const ends = { localAddress: '127.0.0.1', localPort: 8088 }
  const peer = { ...ends, remoteAddress: '127.0.0.1', remotePort: 5000 }
  write(
    row(`${one}:1F98`, `${one}:1388`, 0),
    row(`${two}:1388`, `${one}:1F98`, 0),
    row(`0000000000000000FFFF0000${one}:1388`, `0000000000000000FFFF0000${one}:1F98`, 1000),
  )
  assert.equal(await peerUser(peer, proc), 1000)
  assert.equal(await peerUser({ ...peer, remotePort: 5001 }, proc), 'unknown')
  write(row(`${one}:1F98`, `${one}:1388`, 0), row(`${two}:1388`, `${one}:1F98`, 0))
  assert.equal(await peerUser(peer, proc), 'gone')
  rmSync(proc, { recursive: true })
  assert.equal(await peerUser(peer, proc), 'unknown')
})
