// Help texts, made from the list of commands and their options.
import { VERSION } from '../core/version.ts'
import type { OptionInfo } from '../options/option.ts'
import type {
  Ordering,
  OrderingOption,
  OrderingPreset,
  OrderingRules,
} from '../ordering/ordering.ts'
import type { Command, ListedCommand } from './command.ts'
import { COMMANDS } from './commands.ts'
import { aboutOption, spelling, wrap } from './table.ts'

const WIDTH = 96

export function generalHelp(): string {
  const widest = Math.max(...COMMANDS.map(({ name }) => name.length))
  const lines = COMMANDS.map(({ name, about }) => `  ${name.padEnd(widest)}  ${about}`)
  return [
    `Jelajah ${VERSION}: a polite, focused web crawler`,
    '',
    'Usage: jelajah <command> [options]',
    '',
    ...lines,
    '',
    "'jelajah <command> --help' tells more, 'jelajah help orderings' what can be fetched first.",
    'Every flag can also be set in the environment: JELAJAH_MAX_PAGES for --max-pages.',
    "Start with 'jelajah demo', or:",
    '  jelajah crawl https://example.com --max-pages 100 --contact you@example.com',
    '',
  ].join('\n')
}

export function commandHelp(
  { name, about }: Pick<ListedCommand, 'name' | 'about'>,
  { usage, options, more, examples }: Command,
): string {
  const shown = options.filter(({ hidden }) => !hidden)
  const below = more?.options.filter(({ hidden }) => !hidden) ?? []
  const left = Math.max(...[...shown, ...below].map((option) => spelling(option).length))
  const column = Math.min(left, 32) + 4
  return [
    `jelajah ${name}: ${about}`,
    '',
    `Usage: jelajah ${name} ${usage}`,
    '',
    ...shown.map((option) => optionHelp(option, column)),
    ...(more === undefined ? [] : ['', more.title]),
    ...below.map((option) => optionHelp(option, column)),
    '',
    'Examples:',
    ...examples.flatMap(([line, does]) => [`  # ${does}`, `  jelajah ${line}`]),
    ...(name === 'crawl' ? ['', ...SOURCES_HELP] : []),
    '',
  ].join('\n')
}

const SOURCES_HELP = [
  'Options also come from the environment (JELAJAH_MAX_PAGES for --max-pages, and so for every flag),',
  "from .env and from jelajah.config.json (or .ts, .js) in the current folder, which 'jelajah init'",
  'writes; a flag wins over the environment, that over the file. JELAJAH_SEEDS gives seeds.',
  'Exit codes: 0 done, 1 error, 2 bad usage, 4 bad configuration, 8 store unreachable,',
  '11 interrupted (run the same command to go on), 12 incomplete (something could not be had; the',
  'same command tries again), 15 time limit reached.',
]

function optionHelp(option: OptionInfo, column: number): string {
  const about = aboutOption(option)
  const flags = `  ${spelling(option)}`
  const [first = '', ...rest] = wrap(about, WIDTH - column)
  const indent = ' '.repeat(column)
  const head =
    flags.length + 2 > column ? `${flags}\n${indent}${first}` : `${flags.padEnd(column)}${first}`
  return [head, ...rest.map((line) => indent + line)].join('\n')
}

/** `jelajah help orderings`: every ordering with its options. */
export function orderingsHelp(orderings: readonly Ordering[]): string {
  const focused = orderings.filter((ordering) => ordering.focused === true)
  const others = orderings.filter((ordering) => ordering.focused !== true)
  const widest = Math.max(...orderings.map(({ name }) => name.length))
  const show = (ordering: Ordering) => orderingHelp(ordering, widest + 4)
  return [
    'Orderings say which URL of a host goes first: jelajah crawl … --ordering NAME',
    '',
    ...others.flatMap(show),
    ...(focused.length > 0 ? ['', ...FOCUSED_HELP, '', ...focused.flatMap(show)] : []),
    '',
    ...OPTION_HELP,
    '',
  ].join('\n')
}

const FOCUSED_HELP = [
  'These need to know what the crawl is about (--topic, --keywords, --topic-model, --examples or',
  '--classifier), and choose the best URL over all hosts (--host-policy best) unless you say otherwise:',
]
const OPTION_HELP = [
  'An option is given as --ordering-option NAME=VALUE, as often as there are options to give.',
  'NAME:PRESET, such as hot-queue:cho, is the ordering with other defaults; options that are given win.',
  "'jelajah simulate' compares orderings on a crawl that is stored.",
]

function orderingHelp(ordering: Ordering, column: number): string[] {
  const { name, about, options = [], rules, presets = [] } = ordering
  const [first = '', ...rest] = wrap(about, WIDTH - column)
  const indent = ' '.repeat(column)
  return [
    `  ${name}`.padEnd(column) + first,
    ...rest.map((line) => indent + line),
    ...options.flatMap((option) => orderingOptionHelp(option, column + 2)),
    ...(rules === undefined ? [] : rulesHelp(rules, column + 2)),
    ...presets.flatMap((preset) => presetHelp(name, preset, column + 2)),
  ]
}

function rulesHelp({ help, min, max }: OrderingRules, column: number): string[] {
  return hanging(`any other NAME is a rule: ${help} (${min} to ${max})`, column)
}

function presetHelp(ordering: string, preset: OrderingPreset, column: number): string[] {
  const pairs = Object.entries(preset.options).map(([name, value]) => `${name}=${value}`)
  return hanging(`${ordering}:${preset.name}: ${preset.about} (${pairs.join(', ')})`, column)
}

function hanging(text: string, column: number): string[] {
  const lines = wrap(text, WIDTH - column - 2)
  return lines.map((line, at) => ' '.repeat(at === 0 ? column : column + 2) + line)
}

function orderingOptionHelp(option: OrderingOption, column: number): string[] {
  const { name, help, default: preset, min, max, whole } = option
  const range = `${whole ? 'whole, ' : ''}${min} to ${max}; default: ${preset}`
  return hanging(`${name}: ${help} (${range})`, column)
}
