// A name server over UDP that says what it is told to say, and counts who asks.
import { createSocket } from 'node:dgram'

export type NameAnswer = {
  readonly a?: readonly string[]
  readonly aaaa?: readonly string[]
  readonly cname?: string
  /** 2: the server fails, 3: there is no such name. */
  readonly rcode?: number
  /** Never answers. */
  readonly silent?: boolean
}

/** By name; `nth` is how often the address of that name was asked for, from 1. */
export type Names = Readonly<Record<string, NameAnswer | ((nth: number) => NameAnswer)>>

export type NameServer = AsyncDisposable & {
  readonly asked: readonly { readonly name: string; readonly type: number }[]
  add(names: Names): void
}

const A = 1
const CNAME = 5
const AAAA = 28

export async function openNameServer(
  address: string,
  port: number,
  otherwise: (name: string) => NameAnswer,
): Promise<NameServer> {
  const names = new Map<string, Names[string]>()
  const asked: { name: string; type: number }[] = []
  const counts = new Map<string, number>()
  const socket = createSocket('udp4')
  const answerFor = (name: string, type: number): NameAnswer => {
    const key = `${name} ${type}`
    const nth = (counts.get(key) ?? 0) + 1
    counts.set(key, nth)
    const known = names.get(name)
    if (known === undefined) return otherwise(name)
    return typeof known === 'function' ? known(nth) : known
  }
  socket.on('message', (message, from) => {
    const question = readQuestion(message)
    if (question === null) return
    const { name, type } = question
    asked.push({ name, type })
    const answer = answerFor(name, type)
    if (answer.silent) return
    socket.send(encode(message, question, answer), from.port, from.address)
  })
  socket.on('error', () => {})
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject)
    socket.bind(port, address, () => resolve())
  })
  return {
    asked,
    add: (more) => {
      for (const [name, answer] of Object.entries(more)) names.set(name, answer)
    },
    [Symbol.asyncDispose]: () => new Promise((resolve) => socket.close(() => resolve())),
  }
}

type Question = { readonly name: string; readonly type: number; readonly end: number }

function readQuestion(message: Buffer): Question | null {
  const labels: string[] = []
  let at = 12
  for (;;) {
    const length = message[at]
    if (length === undefined || length > 63) return null
    at += 1
    if (length === 0) break
    labels.push(message.subarray(at, at + length).toString('latin1'))
    at += length
  }
  return { name: labels.join('.').toLowerCase(), type: message.readUInt16BE(at), end: at + 4 }
}

function encode(query: Buffer, { type, end }: Question, answer: NameAnswer): Buffer {
  const records = recordsOf(type, answer)
  const head = Buffer.alloc(12)
  query.copy(head, 0, 0, 2)
  head.writeUInt16BE(0x8180 | (answer.rcode ?? 0), 2)
  head.writeUInt16BE(1, 4)
  head.writeUInt16BE(records.length, 6)
  return Buffer.concat([head, query.subarray(12, end), ...records])
}

function recordsOf(type: number, { a = [], aaaa = [], cname }: NameAnswer): Buffer[] {
  const records: Buffer[] = []
  let owner: Buffer = Buffer.from([0xc0, 0x0c])
  if (cname !== undefined) {
    const target = encodeName(cname)
    records.push(record(owner, CNAME, target))
    owner = target
  }
  if (type === A)
    for (const ip of a) records.push(record(owner, A, Buffer.from(ip.split('.').map(Number))))
  if (type === AAAA) for (const ip of aaaa) records.push(record(owner, AAAA, bytesOfV6(ip)))
  return records
}

function record(owner: Buffer, type: number, content: Buffer): Buffer {
  const head = Buffer.alloc(10)
  head.writeUInt16BE(type, 0)
  head.writeUInt16BE(1, 2)
  // Time to live 0: whoever remembers it does so at their own risk.
  head.writeUInt32BE(0, 4)
  head.writeUInt16BE(content.length, 8)
  return Buffer.concat([owner, head, content])
}

function encodeName(name: string): Buffer {
  const labels = name.split('.').filter(Boolean)
  return Buffer.concat([
    ...labels.map((label) => Buffer.from([label.length, ...Buffer.from(label, 'latin1')])),
    Buffer.from([0]),
  ])
}

function bytesOfV6(ip: string): Buffer {
  const [head = '', tail = ''] = ip.split('::')
  const left = head.split(':').filter(Boolean)
  const right = tail.split(':').filter(Boolean)
  const middle = ip.includes('::') ? Array(8 - left.length - right.length).fill('0') : []
  return Buffer.from(
    [...left, ...middle, ...right].map((group) => group.padStart(4, '0')).join(''),
    'hex',
  )
}
