import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { endianness, tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { PeerUsers } from './peer-user.ts'

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
        assert.equal(await new PeerUsers().of(here), process.geteuid?.())
        there.end()
        here.resume()
        await once(here, 'end')
        assert.equal(await new PeerUsers().of(here), process.geteuid?.())
      }),
  )
}

test('one whose other end is gone is nobody’s, least of all root’s', { skip }, () =>
  connected('127.0.0.1', async (here, there) => {
    there.write('x')
    there.destroy()
    await once(there, 'close')
    assert.equal(await new PeerUsers().of(here), 'gone')
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
  assert.equal(await new PeerUsers(proc).of(peer), 1000)
  assert.equal(await new PeerUsers(proc).of({ ...peer, remotePort: 5001 }), 'unknown')
  write(row(`${one}:1F98`, `${one}:1388`, 0), row(`${two}:1388`, `${one}:1F98`, 0))
  assert.equal(await new PeerUsers(proc).of(peer), 'gone')
  rmSync(proc, { recursive: true })
  assert.equal(await new PeerUsers(proc).of(peer), 'unknown')
})

test('one reading serves all who ask before it begins, and none who ask later', async () => {
  const proc = mkdtempSync(join(tmpdir(), 'jelajah-proc-'))
  const users = new PeerUsers(proc)
  const ends = {
    localAddress: '127.0.0.1',
    localPort: 1,
    remoteAddress: '127.0.0.1',
    remotePort: 2,
  }
  const early = [users.of(ends), users.of(ends)]
  await Promise.all(early)
  mkdirSync(join(proc, 'net'))
  const end = endianness() === 'LE' ? '0100007F' : '7F000001'
  const row = (from: number, to: number) =>
    `0: ${end}:000${from} ${end}:000${to} 01 0:0 00:0 0 1000 0 77 1\n`
  writeFileSync(join(proc, 'net', 'tcp'), `sl\n${row(1, 2)}${row(2, 1)}`)
  assert.deepEqual(await Promise.all([...early, users.of(ends)]), ['unknown', 'unknown', 1000])
  rmSync(proc, { recursive: true })
})
