// argv → command → exit code. Every command is loaded only when it is asked for.
import { availableParallelism, totalmem } from 'node:os'
import { text } from 'node:stream/consumers'
import { firstError, InvalidInput } from '../core/errors.ts'
import { VERSION } from '../core/version.ts'
import { asCrawlerError } from '../db/sqlite-errors.ts'
import { nearest } from '../lib/nearest.ts'
import { safeText } from '../lib/terminal.ts'
import { messageOf } from '../options/message-of-error.ts'
import type { OptionInfo } from '../options/option.ts'
import { seedUrl } from '../options/seeds.ts'
import { wantsHelp } from './args.ts'
import { COMMAND_NAMES, COMMANDS, type CommandName, commandNamed } from './commands.ts'
import { parseCrawl, SEEDS } from './crawl/crawl-command.ts'
import { EXIT, type ExitCode, exitCodeOf } from './exit-codes.ts'
import { parseExport } from './export/export-command.ts'
import { parseGraph } from './graph-command.ts'
import { commandHelp, generalHelp } from './help.ts'
import { orderingsHelp } from './help-orderings.ts'
import { parseIndex } from './index/index-command.ts'
import type { Output } from './output.ts'
import { parseParse } from './parse/parse-command.ts'
import { parseRank } from './rank-command.ts'
import {
  parseCrawls,
  parseDemo,
  parseDoctor,
  parseExplain,
  parsePages,
  parseUrls,
} from './reader-commands.ts'
import { parseSearch } from './search/search-command.ts'
import { parseServe } from './serve/serve-command.ts'
import { parseSimulate } from './simulate/simulate-command.ts'
import { warnOfVariables } from './sources.ts'
import { parseClassify } from './train/classify-command.ts'
import { parseTrain } from './train/train-command.ts'
import { parseWords } from './words-command.ts'
import { parseWorker } from './worker-command.ts'

const around = {
  cwd: process.cwd(),
  env: process.env,
  tell: (line: string) => void process.stderr.write(`jelajah: ${safeText(line)}\n`),
  cores: availableParallelism(),
  readStdin: () => text(process.stdin),
}

type Run = (argv: readonly string[], out: Output) => Promise<ExitCode>

const RUN: Readonly<Record<CommandName, Run>> = {
  crawl: async (argv, out) => {
    const { checkTopic } = await import('../crawl/topic-source.ts')
    const options = await parseCrawl(argv, { ...around, checkTopic })
    if (options.dryRun) return (await import('./crawl/dry-run.ts')).runDry(options, out)
    return (await import('./crawl/terminal-crawl.ts')).runCrawl(options, out)
  },
  crawls: async (argv, out) => {
    const options = parseCrawls(argv, around)
    return (await import('./crawls.ts')).runCrawls(options, out)
  },
  pages: async (argv, out) => {
    const options = parsePages(argv, around)
    return (await import('./pages.ts')).runPages(options, out)
  },
  urls: async (argv, out) => {
    const options = parseUrls(argv, around)
    return (await import('./urls.ts')).runUrls(options, out)
  },
  explain: async (argv, out) => {
    const options = parseExplain(argv, around)
    return (await import('./explain.ts')).runExplain(options, out)
  },
  search: async (argv, out) => {
    const options = parseSearch(argv, around)
    return (await import('./search/search.ts')).runSearch(options, out)
  },
  rank: async (argv, out) => {
    const options = parseRank(argv, around)
    const width = process.stdout.isTTY ? process.stdout.columns : undefined
    return (await import('./rank.ts')).runRank(options, out, width === undefined ? {} : { width })
  },
  graph: async (argv, out) => {
    const options = parseGraph(argv, around)
    const isTerminal = process.stdout.isTTY
    return (await import('./graph.ts')).runGraph(options, out, { isTerminal })
  },
  index: async (argv, out) => {
    const options = parseIndex(argv, around)
    return (await import('./index/run-index.ts')).runIndex(options, out)
  },
  parse: async (argv, out) => {
    const options = parseParse(argv, around)
    const colours = process.stdout.isTTY && process.stdout.hasColors()
    return (await import('./parse/parse.ts')).runParse(options, out, { colours })
  },
  export: async (argv, out) => {
    const command = parseExport(argv, around)
    return (await import('./export/export.ts')).runExportCommand(command, out)
  },
  simulate: async (argv, out) => {
    const options = await parseSimulate(argv, around)
    return (await import('./simulate/simulate.ts')).runSimulate(options, out)
  },
  train: async (argv, out) => {
    const options = await parseTrain(argv, around)
    return (await import('./train/train.ts')).runTrain(options, out)
  },
  classify: async (argv, out) => {
    const options = parseClassify(argv, around)
    return (await import('./train/classify.ts')).runClassify(options, out)
  },
  words: async (argv, out) => {
    const options = await parseWords(argv, { ...around, isTerminal: process.stdin.isTTY === true })
    return (await import('./words.ts')).runWords(options, out)
  },
  serve: async (argv, out) => {
    const options = parseServe(argv, { ...around, memoryBytes: usableMemory() })
    return (await import('./serve/serve.ts')).runServe(options, out)
  },
  worker: async (argv, out) => {
    const options = parseWorker(argv, around)
    return (await import('./worker.ts')).runWorker(options, out)
  },
  demo: async (argv, out) => {
    const options = parseDemo(argv, around)
    return (await import('./demo/demo.ts')).runDemo(options, out)
  },
  doctor: async (argv, out) => {
    const options = parseDoctor(argv, around)
    return (await import('./doctor/doctor.ts')).runDoctor(options, out)
  },
}

/** A container may have less than its machine. */
function usableMemory(): number {
  const limit = process.constrainedMemory()
  return limit > 0 && limit < totalmem() ? limit : totalmem()
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
    await out.write(orderingsHelp())
    return EXIT.done
  }
  const name = commandNamed(asked)
  if (name === null) throw unknownCommand(asked)
  if (first !== 'help' && !wantsHelp(rest)) {
    await warnOfVariables(around, allOptions)
    return RUN[name](rest, out)
  }
  await out.write(commandHelp(name))
  return EXIT.done
}

/** The options of all commands, seeds included. */
async function allOptions(): Promise<readonly OptionInfo[]> {
  const ofCommands = Object.values(COMMANDS).flatMap(({ options, more }) => [
    ...options,
    ...(more?.options ?? []),
  ])
  return [...ofCommands, SEEDS]
}

function unknownCommand(word: string): InvalidInput {
  const meant = /[./]/.test(word) && seedUrl(word) ? `crawl ${word}` : nearest(word, COMMAND_NAMES)
  const hint = meant === null ? "'jelajah --help' lists them" : `did you mean 'jelajah ${meant}'?`
  return new InvalidInput(word, `there is no such command; ${hint}`)
}

/** One command from its words to its exit code; what goes wrong is told, never thrown. */
export async function runCommand(argv: readonly string[], out: Output): Promise<ExitCode> {
  try {
    return await run(argv, out)
  } catch (thrown) {
    const error = asCrawlerError(firstError(thrown))
    for (const line of messageOf(error).split('\n')) out.warn(`jelajah: ${safeText(line)}\n`)
    return exitCodeOf(error)
  }
}
