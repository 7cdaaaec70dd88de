// argv → command → exit code. Every command is loaded only when it is asked for.
import { availableParallelism } from 'node:os'
import { text } from 'node:stream/consumers'
import { firstError, InvalidInput } from '../core/errors.ts'
import { VERSION } from '../core/version.ts'
import { safeText } from '../lib/terminal.ts'
import type { OptionInfo } from '../options/option.ts'
import { wantsHelp } from './args.ts'
import { COMMANDS, commandNamed, nearestCommand, optionsOf } from './commands.ts'
import { EXIT, type ExitCode } from './exit-codes.ts'
import { commandHelp, generalHelp, orderingsHelp } from './help.ts'
import type { Output } from './output.ts'

const around = {
  cwd: process.cwd(),
  env: process.env,
  tell: (line: string) => void process.stderr.write(`jelajah: ${safeText(line)}\n`),
  cores: availableParallelism(),
  readStdin: () => text(process.stdin),
  commands: COMMANDS,
}

async function run(argv: readonly string[], out: Output): Promise<ExitCode> {
  const [first = '', ...rest] = argv
  if (first === '--version' || first === '-V' || first === 'version') {
    await out.write(`${VERSION}\n`)
    return EXIT.done
  }
  if (first === '') {
    out.warn(generalHelp())
    return EXIT.usage
  }
  const asked = first === 'help' ? (rest[0] ?? '') : first
  if (asked === '' || asked === '--help' || asked === '-h') {
    await out.write(generalHelp())
    return EXIT.done
  }
  if (first === 'help' && asked === 'orderings') {
    const { ORDERINGS } = await import('../ordering/index.ts')
    await out.write(orderingsHelp(ORDERINGS))
    return EXIT.done
  }
  const listed = commandNamed(asked)
  if (listed === null) throw await unknownCommand(asked)
  const { command } = await listed.load()
  if (first !== 'help' && !wantsHelp(rest)) {
    const { warnOfVariables } = await import('./sources.ts')
    await warnOfVariables(around, optionsOf(command), allOptions)
    return command.run(rest, around, out)
  }
  await out.write(commandHelp(listed, command))
  return EXIT.done
}

/** The options of all commands. */
async function allOptions(): Promise<readonly OptionInfo[]> {
  const loaded = await Promise.all(COMMANDS.map(({ load }) => load()))
  return loaded.flatMap(({ command }) => optionsOf(command))
}

async function unknownCommand(word: string): Promise<InvalidInput> {
  if (word.startsWith('-')) {
    const hint = `the command comes first, such as jelajah crawl; 'jelajah --help' lists them`
    return new InvalidInput(word, hint)
  }
  const meant = (await isSeed(word)) ? `crawl ${word}` : nearestCommand(word)
  const hint = meant === null ? "'jelajah --help' lists them" : `did you mean 'jelajah ${meant}'?`
  return new InvalidInput(word, `there is no such command; ${hint}`)
}

async function isSeed(word: string): Promise<boolean> {
  const { seedUrl } = await import('../options/seeds.ts')
  return /[./]/.test(word) && seedUrl(word) !== null
}

/** Runs one command from its words to its exit code. Errors are printed, never thrown. */
export async function runCommand(argv: readonly string[], out: Output): Promise<ExitCode> {
  try {
    return await run(argv, out)
  } catch (thrown) {
    const { asCrawlerError } = await import('../db/sqlite-errors.ts')
    const { messageOf } = await import('../options/bad-options.ts')
    const { exitCodeOf } = await import('./exit-codes.ts')
    const error = asCrawlerError(firstError(thrown))
    for (const line of messageOf(error).split('\n')) out.warn(`jelajah: ${safeText(line)}\n`)
    return exitCodeOf(error)
  }
}
