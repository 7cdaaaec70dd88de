// The misdeeds, by the names of the catalogue they come from: T transport and timing, H framing
// and headers, Z compression, R redirects.
import type { Socket } from 'node:net'
import { brotliCompressSync, gzipSync, zstdCompressSync } from 'node:zlib'

/** Answers request number `nth` of a connection. */
export type Misdeed = (socket: Socket, nth: number) => void

const MAX_BYTES = 256 * 1024 * 1024
const MAX_DRIPS = 2000
const DRIP_MS = 20
const ZEROS = Buffer.alloc(4 * 1024 * 1024)
const BOMB = gzipSync(ZEROS)

const PAGE = '<title>ok</title>'
const OK = `HTTP/1.1 200 OK\r\ncontent-type: text/html\r\n`
const EARLY_HINTS = 'HTTP/1.1 103 Early Hints\r\nlink: </a.css>\r\n\r\n'
const CHUNKED = `${OK}transfer-encoding: chunked\r\n\r\n`

/** Writes exactly this, once per request. */
function say(...parts: readonly (string | Uint8Array)[]): Misdeed {
  return (socket) => {
    for (const part of parts) {
      if (typeof part === 'string') socket.write(part, 'latin1')
      else socket.write(part)
    }
  }
}

/** Writes this and hangs up. */
function sayAndClose(text: string): Misdeed {
  return (socket) => socket.end(text, 'latin1')
}

/** Writes the first part, then the second over and over as fast as it goes. */
function flood(first: string, again: string): Misdeed {
  return (socket) => {
    socket.write(first, 'latin1')
    const piece = Buffer.from(again.repeat(Math.ceil(65_536 / again.length)), 'latin1')
    let left = MAX_BYTES
    const pour = (): void => {
      while (left > 0 && !socket.destroyed) {
        left -= piece.length
        if (!socket.write(piece)) {
          socket.once('drain', pour)
          return
        }
      }
      socket.destroy()
    }
    pour()
  }
}

/** Writes the first part, then a piece of the second now and then. */
function drip(first: string, again: string): Misdeed {
  return (socket) => {
    socket.write(first, 'latin1')
    let left = MAX_DRIPS
    const timer = setInterval(() => {
      left -= 1
      if (left > 0) socket.write(again, 'latin1')
      else socket.destroy()
    }, DRIP_MS)
    socket.on('close', () => clearInterval(timer))
  }
}

function page(headers: string, body: string = PAGE): string {
  return `${OK}${headers}content-length: ${body.length}\r\n\r\n${body}`
}

function status(line: string, headers = ''): string {
  return `HTTP/1.1 ${line}\r\n${headers}content-length: ${PAGE.length}\r\n\r\n${PAGE}`
}

function encoded(encoding: string, body: Uint8Array): Misdeed {
  return say(`${OK}content-encoding: ${encoding}\r\ncontent-length: ${body.length}\r\n\r\n`, body)
}

function redirect(location: string): Misdeed {
  return say(`HTTP/1.1 302 Found\r\n${location}content-length: 0\r\n\r\n`)
}

/** Goes well once per connection, then as told. */
function secondTime(misdeed: Misdeed): Misdeed {
  return (socket, nth) => (nth === 1 ? say(page(''))(socket, nth) : misdeed(socket, nth))
}

const silence: Misdeed = () => {}
const many = (count: number, line: (n: number) => string): string =>
  Array.from({ length: count }, (_, n) => line(n)).join('')

export const HOSTILE_CASES: Readonly<Record<string, Misdeed>> = {
  ok: say(page('')),
  empty: say(page('', '')),
  close: sayAndClose(page('connection: close\r\n')),

  T1: silence,
  T4: drip('HTTP/1.1 200 OK\r\nx-slow: ', 'x'),
  T5: flood(OK, 'x-more: and more\r\n'),
  T6: flood('', EARLY_HINTS),
  'T6-few': say(EARLY_HINTS.repeat(5)),
  'T6-ten': say(EARLY_HINTS.repeat(10), page('')),
  'T6-eleven': say(EARLY_HINTS.repeat(11), page('')),
  'T6-continue': flood('', 'HTTP/1.1 100 Continue\r\n\r\n'),
  T7: drip(`${OK}content-length: 100000\r\n\r\n`, 'x'),
  T8: flood(`${OK}\r\n`, '<p>and on</p>'),
  T9: say(`${CHUNKED}5\r\nhello\r\n`),
  T10: flood(`${CHUNKED}5;`, 'x'),
  'T10-body': flood(`${CHUNKED}5\r\nhello\r\n5;`, 'x'),
  T11: flood(`${CHUNKED}0\r\n`, 'x-trailer: on\r\n'),
  T12: (socket) => socket.end(),
  T13: (socket) => {
    socket.write(`${OK}content-length: 1000\r\n\r\nhalf`, 'latin1', () => socket.resetAndDestroy())
  },
  T14: secondTime((socket) => socket.end()),
  'T14-reset': secondTime((socket) => socket.resetAndDestroy()),
  T15: say(page(''), status('200 OK', 'x-unasked: yes\r\n')),
  T17: (socket) => socket.pause(),

  H1: sayAndClose(`${OK}content-length: 1000\r\n\r\n${PAGE}`),
  'H1-chunked': sayAndClose(`${CHUNKED}5\r\nhello\r\n`),
  H2: say(`${OK}content-length: 7\r\n\r\n${PAGE}`),
  H3: say(page(`content-length: ${PAGE.length}\r\n`)),
  H4: say(page('content-length: 3\r\n')),
  H5: say(page('transfer-encoding: chunked\r\n')),
  'H6-negative': say(`${OK}content-length: -5\r\n\r\n${PAGE}`),
  'H6-huge': say(`${OK}content-length: 99999999999999999999\r\n\r\n${PAGE}`),
  H7: sayAndClose(`HTTP/1.0 200 OK\r\ncontent-type: text/html\r\n\r\n${PAGE}`),
  'H8-letters': say(`${CHUNKED}ZZ\r\n${PAGE}`),
  'H8-huge': say(`${CHUNKED}fffffffffffffffff\r\n${PAGE}`),
  'H8-no-end': say(`${CHUNKED}5\r\nhelloXX0\r\n\r\n`),
  'H9-long': say(page(`x-long: ${'x'.repeat(20_000)}\r\n`)),
  'H9-many': say(page(many(3000, (n) => `x-${n}: value\r\n`))),
  'H10-nul': say(page('x-nul: a\0b\r\n')),
  'H10-no-colon': say(page('nonsense\r\n')),
  'H10-space': say(page('x-space : a\r\n')),
  'H10-fold': say(page('x-fold: a\r\n b\r\n')),
  H11: say(page('').replaceAll('\r\n', '\n')),
  'H12-09': sayAndClose(PAGE),
  'H12-icy': sayAndClose(page('').replace('HTTP/1.1', 'ICY')),
  'H12-2': sayAndClose(page('').replace('HTTP/1.1', 'HTTP/2.0')),
  'H13-099': say(status('099 Low')),
  'H13-600': say(status('600 High')),
  'H13-999': say(status('999 Denied')),
  'H13-bare': say(status('200')),
  H14: say('HTTP/1.1 100 Continue\r\n\r\n', page('')),
  'H14-headers': say(`HTTP/1.1 100 Continue\r\nx-a: b\r\n\r\n${page('')}`),
  'H14-pieces': (socket) => {
    const pieces = [...`HTTP/1.1 100 Continue\r\n\r\n${page('')}`]
    const next = (): void => {
      const piece = pieces.shift()
      if (piece !== undefined) socket.write(piece, 'latin1', () => setImmediate(next))
    }
    next()
  },
  H15: say('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: h2c\r\n\r\n'),
  'H15-bare': say('HTTP/1.1 101 Switching Protocols\r\n\r\n'),
  'H16-204': say(status('204 No Content')),
  'H16-205': say(status('205 Reset Content')),
  H17: say(status('304 Not Modified')),
  H18: say(status('206 Partial Content', 'content-range: bytes 0-16/100\r\n')),
  H19: say(page('content-range: bytes 0-1/2\r\n')),
  H20: say(
    page(
      `content-type: image/png\r\nlocation: /first\r\nlocation: /second\r\n${many(500, (n) => `set-cookie: a${n}=b\r\n`)}`,
    ),
  ),
  'H20-tags': say(page('x-robots-tag: noindex\r\nx-robots-tag: otherbot: nofollow\r\n')),
  'H21-latin1': say(page('etag: "caf\xe9"\r\n')),
  H22: say(page('').replace('content-type: text/html\r\n', '')),
  'H22-params': say(page('').replace('text/html', `text/html${'; charset='.repeat(1000)}`)),

  Z1: encoded('gzip', BOMB),
  Z2: encoded('br', brotliCompressSync(ZEROS)),
  Z3: encoded('zstd', zstdCompressSync(ZEROS)),
  Z4: encoded('gzip, gzip', gzipSync(BOMB)),
  Z5: encoded(Array(1000).fill('gzip').join(', '), gzipSync(PAGE)),
  Z16: say(
    `HTTP/1.1 302 Found\r\nlocation: /ok\r\ncontent-encoding: gzip\r\ncontent-length: ${BOMB.length}\r\n\r\n`,
    BOMB,
  ),

  R1: redirect('location: /R1\r\n'),
  R2: redirect('location: /R2?hop=1\r\n'),
  'R4-relative': redirect('location: ../up?q=1\r\n'),
  'R4-empty': redirect('location: \r\n'),
  'R4-missing': redirect(''),
  'R4-long': redirect(`location: /${'x'.repeat(1_000_000)}\r\n`),
  'R4-utf8': redirect('location: /caf\xc3\xa9\r\n'),
  'R4-latin1': redirect('location: /caf\xe9\r\n'),
  R5: redirect('location: file:///etc/passwd\r\n'),
  R18: flood('HTTP/1.1 302 Found\r\nlocation: /ok\r\n\r\n', 'x'),
  'R18-announced': flood(
    'HTTP/1.1 302 Found\r\nlocation: /ok\r\ncontent-length: 9999999\r\n\r\n',
    'x',
  ),
  'R18-idle': say('HTTP/1.1 302 Found\r\nlocation: /ok\r\ntransfer-encoding: chunked\r\n\r\n'),
}
