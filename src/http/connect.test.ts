// TLS, HTTP/2 and proxies: connections that need more than one step.
import assert from 'node:assert/strict'
import { constants, createSecureServer } from 'node:http2'
import { createServer, type Server, type Socket } from 'node:net'
import { after, before, describe, test } from 'node:test'
import {
  createServer as createTlsServer,
  getCACertificates,
  setDefaultCACertificates,
  type TlsOptions,
} from 'node:tls'
import { type Certificates, makeCertificates } from '../../test/support/certificates.ts'
import {
  fetchWith,
  openTestFetcher,
  response,
  summary,
  text,
} from '../../test/support/fetch-kit.ts'
import { listen } from '../../test/support/hostile-server.ts'
import { reasonCode } from '../core/visit.ts'
import { Attempt } from './connect.ts'
import type { Fetched, FetcherOptions } from './fetcher.ts'

const PAGE = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'
const certificates = makeCertificates()
const usual = getCACertificates('default')

before(() => {
  if (certificates !== null) setDefaultCACertificates([...usual, certificates.authority])
})

after(() => setDefaultCACertificates(usual))

function answer(socket: Socket): void {
  socket.on('error', () => {})
  socket.on('data', (chunk) => {
    if (chunk.includes('\r\n\r\n')) socket.write(PAGE)
  })
}

/** Fetches `https://good.test/` from this server, and waits until the server sees its connections closed. */
async function visit(
  server: Server,
  options: Partial<FetcherOptions> = {},
  href = 'https://good.test/',
): Promise<Fetched> {
  const port = await listen(server)
  const connectTo = [{ pattern: '*', address: '127.0.0.1', port }]
  const fetcher = openTestFetcher({ connectTo, ...options })
  const fetched = await fetchWith(fetcher, href)
  await fetcher[Symbol.asyncDispose]()
  await new Promise((resolve) => server.close(resolve))
  return fetched
}

async function visitOften(
  server: Server,
  times: number,
  limits: FetcherOptions['limits'] = {},
): Promise<Fetched[]> {
  const connectTo = [{ pattern: '*', address: '127.0.0.1', port: await listen(server) }]
  const fetcher = openTestFetcher({ connectTo, limits, http2: true })
  const found: Fetched[] = []
  for (let n = 0; n < times; n += 1) found.push(await fetchWith(fetcher, 'https://good.test/'))
  await fetcher[Symbol.asyncDispose]()
  await new Promise((resolve) => server.close(resolve))
  return found
}

function outcomeOf(fetched: Fetched): string {
  return fetched.outcome === 'failed' ? reasonCode(fetched.reason) : fetched.outcome
}

function tlsServer(options: TlsOptions): Server {
  return createTlsServer(options, answer).on('tlsClientError', () => {})
}

test('a process that is busy for a moment does not give an address up', async () => {
  const server = createServer(answer)
  const port = await listen(server)
  const attempt = new Attempt({ http2: false, insecureTls: false, sessions: new Map() })
  // Nobody listens at the second address.
  const addresses = ['127.0.0.1', '127.0.0.2']
  const opening = attempt.open({ addresses, port, proxy: null, tlsName: null, authority: 'a.test' })
  const busyUntil = performance.now() + 400
  while (performance.now() < busyUntil);
  const peer = await opening.then(({ remoteAddress }) => remoteAddress, String)
  attempt.cancel()
  await new Promise((resolve) => server.close(resolve))
  assert.equal(peer, '127.0.0.1')
})

describe('TLS', { skip: certificates === null ? 'no openssl' : false }, () => {
  const made = certificates as Certificates

  test('a certificate that verifies is accepted under its name and its address', async () => {
    assert.equal(text(await visit(tlsServer(made.good))), 'ok')
    assert.equal(text(await visit(tlsServer(made.good), {}, 'https://127.0.0.1/')), 'ok')
  })

  const refused: readonly [string, TlsOptions, string][] = [
    ['a self-signed certificate', made.selfSigned, 'tls: DEPTH_ZERO_SELF_SIGNED_CERT'],
    ['an expired certificate', made.expired, 'tls: CERT_HAS_EXPIRED'],
    ['a certificate for another name', made.otherName, 'tls: ERR_TLS_CERT_ALTNAME_INVALID'],
    [
      'a server that only speaks TLS 1.1',
      { ...made.good, maxVersion: 'TLSv1.1', minVersion: 'TLSv1', ciphers: 'ALL:@SECLEVEL=0' },
      'tls: ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION',
    ],
  ]
  for (const [what, options, reason] of refused) {
    test(`${what} is never accepted silently`, async () => {
      const fetched = await visit(tlsServer(options))
      assert.equal(summary(fetched), `failed ${reason}`)
      assert.ok(fetched.outcome === 'failed' && !fetched.transient && fetched.hostFault)
    })
  }

  test('who asks for it may accept any certificate', async () => {
    assert.equal(text(await visit(tlsServer(made.selfSigned), { insecureTls: true })), 'ok')
  })

  test('HTTP/2 is spoken where both sides want it, HTTP/1.1 otherwise', async () => {
    const versions: string[] = []
    for (const http2 of [true, false]) {
      const server = createSecureServer({ ...made.good, allowHTTP1: true }, (request, reply) => {
        versions.push(request.httpVersion)
        reply.end('ok')
      })
      assert.equal(text(await visit(server, { http2 })), 'ok')
    }
    assert.deepEqual(versions, ['2.0', '1.1'])
  })

  test('an origin that breaks HTTP/2 is asked again in HTTP/1.1, and from then on', async () => {
    const server = createSecureServer({ ...made.good, allowHTTP1: true })
    server.on('stream', (stream) => {
      stream.on('error', () => {})
      stream.close(constants.NGHTTP2_INTERNAL_ERROR)
    })
    server.on('request', (request, reply) => {
      if (request.httpVersion === '1.1') reply.end('ok')
    })
    const found = await visitOften(server, 4)
    assert.deepEqual(found.map(outcomeOf), ['stale', 'response', 'response', 'response'])
  })

  test('a server that says goodbye over HTTP/2 and speaks nothing else fails when asked again', async () => {
    const server = createSecureServer(made.good)
    server.on('stream', (stream) => {
      stream.on('error', () => {})
      stream.session?.destroy(undefined, constants.NGHTTP2_ENHANCE_YOUR_CALM)
    })
    server.on('sessionError', () => {})
    assert.deepEqual((await visitOften(server, 2)).map(outcomeOf), ['stale', 'tls'])
  })

  test('a server that speaks HTTP/2 alone says so in a reason that is clear', async () => {
    const server = createSecureServer(made.good).on('sessionError', () => {})
    const fetched = await visit(server)
    assert.equal(summary(fetched), 'failed tls: ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL')
  })

  test('over HTTP/2 a request that gets no answer has had its time; the next goes out in HTTP/1.1', async () => {
    const server = createSecureServer({ ...made.good, allowHTTP1: true })
    server.on('stream', (stream) => void stream.on('error', () => {}))
    server.on('request', (request, reply) => {
      if (request.httpVersion === '1.1') reply.end('ok')
    })
    const found = await visitOften(server, 2, { headersMs: 100 })
    assert.deepEqual(found.map(outcomeOf), ['timeout-headers', 'response'])
  })
})

test('plain HTTP where TLS is due fails as tls', async () => {
  const server = createServer((socket) => {
    socket.on('error', () => {}).resume()
    socket.end(PAGE)
  })
  assert.match(summary(await visit(server)), /^failed tls: /)
})

test('a handshake that stalls ends at the limit for connecting', async () => {
  const server = createServer((socket) => void socket.on('error', () => {}).resume())
  const limits = { connectMs: 100 }
  assert.equal(summary(await visit(server, { limits })), 'failed timeout-connect: 100 ms')
})

test('a connection that is reset at once is the host’s fault', async () => {
  const server = createServer((socket) => void socket.resetAndDestroy())
  const fetched = await visit(server)
  assert.ok(fetched.outcome === 'failed' && fetched.hostFault && fetched.transient)
})

test('a host reached under another address keeps its name', async () => {
  let head = ''
  const server = createServer((socket) => {
    answer(socket)
    socket.on('data', (chunk) => {
      head += chunk.toString('latin1')
    })
  })
  await visit(server, {}, 'http://shop.test:8080/a?b=c')
  assert.match(head, /^GET \/a\?b=c HTTP\/1\.1\r\nhost: shop\.test:8080\r\n/)
  assert.match(head, /user-agent: Jelajah-test\/1\r\n/)
  assert.match(head, /accept-encoding: gzip, br, zstd, deflate\r\n/)
  assert.doesNotMatch(head, /cookie/i)
})

/** A proxy that records the request heads and answers itself or tunnels to `target`. */
function proxyServer(heads: string[], tunnel: (socket: Socket) => void): Server {
  return createServer((socket) => {
    socket.on('error', () => {})
    socket.on('data', (chunk) => {
      const head = chunk.toString('latin1')
      heads.push(head)
      if (!head.startsWith('CONNECT')) return void socket.write(PAGE)
      socket.removeAllListeners('data')
      tunnel(socket)
    })
  })
}

async function throughProxies(
  hrefs: readonly string[],
  servers: readonly Server[],
  options: Partial<FetcherOptions> = {},
): Promise<Fetched[]> {
  const ports = await Promise.all(servers.map(listen))
  const proxies = ports.map((port) => `http://ann:s%40cret@127.0.0.1:${port}`)
  const lookup = async () => ({ addresses: ['93.184.216.34'] })
  const fetcher = openTestFetcher({ proxies, lookup, ...options })
  const found: Fetched[] = []
  for (const href of hrefs) found.push(await fetchWith(fetcher, href))
  await fetcher[Symbol.asyncDispose]()
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))))
  return found
}

test('a proxy is told the whole URL of a plain page, and our credentials', async () => {
  const heads: string[] = []
  const [fetched] = await throughProxies(['http://a.test/x'], [proxyServer(heads, () => {})])
  assert.equal(response(fetched!).status, 200)
  assert.match(heads[0]!, /^GET http:\/\/a\.test\/x HTTP\/1\.1\r\nhost: a\.test\r\n/)
  assert.match(heads[0]!, /proxy-authorization: Basic YW5uOnNAY3JldA==\r\n/)
})

test('proxies take turns', async () => {
  const seen: string[][] = [[], []]
  const servers = seen.map((heads) => proxyServer(heads, () => {}))
  await throughProxies(['http://a.test/', 'http://a.test/', 'http://b.test/'], servers)
  assert.deepEqual(seen.map((heads) => heads.length).sort(), [1, 2])
})

test('a proxy that cannot reach the host, or refuses us, fails without naming credentials', async () => {
  const saying = (line: string) =>
    proxyServer([], (socket) => socket.end(`HTTP/1.1 ${line}\r\n\r\n`))
  const cases: readonly [string, string][] = [
    ['502 Bad Gateway', 'failed connect: the proxy answered 502'],
    ['407 Proxy Authentication Required', 'failed connect: the proxy answered 407'],
    ['garbage', 'failed connect: the proxy gave no answer we understand'],
  ]
  for (const [line, expected] of cases) {
    const [fetched] = await throughProxies(['https://a.test/'], [saying(line)])
    assert.equal(summary(fetched!), expected)
  }
})

test('a private target is refused before the proxy hears of it', async () => {
  const heads: string[] = []
  const hrefs = ['http://10.0.0.1/', 'https://localhost/', 'http://a.test:6379/']
  const found = await throughProxies(hrefs, [proxyServer(heads, () => {})])
  assert.deepEqual(found.map(summary), [
    'refused private-address: 10.0.0.1',
    'refused private-address: 127.0.0.1',
    'refused port: 6379',
  ])
  assert.deepEqual(heads, [])
})

test('a page behind TLS comes through a tunnel, verified end to end', {
  skip: certificates === null,
}, async () => {
  const inner = createTlsServer(certificates!.good, answer)
  const heads: string[] = []
  const proxy = proxyServer(heads, (socket) => {
    socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
    inner.emit('connection', socket)
  })
  const [good, bad] = await throughProxies(['https://good.test/', 'https://bad.test/'], [proxy])
  assert.equal(text(good!), 'ok')
  assert.equal(summary(bad!), 'failed tls: ERR_TLS_CERT_ALTNAME_INVALID')
  assert.match(heads[0]!, /^CONNECT good\.test:443 HTTP\/1\.1\r\nhost: good\.test:443\r\n/)
})
