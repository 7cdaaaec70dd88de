// A name server on loopback that says what a test wants, or nothing at all.
import { createSocket } from 'node:dgram'

/** Addresses of either family, what is wrong, or `silent`: no answer ever comes. */
export type Says = readonly string[] | 'silent' | 'missing' | 'broken'

export type DnsServer = AsyncDisposable & {
  /** `127.0.0.1:port`. */
  readonly address: string
  /** Names in the order of their questions, one for each family. */
  readonly asked: readonly string[]
}

const CODES: Readonly<Record<string, number>> = { broken: 2, missing: 3 }
const A = 1
const AAAA = 28
const TTL = 60

export async function serveNames(says: (name: string) => Says, port = 0): Promise<DnsServer> {
  const asked: string[] = []
  const socket = createSocket('udp4')
  socket.on('message', (message, peer) => {
    const { name, type, end } = questionOf(message)
    asked.push(name)
    const said = says(name)
    if (said === 'silent') return
    const answer = answerTo(message.subarray(0, end), type, said)
    socket.send(answer, peer.port, peer.address)
  })
  await new Promise<void>((resolve) => socket.bind(port, '127.0.0.1', resolve))
  return {
    address: `127.0.0.1:${socket.address().port}`,
    asked,
    [Symbol.asyncDispose]: () => new Promise((resolve) => socket.close(() => resolve())),
  }
}

function questionOf(message: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = []
  let at = 12
  for (let length = message[at] ?? 0; length > 0; length = message[at] ?? 0) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.').toLowerCase(), type: message.readUInt16BE(at + 1), end: at + 5 }
}

function answerTo(question: Buffer, type: number, said: Exclude<Says, 'silent'>): Buffer {
  const records = typeof said === 'string' ? [] : said.map(bytesOf).filter(isOf(type))
  const head = Buffer.from(question)
  head.writeUInt16BE(0x8180 | (typeof said === 'string' ? (CODES[said] ?? 0) : 0), 2)
  head.writeUInt16BE(records.length, 6)
  head.writeUInt32BE(0, 8)
  return Buffer.concat([head, ...records.map((bytes) => recordOf(type, bytes))])
}

function isOf(type: number): (bytes: Buffer) => boolean {
  return ({ length }) => (type === A && length === 4) || (type === AAAA && length === 16)
}

function recordOf(type: number, bytes: Buffer): Buffer {
  const record = Buffer.alloc(12)
  record.writeUInt16BE(0xc00c, 0)
  record.writeUInt16BE(type, 2)
  record.writeUInt16BE(1, 4)
  record.writeUInt32BE(TTL, 6)
  record.writeUInt16BE(bytes.length, 10)
  return Buffer.concat([record, bytes])
}

function bytesOf(address: string): Buffer {
  if (!address.includes(':')) return Buffer.from(address.split('.').map(Number))
  const [head = '', tail = ''] = address.split('::')
  const groups = (text: string): number[] =>
    text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16))
  const [left, right] = [groups(head), groups(tail)]
  const middle = new Array<number>(8 - left.length - right.length).fill(0)
  const bytes = Buffer.alloc(16)
  for (const [at, group] of [...left, ...middle, ...right].entries()) {
    bytes.writeUInt16BE(group, 2 * at)
  }
  return bytes
}
