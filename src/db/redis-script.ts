// Lua scripts put together from the pieces in the `redis/lua` folders. Of the pieces before the last one only
// what is used gets in: a server makes every function of a script anew each time it runs it, and Lua
// allows no more than 200 of them.
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
 * One script made of pieces, each the name of a file without `.lua`: one of the frontier's, or
 * `scouter/members` for one of another folder. `first` is text that goes before them.
 */
export function composeScript(name: string, pieces: readonly string[], first = ''): RedisScript {
  const used = usedOf(pieces.map(partsOf))
  const texts = used.map((parts, at) => blockOf(parts, used.slice(at + 1).flat()))
  const text = [first, ...texts, ''].join('\n')
  return { name, text, sha: createHash('sha1').update(text).digest('hex') }
}

/** A statement that stands at the beginning of a line, with all that belongs to it. */
type Part = {
  readonly text: string
  /** The local names it gives; none: it does something, and is always needed. */
  readonly gives: readonly string[]
  readonly words: ReadonlySet<string>
}

const LOCAL = /^local (?:function (\w+)|([\w, ]+?)(?:$| *=))/
/** A line that only ends what the lines before it began. */
const ENDS = /^(?:end|else|elseif|until|[)\]}])/

const read = new Map<string, readonly Part[]>()

function partsOf(name: string): readonly Part[] {
  const known = read.get(name)
  if (known !== undefined) return known
  const parts: string[] = []
  const [owner, piece] = name.includes('/') ? name.split('/') : ['frontier', name]
  const file = join(SRC, `${owner}/redis/lua/${piece}.lua`)
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    const text = line.trim()
    // A server keeps every script it has seen: what is only for people stays here.
    if (text === '' || text.startsWith('--')) continue
    if (text === line && !ENDS.test(line)) parts.push(text)
    else parts.push(`${parts.pop() ?? ''}\n${text}`)
  }
  const all = parts.map(asPart)
  read.set(name, all)
  return all
}

function asPart(text: string): Part {
  const [, name, names = ''] = LOCAL.exec(text) ?? []
  const gives = name === undefined ? names.split(/[, ]+/).filter((each) => each !== '') : [name]
  return { text, gives, words: new Set(text.match(/[A-Za-z_]\w*/g)) }
}

/** All of the last piece, and of those before it what is needed. */
function usedOf(pieces: readonly (readonly Part[])[]): (readonly Part[])[] {
  const needed = new Set<string>()
  const used: (readonly Part[])[] = []
  for (const [at, piece] of pieces.entries().toArray().toReversed()) {
    const isLast = at === pieces.length - 1
    const parts: Part[] = []
    for (const part of isLast ? piece : piece.toReversed()) {
      const isNeeded = part.gives.length === 0 || part.gives.some((name) => needed.has(name))
      if (!isLast && !isNeeded) continue
      parts.push(part)
      for (const word of part.words) needed.add(word)
    }
    used.unshift(isLast ? parts : parts.toReversed())
  }
  return used
}

/** A piece with what only it uses out of sight of those after it: names in sight are few, too. */
function blockOf(parts: readonly Part[], after: readonly Part[]): string {
  if (after.length === 0) return parts.map(({ text }) => text).join('\n')
  const later = new Set(after.flatMap(({ words }) => [...words]))
  const shown = new Set(parts.flatMap(({ gives }) => gives).filter((name) => later.has(name)))
  const lines = parts.map((part) =>
    part.gives.some((name) => shown.has(name)) ? given(part) : part.text,
  )
  const names = parts.flatMap(({ gives }) => (gives.some((name) => shown.has(name)) ? gives : []))
  const declared = names.length === 0 ? '' : `local ${names.join(', ')}`
  return [declared, 'do', ...lines, 'end'].join('\n')
}

/** The same statement for names that are declared already. */
function given({ text, gives }: Part): string {
  const isBare = text === `local ${gives.join(', ')}`
  return isBare ? '' : text.replace(/^local /, '')
}
