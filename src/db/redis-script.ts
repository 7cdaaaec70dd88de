// Lua scripts put together from the pieces in src/db/redis/.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const FOLDER = join(import.meta.dirname, 'redis')

export type RedisScript = {
  readonly name: string
  readonly text: string
  /** What a server that has run it knows it by. */
  readonly sha: string
}

/** One script of pieces, each a file's name without `.lua`; `first` is text that goes before them. */
export function composeScript(name: string, pieces: readonly string[], first = ''): RedisScript {
  const text = [first, ...pieces.map(readPiece)].join('\n')
  return { name, text, sha: createHash('sha1').update(text).digest('hex') }
}

const read = new Map<string, string>()

function readPiece(name: string): string {
  const known = read.get(name)
  if (known !== undefined) return known
  const text = withoutComments(readFileSync(join(FOLDER, `${name}.lua`), 'utf8'))
  read.set(name, text)
  return text
}

/** A server keeps every script it has seen: what is only for people stays here. */
function withoutComments(text: string): string {
  const lines = text.split('\n').map((line) => line.trim())
  return lines.filter((line) => line !== '' && !line.startsWith('--')).join('\n')
}
