// Lua scripts. Each is a file in the `redis/lua` folder of a part of the program.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const SRC = join(import.meta.dirname, '..')

export type RedisScript = {
  readonly name: string
  readonly text: string
  /** What a server that has run it knows it by. */
  readonly sha: string
}

/**
 * The script of a file: `scouter/members` is in src/scouter/redis/lua/members.lua. The text of the files
 * `before` goes before it.
 */
export function readScript(name: string, ...before: readonly string[]): RedisScript {
  const texts = [...before, name].map((each) => {
    const [owner, file] = each.split('/')
    return readFileSync(join(SRC, `${owner}/redis/lua/${file}.lua`), 'utf8')
  })
  return scriptOf(name, texts.join('\n'))
}

export function scriptOf(name: string, lua: string): RedisScript {
  // A server keeps every script it has seen: what is only for people stays here.
  const lines = lua.split('\n').filter((line) => !/^\s*(?:--|$)/.test(line))
  const text = lines.join('\n')
  return { name, text, sha: createHash('sha1').update(text).digest('hex') }
}
