// `jelajah init`: a config file for this folder, made from the table of options. Every option stands in it with
// its default, commented out, so nothing changes until a line is let in.
import { resolve } from 'node:path'
import { InvalidInput } from '../core/errors.ts'
import { Problems } from '../options/bad-options.ts'
import { type ChosenBy, flag, type OptionInfo } from '../options/option.ts'
import { optionsIn } from '../options/options.ts'
import { OPTION_GROUPS, type OptionGroup } from '../options/table.ts'
import { parseArgs, refuseWords } from './args.ts'
import { refuseExisting, writeAtomically } from './atomic-write.ts'
import type { Command } from './command.ts'
import { CONFIG_FILE, configFilesIn } from './config-file.ts'
import { EXIT, type ExitCode } from './exit-codes.ts'
import type { Output } from './output.ts'
import { readOptions, readSources, type Surroundings } from './sources.ts'
import { aboutOption, wrap } from './table.ts'

const OPTIONS = [
  flag({ name: 'typescript', help: 'write jelajah.config.ts, which editors check and complete' }),
  flag({ name: 'force', help: 'write over a config file that is there' }),
] as const

export const command: Command = {
  usage: '[options]',
  options: OPTIONS,
  examples: [
    ['init', 'write jelajah.config.json into this folder'],
    ['init --typescript', 'write jelajah.config.ts instead'],
  ],
  run: runInit,
}

async function runInit(
  argv: readonly string[],
  around: Surroundings,
  out: Output,
): Promise<ExitCode> {
  const problems = new Problems()
  const args = parseArgs(argv, OPTIONS, problems)
  refuseWords(args, 0, problems)
  const sources = readSources(args, around, problems, { withFile: false })
  const chosen = readOptions<ChosenBy<typeof OPTIONS>>(OPTIONS, sources, problems)
  problems.throwIfAny()
  const { typescript = false, force = false } = chosen
  const name = typescript ? 'jelajah.config.ts' : CONFIG_FILE
  const path = resolve(around.cwd, name)
  const [other] = configFilesIn(around.cwd).filter((found) => found !== name)
  if (other !== undefined) {
    const message = `${other} is there already, and a folder has one config file: remove it first`
    throw new InvalidInput('init', message)
  }
  inFolder(() => refuseExisting(path, { force }))
  await writeAtomically(path, [configText(typescript ? IN_TYPESCRIPT : IN_JSON)])
  await out.write(`${name} is written. Give it seeds, then run: jelajah crawl\n`)
  return EXIT.done
}

type Form = {
  readonly first: string
  readonly last: string
  readonly key: (name: string) => string
  readonly value: (value: unknown) => string
}

const IN_JSON: Form = {
  first: '{',
  last: '}',
  key: (name) => `"${name}"`,
  value: (value) => JSON.stringify(value),
}
const IN_TYPESCRIPT: Form = {
  // Only a type: the file is read where the package is not to be found, too.
  first: "import type { Config } from 'jelajah'\n\nexport default {",
  last: '} satisfies Config',
  key: (name) => name.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase()),
  value: (value) =>
    typeof value === 'string' && !value.includes("'") ? `'${value}'` : JSON.stringify(value),
}

const TITLES: Readonly<Record<OptionGroup, string>> = {
  limits: 'Where the crawl ends',
  manners: 'How it behaves',
  order: 'What goes first',
  network: 'How it reaches the web',
  keeping: 'What is kept',
  topic: 'What it is about',
  harvest: 'When it has enough',
}

/** The whole file. */
function configText({ first, last, key, value }: Form): string {
  const line = (option: OptionInfo) => [
    ...wrap(aboutOption({ ...option, on: false }), 100).map((text) => `  // ${text}`),
    `  // ${key(option.name)}: ${value(exampleOf(option))},`,
  ]
  return [
    '// Options of `jelajah crawl` in this folder. A flag or a variable such as JELAJAH_MAX_PAGES wins over a line here.',
    first,
    '  // Where to begin: URLs.',
    `  ${key('seeds')}: [],`,
    '  // Name of the crawl, and the folder or database that keeps it.',
    `  // ${key('name')}: ${value('my-crawl')},`,
    `  // ${key('data')}: ${value('./jelajah-data')},`,
    ...OPTION_GROUPS.flatMap((group) => [
      '',
      `  // ── ${TITLES[group]} ──`,
      ...optionsIn(group)
        .filter(({ hidden }) => !hidden)
        .flatMap(line),
    ]),
    last,
    '',
  ].join('\n')
}

/** Its default; without one, a value that shows the form. */
function exampleOf({ kind, default: preset = '', value, min, on = false }: OptionInfo): unknown {
  if (kind === 'flag') return on
  if (kind === 'list') return [value]
  if (kind !== 'number') return preset === '' ? value : preset
  return /^\d+(\.\d+)?$/.test(preset) ? Number(preset) : Math.max(1, Math.ceil(min ?? 1))
}

/** This command has no --out: its problems are those of the folder. */
function inFolder(work: () => void): void {
  try {
    work()
  } catch (error) {
    throw error instanceof InvalidInput ? new InvalidInput('init', error.message) : error
  }
}
