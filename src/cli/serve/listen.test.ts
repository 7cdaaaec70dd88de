import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { CannotListen, portHolder, probePort, urlOf } from './listen.ts'

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

test('a port in use is reported with the process that has it', async () => {
  using taken = await takenPort()
  const error = await refusal('127.0.0.1', taken.port)
  assert.equal(error.inUse, true)
  assert.match(error.message, new RegExp(`^port ${taken.port} is in use`))
  assert.match(error.message, new RegExp(`process ${process.pid} |ss -ltnp`))
  assert.match(error.message, /--port/)
})

test('an address this machine has not is reported as such', async () => {
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
  await assert.doesNotReject(probePort({ host: '127.0.0.1', port }))
})

test('the address to ask is one this machine can reach', () => {
  assert.equal(urlOf({ host: '127.0.0.1', port: 8088 }), 'http://127.0.0.1:8088')
  assert.equal(urlOf({ host: '::1', port: 80 }), 'http://[::1]:80')
  assert.equal(urlOf({ host: '0.0.0.0', port: 1 }), 'http://127.0.0.1:1')
  assert.equal(urlOf({ host: '::', port: 1 }), 'http://[::1]:1')
})

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

/** A /proc in which process 4711 listens on port 8088. */
function procWith(words: readonly string[], open: readonly string[]): string {
  const proc = mkdtempSync(join(tmpdir(), 'jelajah-proc-'))
  mkdirSync(join(proc, 'net'))
  mkdirSync(join(proc, '4711', 'fd'), { recursive: true })
  const row = '0: 0100007F:1F98 00000000:0000 0A 00000000:00000000 00:00000000 00000000 0 0 99 1'
  writeFileSync(join(proc, 'net', 'tcp'), `header\n${row}\n`)
  writeFileSync(join(proc, '4711', 'cmdline'), words.map((word) => `${word}\0`).join(''))
  for (const [nth, target] of ['socket:[99]', ...open].entries()) {
    symlinkSync(target, join(proc, '4711', 'fd', String(nth)))
  }
  return proc
}

const FLAG = '--disable-warning=ExperimentalWarning'
const OURS = '/home/ani/jelajah/src/main/jelajah.ts'
const PROGRAMS: readonly [string, string[], string[], string][] = [
  [
    'a server of ours is named with its folder, and its token stays where it is',
    ['/usr/bin/node', FLAG, OURS, 'serve', '--token', 'secret'],
    ['/srv/news/jelajah.db', '/srv/news/run/hosts.db'],
    'jelajah serve --data /srv/news',
  ],
  ['an interpreter and its flags are left out', ['node', FLAG, 'a.js', '-x'], [], 'a.js -x'],
  ['other programs are named as they are', ['nginx: master', '-g'], [], 'nginx: master -g'],
  ['an interpreter with nothing to run is named', ['python3', '-i'], [], 'python3 -i'],
]

for (const [title, words, open, shown] of PROGRAMS) {
  test(title, () => {
    const proc = procWith(words, open)
    assert.equal(portHolder(8088, proc), `4711 (${shown})`)
    rmSync(proc, { recursive: true })
  })
}
