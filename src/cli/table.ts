// Texts for the terminal: rows under their titles, lines that fit, options. Every cell is safe for a terminal.
import { cells, fit, safeText } from '../lib/terminal.ts'
import type { OptionInfo } from '../options/option.ts'

export type Column<R> = {
  readonly title: string
  readonly of: (row: R) => string
  readonly align?: 'right'
  /** At least and at most so many cells. With `min` blocks that are printed one by one line up. */
  readonly min?: number
  readonly max?: number
}

const MAX_CELLS = 60

export function table<R>(columns: readonly Column<R>[], rows: readonly R[], titles = true): string {
  const texts = rows.map((row) =>
    columns.map(({ of, max = MAX_CELLS }) => fit(safeText(of(row)), max)),
  )
  const lines = titles ? [columns.map(({ title }) => title), ...texts] : texts
  const widths = columns.map(({ min = 0 }, at) =>
    lines.reduce((widest, line) => Math.max(widest, cells(line[at] ?? '')), min),
  )
  return lines.map((line) => `${joined(line, widths, columns)}\n`).join('')
}

/** A table on a terminal of so many columns: one line for each row. */
export function fitLines(text: string, width: number): string {
  return text.replace(/.+/g, (line) => fit(line, width))
}

function joined<R>(
  line: readonly string[],
  widths: readonly number[],
  columns: readonly Column<R>[],
): string {
  const padded = line.map((text, at) => {
    const space = ' '.repeat(Math.max(0, (widths[at] ?? 0) - cells(text)))
    return columns[at]?.align === 'right' ? space + text : text + space
  })
  return padded.join('  ').trimEnd()
}

/** A text in lines of at most so many characters; a longer word has a line of its own. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    if (last === undefined || last.length + 1 + word.length > width) lines.push(word)
    else lines[lines.length - 1] = `${last} ${word}`
  }
  return lines
}

/** How a text makes a word stand out, or step back. */
export type Style = {
  readonly bold: (text: string) => string
  readonly dim: (text: string) => string
}

const asIs = (text: string): string => text

export const PLAIN: Style = { bold: asIs, dim: asIs }

/** For terminals only. */
export const COLOURED: Style = {
  bold: (text) => `\x1b[1m${text}\x1b[22m`,
  dim: (text) => `\x1b[2m${text}\x1b[22m`,
}

/** How it is written on the command line, with its value. */
export function spelling({ name, aliases = [], kind, value, on }: OptionInfo): string {
  if (kind === 'flag') return on ? `--no-${name}` : `--${name}${value === '' ? '' : `[=${value}]`}`
  return `${[name, ...aliases].map((word) => `--${word}`).join(', ')} ${value}`
}

/** What an option does, with its default. */
export function aboutOption(option: OptionInfo): string {
  const { help, default: preset, env, repeatable, on } = option
  const notes = [
    ...(preset ? [`default: ${preset}`] : []),
    ...(repeatable && option.name !== 'parts' ? ['repeatable'] : []),
    ...(env ? [`env: ${env}`] : []),
  ]
  return `${on ? 'do not ' : ''}${help}${notes.length > 0 ? ` (${notes.join('; ')})` : ''}`
}
