// `jelajah help orderings`: every ordering with its options, made from the list.
import { ORDERINGS } from '../ordering/index.ts'
import type { Ordering, OrderingOption } from '../ordering/ordering.ts'
import { wrap } from './table.ts'

const WIDTH = 96

export function orderingsHelp(orderings: readonly Ordering[] = ORDERINGS): string {
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
  'These need to know what the crawl is about (--topic, --keywords, --examples or --classifier), and',
  'choose the best URL over all hosts (--host-policy best) unless you say otherwise:',
]
const OPTION_HELP = [
  'An option is given as --ordering-option NAME=VALUE, as often as there are options to give.',
  "'jelajah simulate' compares orderings on a crawl that is stored.",
]

function orderingHelp({ name, about, options = [] }: Ordering, column: number): string[] {
  const [first = '', ...rest] = wrap(about, WIDTH - column)
  const indent = ' '.repeat(column)
  return [
    `  ${name}`.padEnd(column) + first,
    ...rest.map((line) => indent + line),
    ...options.flatMap((option) => optionHelp(option, column + 2)),
  ]
}

function optionHelp(option: OrderingOption, column: number): string[] {
  const { name, help, default: preset, min, max, whole } = option
  const range = `${whole ? 'whole, ' : ''}${min} to ${max}; default: ${preset}`
  const lines = wrap(`${name}: ${help} (${range})`, WIDTH - column - 2)
  return lines.map((line, at) => ' '.repeat(at === 0 ? column : column + 2) + line)
}
