// Writes the manual page, dist/jelajah.1, from the list of commands and their options.
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Command } from '../src/cli/command.ts'
import { COMMANDS } from '../src/cli/commands.ts'
import { aboutOption, spelling } from '../src/cli/table.ts'
import { VERSION } from '../src/core/version.ts'
import type { OptionInfo } from '../src/options/option.ts'

const target = join(import.meta.dirname, '..', 'dist', 'jelajah.1')

/** As roff reads it: no dash becomes a hyphen, no line begins with a request. */
function roff(text: string): string {
  return text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll(/[^\x20-\x7e\n]/gu, (letter) => {
      const code = letter.codePointAt(0) ?? 0
      return `\\[u${code.toString(16).toUpperCase().padStart(4, '0')}]`
    })
    .replaceAll(/^([.'])/gm, '\\&$1')
}

function optionLines(option: OptionInfo): string[] {
  return ['.TP', `.B ${roff(spelling(option))}`, roff(aboutOption(option))]
}

function commandLines(name: string, about: string, command: Command): string[] {
  const { usage, options, more, examples } = command
  const shown = [...options, ...(more?.options ?? [])].filter(({ hidden }) => !hidden)
  return [
    `.SS jelajah ${name} ${roff(usage)}`,
    `${roff(about)}.`,
    ...shown.flatMap(optionLines),
    ...examples.flatMap(([line, does]) => [
      '.PP',
      `${roff(does)}:`,
      '.EX',
      roff(`  jelajah ${line}`),
      '.EE',
    ]),
  ]
}

const commands = await Promise.all(
  COMMANDS.map(async ({ name, about, load }) => commandLines(name, about, (await load()).command)),
)
const page = [
  `.TH JELAJAH 1 "" "Jelajah ${VERSION}" "User Commands"`,
  '.SH NAME',
  'jelajah \\- a polite, focused web crawler that feeds search engines',
  '.SH SYNOPSIS',
  '.B jelajah',
  '.I command',
  '[options]',
  '.SH DESCRIPTION',
  'Give it seeds and, if you have one, a topic. It decides what to fetch next, stores what it finds as',
  'structured pages, and records every URL it ever saw.',
  '.SH COMMANDS',
  ...commands.flat(),
  '.SH ENVIRONMENT',
  'Every flag can be set in the environment: JELAJAH_MAX_PAGES for \\-\\-max\\-pages.',
  '.SH FILES',
  '.TP',
  '.B jelajah.config.json, jelajah.config.ts, jelajah.config.js',
  'Options of a crawl in this folder; jelajah init writes one.',
  '.TP',
  '.B .env',
  'Variables, as in the environment.',
  '.TP',
  '.B jelajah\\-data/',
  'Where crawls are kept, unless \\-\\-data says otherwise.',
  '.SH EXIT STATUS',
  '0 done, 1 error, 2 bad usage, 4 bad configuration, 8 store unreachable, 11 interrupted, 12 incomplete,',
  '15 time limit reached.',
  '',
].join('\n')
mkdirSync(dirname(target), { recursive: true })
writeFileSync(target, page)
