// The Lua scripts: they compare the fence and write rows, and know no rule of a frontier.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RedisScript } from '../../db/redis-script.ts'

function scriptOf(name: string, ...pieces: readonly string[]): RedisScript {
  const texts = [...pieces, name].map((piece) =>
    readFileSync(join(import.meta.dirname, 'lua', `${piece}.lua`), 'utf8'),
  )
  // A server keeps every script it has seen: what is only for people stays here.
  const lines = texts.join('\n').split('\n')
  const text = lines.filter((line) => !/^\s*(?:--|$)/.test(line)).join('\n')
  return { name, text, sha: createHash('sha1').update(text).digest('hex') }
}

export const BEGIN = scriptOf('begin', 'clock')
export const CLAIM = scriptOf('claim', 'clock')
export const FREE = scriptOf('free')
export const OWNERS = scriptOf('owners', 'clock')
export const REPORT = scriptOf('report', 'clock')
export const TRIM = scriptOf('trim')
export const WRITE = scriptOf('write')
