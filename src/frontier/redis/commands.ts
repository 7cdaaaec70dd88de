// What write.lua does, as arguments: a name, a key after the partition's tag, the number of arguments, the
// arguments.
import type { RedisArgument } from '../../db/redis.ts'
import { readScript } from '../../db/redis-client.ts'
import type { Message } from '../storage.ts'

/** Lua hands over some thousand values at once. */
const MAX_VALUES = 1000
/** What a server does in one go, in arguments and bytes: some milliseconds. */
const PIECE = { values: 6000, bytes: 1 << 20 }

export type Command = readonly [name: string, key: string, args: readonly RedisArgument[]]

export function messageCommands(messages: readonly Message[]): Command[] {
  const byReceiver = Map.groupBy(messages, ({ to }) => to)
  return [...byReceiver].map(([to, some]) => ['SEND', `o:${to}`, some.map(packMessage)])
}

function packMessage({ number, body }: Message): Buffer {
  return Buffer.concat([Buffer.from(`${number}:`), body])
}

export function unpackMessage(bytes: Buffer, from: number, to: number): Message {
  const end = bytes.indexOf(':')
  const body = Uint8Array.from(bytes.subarray(end + 1))
  return { from, to, number: Number(bytes.toString('latin1', 0, end)), body }
}

/** Commands as arguments of write.lua, in pieces that a server does in one go: at least one. */
export function piecesOf(
  commands: readonly Command[],
  most: number = PIECE.values,
): RedisArgument[][] {
  const pieces: RedisArgument[][] = []
  let [piece, bytes]: [RedisArgument[], number] = [[], 0]
  for (const [name, key, args] of commands) {
    for (let at = 0; at === 0 || at < args.length; at += MAX_VALUES) {
      const some = args.length <= MAX_VALUES ? args : args.slice(at, at + MAX_VALUES)
      if (piece.length > most || (bytes > PIECE.bytes && most === PIECE.values)) {
        pieces.push(piece)
        ;[piece, bytes] = [[], 0]
      }
      piece.push(name, key, some.length, ...some)
      for (const each of some) bytes += typeof each === 'number' ? 8 : each.length
    }
  }
  pieces.push(piece)
  return pieces
}

/** A piece as one value, to keep it. */
export function packPiece(piece: readonly RedisArgument[]): Buffer {
  const parts = piece.flatMap((each) => {
    const bytes = Buffer.isBuffer(each) ? each : Buffer.from(String(each))
    const length = Buffer.alloc(4)
    length.writeUInt32LE(bytes.length)
    return [length, bytes]
  })
  return Buffer.concat(parts)
}

export function unpackPiece(bytes: Buffer): Buffer[] {
  const piece: Buffer[] = []
  for (let at = 0; at < bytes.length; ) {
    const end = at + 4 + bytes.readUInt32LE(at)
    piece.push(bytes.subarray(at + 4, end))
    at = end
  }
  return piece
}

const CLOCK = 'frontier/clock'

/** The Lua scripts: they compare the fence and write rows, and know no rule of a frontier. */
export const BEGIN = readScript('frontier/begin', CLOCK)
export const CLAIM = readScript('frontier/claim', CLOCK)
export const FREE = readScript('frontier/free')
export const OWNERS = readScript('frontier/owners', CLOCK)
export const REPORT = readScript('frontier/report', CLOCK)
export const SCAN = readScript('frontier/scan')
export const TRIM = readScript('frontier/trim')
export const WRITE = readScript('frontier/write')
