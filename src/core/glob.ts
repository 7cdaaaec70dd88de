// Globs over URLs, for `--include` and `--exclude`. Never a regular expression: whatever the
// pattern, a match takes at most (length of pattern) × (length of URL) steps.
//
//   *       any characters but `/`         ?       any one character but `/`
//   **      any characters                 {a,b}   a or b; may be nested
//   **/     any number of folders, also none
// (in a query `/` is a character like any other)
//
// What a glob is held against depends on how it begins:
//   https://example.com/blog/**   has a scheme: the whole URL
//   *.example.com/blog/**         has a slash: host, path and query, under any scheme
//   /blog/**                      begins with a slash: path and query, on any host
//   *.pdf, *.example.com          no slash: the host, or any one part of the path between
//                                 slashes (the last one with its query)
// A host without a path (`https://example.com`) means all of that host. Since `?` stands for any
// character, it also stands for itself in `/search?q=*`. Hosts are compared in small letters,
// paths as they are; escapes in the spelling that URLs are stored in.
import { domainToASCII } from 'node:url'
import { InvalidInput } from './errors.ts'
import { type CanonicalUrl, hostOf, normalisePercent, pathOf } from './url.ts'

export type UrlGlob = {
  readonly pattern: string
  matches(url: CanonicalUrl): boolean
}

const MAX_PATTERN = 512
const SCHEME = /^(?:http|https|\*):\/\//i

/** `at` names the option that an error is about. Throws `InvalidInput` on a glob that makes no sense. */
export function compileGlob(pattern: string, at = 'glob'): UrlGlob {
  const trimmed = pattern.trim()
  if (trimmed === '') throw new InvalidInput(at, 'a glob must not be empty')
  if (trimmed.length > MAX_PATTERN) {
    throw new InvalidInput(at, `a glob may have ${MAX_PATTERN} characters at most`)
  }
  const alternatives = expandBraces(trimmed, at).map((text) => compileOne(text, at))
  return {
    pattern,
    matches: (url) => alternatives.some((matches) => matches(url)),
  }
}

function compileOne(text: string, at: string): (url: CanonicalUrl) => boolean {
  if (/\s/.test(text)) throw new InvalidInput(at, `the glob "${text}" has white space in it`)
  const scheme = SCHEME.exec(text)?.[0].toLowerCase()
  if (scheme !== undefined) {
    return against(scheme + hostAndPath(text.slice(scheme.length)), (url) => url)
  }
  if (/^[\w+.-]*:\/\//.test(text)) {
    throw new InvalidInput(at, `the glob "${text}" has a scheme that is never crawled`)
  }
  if (text.startsWith('/')) return against(normalisePercent(text), pathOf)
  if (text.includes('/')) return against(hostAndPath(text), (url) => hostOf(url) + pathOf(url))
  return anyPart(text)
}

function against(text: string, part: (url: CanonicalUrl) => string) {
  const matcher = compileMatcher(text)
  return (url: CanonicalUrl) => matcher.matches(part(url))
}

function anyPart(text: string): (url: CanonicalUrl) => boolean {
  const host = compileMatcher(asciiHost(text))
  const segment = compileMatcher(normalisePercent(text))
  return (url) => host.matches(hostOf(url)) || someSegment(pathOf(url), segment)
}

function someSegment(path: string, matcher: Matcher): boolean {
  const query = path.indexOf('?')
  const segments = (query < 0 ? path : path.slice(0, query)).split('/')
  if (query >= 0) segments.push(`${segments.pop() ?? ''}${path.slice(query)}`)
  return segments.some((segment) => matcher.matches(segment))
}

function hostAndPath(text: string): string {
  const slash = text.indexOf('/')
  if (slash < 0) return `${asciiHost(text)}/**`
  return asciiHost(text.slice(0, slash)) + normalisePercent(text.slice(slash))
}

/** Labels with a wildcard in them cannot be written in Punycode and stay as they are. */
function asciiHost(host: string): string {
  const labels = host.toLowerCase().split('.')
  return labels.map((label) => (/[^!-~]/.test(label) ? domainToASCII(label) : label)).join('.')
}

// The limit for all patterns together: matching takes time in proportion.
const MAX_EXPANDED = 4096

/** All patterns that a pattern with braces (`{a,b}`) stands for, in the order they are written. */
function expandBraces(pattern: string, at: string): string[] {
  const reader = { pattern, position: 0, at }
  const texts = readSequence(reader, 0)
  if (reader.position < pattern.length) {
    throw new InvalidInput(at, `the glob "${pattern}" closes a brace that is not open`)
  }
  return texts
}

type Reader = { readonly pattern: string; position: number; readonly at: string }

function readSequence(reader: Reader, depth: number): string[] {
  let texts = ['']
  for (;;) {
    const char = reader.pattern[reader.position]
    if (char === undefined || char === '}' || (char === ',' && depth > 0)) return texts
    reader.position += 1
    texts = joinAll(texts, char === '{' ? readChoice(reader, depth + 1) : [char], reader)
  }
}

function readChoice(reader: Reader, depth: number): string[] {
  const choices: string[] = []
  for (;;) {
    choices.push(...readSequence(reader, depth))
    const end = reader.pattern[reader.position]
    if (end === undefined) {
      throw new InvalidInput(reader.at, `the glob "${reader.pattern}" leaves a brace open`)
    }
    reader.position += 1
    if (end === '}') return choices
  }
}

function joinAll(heads: readonly string[], tails: readonly string[], reader: Reader): string[] {
  const texts = heads.flatMap((head) => tails.map((tail) => head + tail))
  if (texts.reduce((sum, text) => sum + text.length, 0) > MAX_EXPANDED) {
    throw new InvalidInput(reader.at, `the glob "${reader.pattern}" has too many alternatives`)
  }
  return texts
}

interface Matcher {
  /** For ASCII text; anything else matches wildcards only. */
  matches(text: string): boolean
}

/** The pattern taken apart: characters to read, and what may be skipped before each, and at the end. */
type Tokens = { readonly chars: number[]; readonly skips: Set<Skip>[] }
type Skip = 'in-folder' | 'anything' | 'folders'

const ANY_CHAR = -1
const SLASH = 0x2f
const QUESTION_MARK = 0x3f

/**
 * One glob without braces as a machine that is in several places of the pattern at once: it reads the text
 * once and never goes back. Places are bits, so a step costs a few operations per 32 characters of pattern,
 * whatever the wildcards.
 */
function compileMatcher(glob: string): Matcher {
  const prefix = /^[^*?]*/.exec(glob)?.[0] ?? ''
  const rest = glob.slice(prefix.length)
  if (rest === '') return { matches: (text) => text === prefix }
  // `…/**` is what most people write, and needs no machine.
  if (rest === '**') return { matches: (text) => text.startsWith(prefix) }
  const machine = new Machine(readTokens(rest, prefix === '' || prefix.endsWith('/')))
  return { matches: (text) => text.startsWith(prefix) && machine.accepts(text, prefix.length) }
}

function readTokens(glob: string, startsFolder: boolean): Tokens {
  const chars: number[] = []
  const skips = [new Set<Skip>()]
  const read = (char: number) => {
    chars.push(char)
    skips.push(new Set())
  }
  for (const [piece] of glob.matchAll(/\*\*+\/?|./gs)) {
    const skip = skips.at(-1)
    const opensFolder = chars.length === 0 ? startsFolder : chars.at(-1) === SLASH
    if (piece === '?') read(ANY_CHAR)
    else if (!piece.startsWith('*')) read(piece.charCodeAt(0))
    else if (piece === '*') skip?.add('in-folder')
    else if (!piece.endsWith('/')) skip?.add('anything')
    else if (opensFolder && !skip?.has('in-folder') && !skip?.has('anything')) skip?.add('folders')
    else {
      skip?.add('anything')
      read(SLASH)
    }
  }
  return { chars, skips }
}

class Machine {
  readonly #words: number
  /** Place `n` is after the n-th character; the last one accepts. */
  readonly #last: number
  /** By character code, then by word: the places where it may be read. */
  readonly #reads: Int32Array
  readonly #readsAny: Int32Array
  readonly #skipsInFolder: Int32Array
  readonly #skipsAnything: Int32Array
  readonly #skipsFolders: Int32Array
  /** Where the machine is now, and which of its places are inside folders being skipped. */
  readonly #places: Int32Array
  readonly #insideFolders: Int32Array

  constructor({ chars, skips }: Tokens) {
    this.#last = chars.length
    this.#words = (this.#last >> 5) + 1
    const bits = (places: Iterable<number>) => bitSet(this.#words, places)
    const skipping = (kind: Skip) => bits(skips.keys().filter((place) => skips[place]?.has(kind)))
    this.#reads = new Int32Array(128 * this.#words)
    for (const [place, code] of chars.entries()) {
      if (code >= 0 && code < 128) setBit(this.#reads, code * this.#words * 32 + place)
    }
    this.#readsAny = bits(chars.keys().filter((place) => chars[place] === ANY_CHAR))
    this.#skipsInFolder = skipping('in-folder')
    this.#skipsAnything = skipping('anything')
    this.#skipsFolders = skipping('folders')
    this.#places = bits([])
    this.#insideFolders = bits([])
  }

  accepts(text: string, start: number): boolean {
    this.#places.fill(0)
    this.#places[0] = 1
    this.#insideFolders.fill(0)
    let inQuery = false
    for (let i = start; i < text.length; i++) {
      const code = text.charCodeAt(i)
      // In a query a slash is a character like any other.
      if (code === QUESTION_MARK) inQuery = true
      if (!this.#read(code, code === SLASH && !inQuery)) return false
    }
    return hasBit(this.#places, this.#last)
  }

  /** Reads one character; `ends`: it ends a folder. False when no place is left. */
  #read(code: number, ends: boolean): boolean {
    let carry = 0
    let alive = 0
    const reads = code < 128 ? code * this.#words : -1
    for (let word = 0; word < this.#words; word++) {
      const here = at(this.#places, word)
      const inside = at(this.#insideFolders, word) | (here & at(this.#skipsFolders, word))
      const any = ends ? 0 : at(this.#readsAny, word)
      const read = here & ((reads < 0 ? 0 : at(this.#reads, reads + word)) | any)
      const skips = at(this.#skipsAnything, word) | (ends ? 0 : at(this.#skipsInFolder, word))
      const next = (read << 1) | carry | (here & skips) | (ends ? inside : 0)
      carry = read >>> 31
      this.#places[word] = next
      this.#insideFolders[word] = inside
      alive |= next | inside
    }
    return alive !== 0
  }
}

function at(words: Int32Array, index: number): number {
  return words[index] ?? 0
}

function bitSet(words: number, places: Iterable<number>): Int32Array {
  const set = new Int32Array(words)
  for (const place of places) setBit(set, place)
  return set
}

function setBit(set: Int32Array, place: number): void {
  set[place >> 5] = at(set, place >> 5) | (1 << (place & 31))
}

function hasBit(set: Int32Array, place: number): boolean {
  return (at(set, place >> 5) & (1 << (place & 31))) !== 0
}
