// The log of recorder.c, read back.
import { readFileSync } from 'node:fs'

const KINDS = [
  '',
  'create',
  'write',
  'truncate',
  'sync',
  'rename',
  'unlink',
  'mkdir',
  'rmdir',
  'sync-folder',
] as const

export type LogRecord = {
  readonly kind: (typeof KINDS)[number]
  /** Where in the log it begins. */
  readonly at: number
  readonly inode: number
  /** Of a write: where in the file. Of truncate: the size. Of a sync: how long the log was when it began. */
  readonly number: number
  readonly path: string
  readonly second: string
  readonly data: Buffer
}

const HEAD_BYTES = 4 + 1 + 24 + 12

export function readLog(path: string): readonly LogRecord[] {
  const log = readFileSync(path)
  const records: LogRecord[] = []
  for (let at = 0; at < log.length; ) {
    const bytes = log.readUInt32LE(at)
    records.push(decode(log, at))
    at += 4 + bytes
  }
  return records
}

function decode(log: Buffer, at: number): LogRecord {
  const kind = KINDS[log.readUInt8(at + 4)]
  if (!kind) throw new Error(`the log is broken at ${at}`)
  const lengths = [29, 33, 37].map((offset) => log.readUInt32LE(at + offset)) as [
    number,
    number,
    number,
  ]
  const pathAt = at + HEAD_BYTES
  const secondAt = pathAt + lengths[0]
  const dataAt = secondAt + lengths[1]
  return {
    kind,
    at,
    inode: Number(log.readBigUInt64LE(at + 5)),
    number: Number(log.readBigUInt64LE(at + 13)),
    path: log.toString('utf8', pathAt, secondAt),
    second: log.toString('utf8', secondAt, dataAt),
    data: log.subarray(dataAt, dataAt + lengths[2]),
  }
}
