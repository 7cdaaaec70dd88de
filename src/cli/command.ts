// What a command is: the flags it takes, how help shows them, and what it does. Each command has a file of
// its own, which the list in commands.ts loads when the command is asked for.
import { isServerUrl, type WorkspaceChoice, withoutPassword } from '../core/workspace-url.ts'
import { Problems } from '../options/bad-options.ts'
import type { Option, OptionInfo } from '../options/option.ts'
import { type Args, parseArgs, refuseWords } from './args.ts'
import type { ExitCode } from './exit-codes.ts'
import type { Output } from './output.ts'
import { readOptions, readSources, type Sources, type Surroundings } from './sources.ts'
import { readWorkspace, WORKSPACE_KEYS } from './workspace-options.ts'

/** What a command finds around it when it is run. */
type CommandSurroundings = Surroundings & {
  readonly readStdin: () => Promise<string>
  /** All commands, for one that tells of the others. */
  readonly commands: readonly ListedCommand[]
}

export type ListedCommand = {
  readonly name: string
  readonly about: string
  readonly load: () => Promise<{ readonly command: Command }>
}

export type Command = {
  /** What follows its name. */
  readonly usage: string
  readonly options: readonly OptionInfo[]
  /** Options under a title of their own, below the others. */
  readonly more?: { readonly title: string; readonly options: readonly OptionInfo[] }
  /** Options that are no flags: only the environment and the config file have them. */
  readonly others?: readonly OptionInfo[]
  /** Lines as they would be typed, without `jelajah`, and what they do. */
  readonly examples: readonly (readonly [line: string, does: string])[]
  readonly run: (
    argv: readonly string[],
    around: CommandSurroundings,
    out: Output,
  ) => Promise<ExitCode>
}

type ReadRules = {
  /** How many words there may be that are not flags; 0 unless given. */
  readonly words?: number
  /** A word with one dash before it, which is no flag of ours, is a word. */
  readonly dashWords?: boolean
  /** Keys of the config file that count beside the workspace. The file is written for `crawl`. */
  readonly fileKeys?: readonly string[]
}

type ReadCommand<T> = {
  /** Without what says where crawls live: that is `workspace`. */
  readonly chosen: Omit<Partial<T>, keyof WorkspaceChoice>
  readonly args: Args
  readonly sources: Sources
  readonly workspace: WorkspaceChoice
  /** The caller adds its own, then calls `throwIfAny`. */
  readonly problems: Problems
}

/** Reads argv, the environment and the config file against the options of one command. */
export function readCommand<T extends WorkspaceChoice>(
  options: readonly Option<T>[],
  argv: readonly string[],
  around: Surroundings,
  rules: ReadRules = {},
): ReadCommand<T> {
  const { words = 0, dashWords = false, fileKeys = [] } = rules
  const problems = new Problems()
  const args = parseArgs(argv, options, problems, { dashWords })
  refuseWords(args, words, problems)
  const sources = readSources(args, around, problems)
  const keys = [...WORKSPACE_KEYS, ...fileKeys]
  const file = new Map([...sources.file].filter(([key]) => keys.includes(key)))
  const read = readOptions(options, { ...sources, file }, problems)
  const workspace = readWorkspace(read, { sources, around, problems })
  const { dataDir: _dataDir, frontier: _frontier, storeTimeoutMs: _timeout, ...chosen } = read
  return { chosen, args, sources, workspace, problems }
}

/** A command line as others may read it and type it again: without passwords. */
export function commandLine(...words: readonly string[]): string {
  return ['jelajah', ...words].map(withoutSecret).map(shellWord).join(' ')
}

function withoutSecret(word: string): string {
  const [, flag = '', value = ''] = /^(--[\w-]+=)?(.*)$/s.exec(word) ?? []
  return isServerUrl(value) ? `${flag}${withoutPassword(value)}` : word
}

/** A word as a shell takes it. */
function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}
