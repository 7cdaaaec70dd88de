// Splits argv into flags and words by the options of a command. Unlike node's parseArgs it goes on after a
// mistake, so that all mistakes are reported at once.
import { nearest } from '../lib/edit-steps.ts'
import type { Problems } from '../options/bad-options.ts'
import type { OptionInfo } from '../options/option.ts'

export type Args = {
  /** What is not a flag, in order. */
  readonly words: readonly string[]
  /** Words right after an unknown flag, which may be its value. */
  readonly doubtful: ReadonlySet<string>
  /** By option name: the text given, true or false for flags, a list for repeatable ones. */
  readonly given: ReadonlyMap<string, GivenFlag>
}

type GivenFlag = {
  /** As the user wrote it. */
  readonly at: string
  readonly raw: string | boolean | readonly string[]
}

type ArgsOptions = {
  /** A word with one dash before it, which is no flag of ours, is a word. */
  readonly dashWords?: boolean
}

type Known = { readonly option: OptionInfo; readonly negated: boolean }

const SHORT: Readonly<Record<string, string>> = { '-q': '--quiet', '-v': '--verbose' }

/** True when --help or -h is among the flags. */
export function wantsHelp(argv: readonly string[]): boolean {
  const end = argv.indexOf('--')
  return argv.slice(0, end < 0 ? undefined : end).some((word) => word === '--help' || word === '-h')
}

export function parseArgs(
  argv: readonly string[],
  options: readonly OptionInfo[],
  problems: Problems,
  { dashWords = false }: ArgsOptions = {},
): Args {
  const known = flagsOf(options)
  const words: string[] = []
  const doubtful = new Set<string>()
  let isAfterUnknown = false
  const given = new Map<string, GivenFlag>()
  for (let next = 0; next < argv.length; next++) {
    const word = argv[next] ?? ''
    if (word === '--') return { words: [...words, ...argv.slice(next + 1)], doubtful, given }
    const meant = behindLongDash(word, known)
    if (meant !== null) {
      problems.add('flag', word, `begins with a long dash; did you mean ${meant}?`)
      isAfterUnknown = true
      continue
    }
    if (!/^-./.test(word) || (dashWords && isDashWord(word))) {
      words.push(word)
      if (isAfterUnknown) doubtful.add(word)
      isAfterUnknown = false
      continue
    }
    const { flag, inline } = split(SHORT[word] ?? word)
    const match = known.get(flag)
    isAfterUnknown = match === undefined && inline === null
    if (match === undefined) problems.add('flag', flag, unknownFlag(flag, [...known.keys()]))
    else if (match.option.kind === 'flag') {
      const value = inline ?? wordFor(match, argv[next + 1])
      if (inline === null && value !== null) next++
      giveFlag(given, match, flag, value)
    } else {
      const value = inline ?? valueAt(argv, next + 1, known)
      if (inline === null && value !== null) next++
      if (value === null)
        problems.add('flag', flag, `needs a value: ${flag} ${match.option.value}`.trimEnd())
      else give(given, match.option, flag, value)
    }
  }
  return { words, doubtful, given }
}

/** Refuses words beyond those a command takes, but for one that may be the value of an unknown flag. */
export function refuseWords(args: Args, takes: number, problems: Problems): void {
  for (const word of args.words.slice(takes)) {
    if (args.doubtful.has(word)) continue
    problems.add('flag', word, 'is one word too many for this command')
  }
}

/** `-tea`, and no short flag. */
function isDashWord(word: string): boolean {
  return /^-[^-]/.test(word) && !Object.hasOwn(SHORT, word)
}

function flagsOf(options: readonly OptionInfo[]): Map<string, Known> {
  const flags = new Map<string, Known>()
  for (const option of options) {
    for (const name of [option.name, ...(option.aliases ?? [])]) {
      flags.set(`--${name}`, { option, negated: false })
      if (option.kind === 'flag') flags.set(`--no-${name}`, { option, negated: true })
    }
  }
  return flags
}

/** The flag of a text that an editor or a chat program has made prettier: `—max-pages`. */
function behindLongDash(word: string, known: ReadonlyMap<string, Known>): string | null {
  const [, name] = /^[–—]-?([a-z][a-z0-9-]*)(?:=|$)/.exec(word) ?? []
  return name !== undefined && known.has(`--${name}`) ? `--${name}` : null
}

function split(word: string): { flag: string; inline: string | null } {
  const equals = word.indexOf('=')
  if (equals < 0 || !word.startsWith('--')) return { flag: word, inline: null }
  return { flag: word.slice(0, equals), inline: word.slice(equals + 1) }
}

/** The next word, unless it is itself a flag we know: then the value was forgotten. */
function valueAt(argv: readonly string[], at: number, known: Map<string, Known>): string | null {
  const word = argv[at]
  if (word === undefined || word === '--') return null
  return known.has(split(word).flag) ? null : word
}

/** The next word where the flag takes values and it can be nothing else. */
function wordFor({ option, negated }: Known, word = ''): string | null {
  return !negated && option.takesWord?.(word) === true ? word : null
}

function giveFlag(
  given: Map<string, GivenFlag>,
  { option, negated }: Known,
  at: string,
  inline: string | null,
): void {
  const raw = inline ?? !negated
  // --no-x=true says no as well.
  const turned = negated && inline !== null ? { true: 'false', false: 'true' }[inline] : raw
  const value = turned ?? raw
  given.set(option.name, { at, raw: option.takesWord ? joined(given, option, value) : value })
}

/** Values add up; `--name` alone means all and stays so. */
function joined(
  given: Map<string, GivenFlag>,
  { name }: OptionInfo,
  value: string | boolean,
): GivenFlag['raw'] {
  const before = given.get(name)?.raw
  if (typeof value === 'boolean' || before === undefined) return value
  if (before === true) return true
  return typeof before === 'object'
    ? [...before, value]
    : typeof before === 'string'
      ? [before, value]
      : value
}

function give(given: Map<string, GivenFlag>, option: OptionInfo, at: string, value: string): void {
  const before = given.get(option.name)?.raw
  const raw = option.repeatable ? [...(Array.isArray(before) ? before : []), value] : value
  given.set(option.name, { at, raw })
}

function unknownFlag(flag: string, known: readonly string[]): string {
  if (flag === '--help') return 'takes no value'
  const meant = nearest(flag, [...known, '--help'])
  return `there is no such flag${meant === null ? '' : `; did you mean ${meant}?`}`
}
