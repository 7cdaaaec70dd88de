// `jelajah completion`: a script for the shell, made from the list of commands. It holds all commands, flags and
// the values of choices, so that completing starts no program.
import { InvalidInput, shown } from '../core/errors.ts'
import { Problems } from '../options/bad-options.ts'
import type { OptionInfo } from '../options/option.ts'
import { parseArgs, refuseWords } from './args.ts'
import type { Command, ListedCommand } from './command.ts'
import { EXIT } from './exit-codes.ts'

type Flag = { readonly name: string; readonly about: string; readonly option: OptionInfo }
type Described = {
  readonly name: string
  readonly about: string
  readonly flags: readonly Flag[]
  /** What its first word can be, where that is one of a few. */
  readonly words: readonly string[]
}

const SHELLS = { bash, zsh, fish } as const

export const command: Command = {
  usage: '<bash|zsh|fish>',
  options: [],
  examples: [
    ['completion bash > ~/.local/share/bash-completion/completions/jelajah', 'for bash'],
    ['completion zsh > ~/.zfunc/_jelajah', 'for zsh, with fpath=(~/.zfunc $fpath) before compinit'],
    ['completion fish > ~/.config/fish/completions/jelajah.fish', 'for fish'],
  ],
  run: async (argv, { commands }, out) => {
    const problems = new Problems()
    const args = parseArgs(argv, [], problems)
    refuseWords(args, 1, problems)
    problems.throwIfAny()
    const [shell = ''] = args.words
    if (!isShell(shell)) {
      const given = shell === '' ? 'nothing' : shown(shell)
      throw new InvalidInput('completion', `needs bash, zsh or fish, not ${given}`)
    }
    await out.write(SHELLS[shell](await describe(commands)))
    return EXIT.done
  },
}

function isShell(word: string): word is keyof typeof SHELLS {
  return Object.hasOwn(SHELLS, word)
}

async function describe(commands: readonly ListedCommand[]): Promise<readonly Described[]> {
  const names = commands.map(({ name }) => name)
  const help = {
    name: 'help',
    about: 'tell what a command does',
    words: [...names, 'orderings'],
    flags: [],
  }
  const described = await Promise.all(
    commands.map(async ({ name, about, load }) => {
      const { command } = await load()
      const options = [...command.options, ...(command.more?.options ?? [])]
      const shown = options.filter(({ hidden }) => !hidden)
      const words = wordsOf(command.usage)
      return { name, about, words, flags: [...shown.flatMap(flagsOf), HELP] }
    }),
  )
  return [...described, help]
}

/** `pages|sites [options]` begins with one of two words, `<text|->` with any. */
function wordsOf(usage: string): readonly string[] {
  const [, words = ''] = /^<?([a-z]+(?:\|[a-z]+)+)>?(?: |$)/.exec(usage) ?? []
  return words === '' ? [] : words.split('|')
}

const HELP: Flag = {
  name: 'help',
  about: 'tell what the command does and which flags it takes',
  option: { name: 'help', kind: 'flag', value: '', help: '' },
}

function flagsOf(option: OptionInfo): readonly Flag[] {
  const { name, aliases = [], on, help } = option
  if (on) return [{ name: `no-${name}`, about: `do not ${help}`, option }]
  return [name, ...aliases].map((word) => ({ name: word, about: help, option }))
}

/** `file`, `dir` or a list of words: what may follow a flag. */
function valuesOf({ kind, choices, value }: OptionInfo): readonly string[] | 'files' | 'none' {
  if (kind === 'flag') return 'none'
  if (choices !== undefined) return choices
  return /FILE|DIR|PATH/.test(value) ? 'files' : []
}

const HEAD = '# Made by `jelajah completion`; make it again after an update.'

function bash(commands: readonly Described[]): string {
  const words = (list: readonly string[]) => list.join(' ')
  const values = commands.flatMap(({ name, flags }) =>
    flags.flatMap(({ name: flag, option }) => {
      const after = valuesOf(option)
      if (after === 'none') return []
      const reply =
        after === 'files'
          ? 'compopt -o default; return'
          : `COMPREPLY=($(compgen -W '${words(after)}' -- "$word")); return`
      return [`    '${name} --${flag}') ${reply} ;;`]
    }),
  )
  return `${[
    HEAD,
    '_jelajah() {',
    `  local word=$2 before=$3 command=\${COMP_WORDS[1]}`,
    '  COMPREPLY=()',
    '  if [ "$COMP_CWORD" -eq 1 ]; then',
    `    COMPREPLY=($(compgen -W '${words([...commands.map(({ name }) => name), '--version'])}' -- "$word"))`,
    '    return',
    '  fi',
    '  case "$command $before" in',
    ...values,
    '  esac',
    '  case "$command:$COMP_CWORD:$word" in',
    '    *:*:-*) ;;',
    ...commands.flatMap(({ name, words: first }) =>
      first.length === 0
        ? []
        : [`    ${name}:2:*) COMPREPLY=($(compgen -W '${words(first)}' -- "$word")); return ;;`],
    ),
    '    *) compopt -o default; return ;;',
    '  esac',
    '  case "$command" in',
    ...commands.map(
      ({ name, flags }) =>
        `    ${name}) COMPREPLY=($(compgen -W '${words(flags.map((one) => `--${one.name}`))}' -- "$word")) ;;`,
    ),
    '  esac',
    '}',
    'complete -F _jelajah jelajah',
  ].join('\n')}\n`
}

function zsh(commands: readonly Described[]): string {
  const spec = ({ name, about, option }: Flag): string => {
    const after = valuesOf(option)
    const action =
      after === 'files' ? '_files' : after === 'none' ? '' : `(${after.map(unsplit).join(' ')})`
    const value = after === 'none' ? '' : `:${plain(option.value || 'value')}:${action}`
    const again = option.repeatable ? '*' : ''
    return quoted(`${again}--${name}[${plain(about)}]${value}`)
  }
  return `${[
    '#compdef jelajah',
    HEAD,
    '_jelajah() {',
    '  local -a commands',
    '  commands=(',
    ...commands.map(({ name, about }) => `    ${quoted(`${name}:${plain(about)}`)}`),
    '  )',
    '  if (( CURRENT == 2 )); then _describe command commands; return; fi',
    '  local command=$words[2]',
    '  shift words; (( CURRENT-- ))',
    '  case $command in',
    ...commands.map(({ name, flags, words }) => {
      const first = words.length === 0 ? [] : [quoted(`1:word:(${words.join(' ')})`)]
      return `    ${name}) _arguments ${[...flags.map(spec), ...first, "'*:word:_files'"].join(' ')} ;;`
    }),
    '  esac',
    '}',
    '# Loaded as a function of fpath, or read by `source`.',
    'if [ "$funcstack[1]" = _jelajah ]; then _jelajah "$@"; else compdef _jelajah jelajah; fi',
  ].join('\n')}\n`
}

function fish(commands: readonly Described[]): string {
  const line = (command: string, { name, about, option }: Flag): string => {
    const after = valuesOf(option)
    const value =
      after === 'none' ? '' : after === 'files' ? ' -r' : ` -x -a ${quoted(after.join(' '))}`
    return `complete -c jelajah -n '__fish_seen_subcommand_from ${command}' -l ${name}${value} -d ${quoted(plain(about))}`
  }
  return `${[
    HEAD,
    ...commands.map(
      ({ name, about }) =>
        `complete -c jelajah -n __fish_use_subcommand -f -a ${name} -d ${quoted(plain(about))}`,
    ),
    ...commands.flatMap(({ name, flags }) => flags.map((one) => line(name, one))),
    ...commands.flatMap(({ name, words }) =>
      words.length === 0
        ? []
        : [
            `complete -c jelajah -n '__fish_seen_subcommand_from ${name}' -f -a ${quoted(words.join(' '))}`,
          ],
    ),
  ].join('\n')}\n`
}

/** Without what has a meaning in a description of zsh. */
function plain(text: string): string {
  return text.replaceAll(/[[\]:\\`$"]/g, ' ').replaceAll(/\s+/g, ' ')
}

/** A colon would end the list of values of zsh. */
function unsplit(word: string): string {
  return word.replaceAll(':', '\\:')
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
