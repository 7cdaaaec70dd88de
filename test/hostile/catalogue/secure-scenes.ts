// Listeners that are no proper servers, and HTTP/2 servers that misbehave.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import {
  createSecureServer,
  type Http2Session,
  type Http2Stream,
  type ServerHttp2Stream,
} from 'node:http2'
import { createServer, type Server, type Socket } from 'node:net'
import { dirname, join } from 'node:path'
import { createServer as createTlsServer } from 'node:tls'
import { jelajah, readUrls } from '../../e2e/crawling.ts'
import { checkHealth } from '../crawls.ts'
import { answer, article } from '../server/answers.ts'
import { listenOn } from '../server/web-server.ts'
import type { Stage } from '../stage.ts'

export async function silentListener(): Promise<AsyncDisposable & { readonly port: number }> {
  return await listener(createServer((socket) => void socket.on('error', () => {}).resume()))
}

async function listener(server: Server): Promise<AsyncDisposable & { readonly port: number }> {
  const open = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    open.add(socket.on('error', () => {}))
    socket.on('close', () => open.delete(socket))
  })
  server.on('tlsClientError', () => {})
  const port = await listenOn(server, 0, '127.0.0.1')
  return {
    port,
    [Symbol.asyncDispose]: async () => {
      for (const socket of open) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function credentials(stage: Stage): { key: Buffer; cert: Buffer } {
  stage.mustHaveTls()
  const folder = dirname(stage.tls?.authority ?? '')
  return {
    key: readFileSync(join(folder, 'good.key')),
    cert: readFileSync(join(folder, 'good.pem')),
  }
}

export async function oddListeners(stage: Stage): Promise<string> {
  const good = credentials(stage)
  const speak = (socket: Socket): void =>
    void socket.on('error', () => {}).on('data', () => socket.end(answer(article('X2'))))
  await using old = await listener(
    createTlsServer(
      { ...good, minVersion: 'TLSv1', maxVersion: 'TLSv1', ciphers: 'DEFAULT@SECLEVEL=0' },
      speak,
    ),
  )
  await using cipher = await listener(
    createTlsServer({ ...good, maxVersion: 'TLSv1.2', ciphers: 'NULL-SHA256:@SECLEVEL=0' }, speak),
  )
  await using garbage = await listener(
    createServer((socket) => void socket.on('error', () => {}).end('\x99\x98nothing of the kind')),
  )
  await using plain = await listener(createServer(speak))
  await using tls = await listener(createTlsServer(good, speak))
  const said: string[] = []
  const rows: readonly (readonly [string, number, 'https' | 'http'])[] = [
    ['old', old.port, 'https'],
    ['cipher', cipher.port, 'https'],
    ['garbage', garbage.port, 'https'],
    ['plain', plain.port, 'https'],
    ['tls', tls.port, 'http'],
  ]
  for (const [name, port, scheme] of rows) {
    const connectTo = [{ pattern: `${name}.x2.test`, address: '127.0.0.1', port }]
    const fetched = await stage.fetch(`${scheme}://${name}.x2.test/`, { connectTo })
    assert.equal(fetched.outcome, 'failed', name)
    assert.match(fetched.reason, scheme === 'https' ? /^tls/ : /^(?:protocol|connect)/, name)
    said.push(`${name}: ${fetched.reason}`)
  }
  return said.join('; ')
}

type Misdeed = (stream: ServerHttp2Stream, session: Http2Session) => void

function fine(stream: ServerHttp2Stream, what: string): void {
  stream.respond({ ':status': 200, 'content-type': 'text/html' })
  stream.end(article(what))
}

/** What each host does with a stream over HTTP/2; over HTTP/1.1 all of them are fine. */
const MISDEEDS: Readonly<Record<string, Misdeed>> = {
  reset: (stream) => stream.close(2),
  goaway: (_stream, session) => session.goaway(0),
  'goaway-after': (stream, session) => {
    fine(stream, 'goaway after one')
    stream.on('close', () => session.goaway(0))
  },
  settings: (stream, session) => {
    for (let n = 0; n < 200; n++) session.settings({ maxConcurrentStreams: 10 + (n % 3) }, () => {})
    fine(stream, 'settings')
  },
  pings: (stream, session) => {
    for (let n = 0; n < 100; n++) session.ping(() => {})
    fine(stream, 'pings')
  },
  push: (stream) => {
    stream.on('error', () => {})
    try {
      stream.pushStream({ ':path': '/pushed' }, (error, pushed) => {
        if (error === null) fine(pushed as ServerHttp2Stream, 'pushed')
      })
    } catch {
      // Whoever does not want to be pushed to has said so.
    }
    fine(stream, 'push')
  },
  headers: (stream) => {
    stream.respond({
      ':status': 200,
      ...Object.fromEntries(Array.from({ length: 3000 }, (_, n) => [`x-${n}`, 'v'.repeat(50)])),
    })
    stream.end('x')
  },
  silent: () => {},
  half: (stream) => {
    stream.respond({ ':status': 200, 'content-type': 'text/html' })
    stream.write('<p>half')
  },
}

export type Http2Ends = { said: string; unread: readonly string[]; odd: string }

/** Over the real program with --http2. */
export async function hostileHttp2(stage: Stage): Promise<Http2Ends> {
  const good = credentials(stage)
  const sessions = new Set<Http2Session>()
  const server = createSecureServer({
    ...good,
    allowHTTP1: true,
    maxSendHeaderBlockLength: 999_999,
  })
  server.on('session', (session) => {
    sessions.add(session)
    session.on('error', () => {}).on('close', () => sessions.delete(session))
  })
  server.on('stream', (stream: ServerHttp2Stream, headers) => {
    stream.on('error', () => {})
    const name = String(headers[':authority'] ?? '').split('.')[0] ?? ''
    if (headers[':path'] === '/robots.txt') {
      stream.respond({ ':status': 404 })
      stream.end()
      return
    }
    const { session } = stream as Http2Stream
    try {
      if (session !== undefined) MISDEEDS[name]?.(stream, session)
    } catch {
      // The client has had enough of this session already.
    }
  })
  server.on('request', (request, response) => {
    if (request.httpVersionMajor === 2) return
    response.writeHead(request.url === '/robots.txt' ? 404 : 200, { 'content-type': 'text/html' })
    response.end(article(`${request.headers.host} over HTTP/1.1`))
  })
  server.on('error', () => {})
  await using h2 = await listener(server as unknown as Server)
  // Says h2 in the handshake and speaks HTTP/1.1.
  await using liar = await listener(
    createTlsServer({ ...good, ALPNProtocols: ['h2'] }, (socket) => {
      socket.on('error', () => {}).on('data', () => socket.end(answer(article('liar'))))
    }),
  )
  const names = Object.keys(MISDEEDS)
  const urls = [...names, 'liar'].map((name) => `https://${name}.tls.test/`)
  const data = join(stage.folder, 'h2')
  const detours = [`liar.tls.test=127.0.0.1:${liar.port}`, `*.tls.test=127.0.0.1:${h2.port}`]
  const flags = [
    ...detours.flatMap((detour) => ['--connect-to', detour]),
    '--http2',
    '--timeout',
    '3000',
    '--retries',
    '3',
  ]
  const run = jelajah(
    ['crawl', ...urls, ...flags, '--data', data, '--delay', '0', '--json', '--quiet'],
    { env: stage.env },
  )
  const ran = await run.ended
  for (const session of sessions) session.destroy()
  checkHealth(ran)
  const rows = new Map(readUrls(data).map((row) => [row.url, row]))
  const told = names.map((name) => {
    const { state, reason } = rows.get(`https://${name}.tls.test/`) ?? assert.fail(name)
    assert.match(state, /^(?:stored|duplicate|failed|refused)$/)
    return {
      name,
      text: `${name}: ${state} ${reason ?? ''}`.trim(),
      stored: /^(?:stored|duplicate)$/.test(state),
    }
  })
  const liarRow = rows.get('https://liar.tls.test/')
  assert.ok(liarRow !== undefined && ['stored', 'failed', 'refused'].includes(liarRow.state))
  return {
    said: told.map(({ text }) => text).join('; '),
    unread: told.filter(({ stored }) => !stored).map(({ name }) => name),
    odd: `${liarRow.state} ${liarRow.reason ?? ''}`,
  }
}
