// `jelajah words`: shows what becomes of a text: each word with its stem, which words fall together, what a
// topic of it would look for.
import { createReadStream } from 'node:fs'
import { resolve } from 'node:path'
import type { Readable } from 'node:stream'
import { InvalidInput, Refused, shown } from '../core/errors.ts'
import { LANGUAGE_CODES, languageCode } from '../core/languages.ts'
import { showNumber } from '../lib/format.ts'
import { errorCode } from '../lib/present.ts'
import { readAtMost } from '../lib/read-lines.ts'
import { Problems } from '../options/bad-options.ts'
import { type ChosenBy, text } from '../options/option.ts'
import { existingFile, readStopWordsFile } from '../options/topic-files.ts'
import type { ExplainedText } from '../topic/explain-words.ts'
import { type Args, parseArgs } from './args.ts'
import type { Command } from './command.ts'
import { areLanguages, JSON_OUTPUT } from './common-options.ts'
import { EXIT, type ExitCode } from './exit-codes.ts'
import type { Output } from './output.ts'
import { readOptions, readSources, type Surroundings } from './sources.ts'
import { type Column, table, wrap } from './table.ts'

type WordsSource =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'stdin' }
  | { readonly kind: 'file'; readonly path: string }

type WordsOptions = {
  readonly source: WordsSource
  /** A code; '': the text tells it. */
  readonly language: string
  readonly stopWords: readonly string[]
  readonly json: boolean
}

const OPTIONS = [
  text({
    name: 'file',
    value: 'FILE',
    help: 'read the text from a file',
  }),
  text({
    name: 'language',
    value: 'CODE',
    default: 'that of the text',
    help: 'decides the stems, such as id or en',
    ignoresVariable: areLanguages,
    to: (written) => ({ language: languageFrom(written) }),
  }),
  text({
    name: 'stop-words',
    value: 'FILE',
    help: 'stop words beside those of English and Indonesian, as for crawl',
  }),
  { ...JSON_OUTPUT, help: 'print one JSON object' },
] as const

export const command: Command = {
  usage: '<text|-> [options]',
  options: OPTIONS,
  examples: [
    ['words "vaksin dan sistem imun"', 'what --topic with this text would look for'],
    ['words --file article.txt --json | jq .families', 'which words fall together'],
  ],
  run: async (argv, around, out) => {
    const isTerminal = process.stdin.isTTY === true
    return runWords(await parseWords(argv, { ...around, isTerminal }), out)
  },
}

export async function parseWords(
  argv: readonly string[],
  around: Surroundings & { readonly isTerminal: boolean },
): Promise<WordsOptions> {
  const problems = new Problems()
  const args = parseArgs(argv, OPTIONS, problems)
  const sources = readSources(args, around, problems, { withFile: false })
  const chosen = readOptions<ChosenBy<typeof OPTIONS>>(OPTIONS, sources, problems)
  const source = problems.try('flag', () => sourceOf(args, chosen.file, around))
  const stopWords = await readStopWordsFile(chosen.stopWords, around, problems)
  problems.throwIfAny()
  // Values that could not be read have been reported.
  if (source === null) throw new InvalidInput('words', 'has nothing to do')
  const { language = '', json = false } = chosen
  return { source, language, stopWords: stopWords ?? [], json }
}

function sourceOf(
  { words }: Args,
  file: string | undefined,
  { cwd, isTerminal }: { readonly cwd: string; readonly isTerminal: boolean },
): WordsSource {
  const [first] = words
  if (file !== undefined) {
    if (first === undefined) return { kind: 'file', path: existingFile(resolve(cwd, file), cwd) }
    throw new InvalidInput('--file', 'give a text or a file, not both')
  }
  if (words.length === 1 && first === '-') return { kind: 'stdin' }
  const text = words.join(' ')
  if (text.trim() !== '') return { kind: 'text', text }
  if (first !== undefined) throw new InvalidInput('words', 'the text is empty')
  if (!isTerminal) return { kind: 'stdin' }
  throw new InvalidInput('words', 'give a text, - for stdin, or --file FILE')
}

function languageFrom(written: string): string {
  const code = languageCode(written)
  if (code !== null) return code
  throw new Refused(`needs one of ${LANGUAGE_CODES.join(', ')}, not ${shown(written)}`)
}

/** More is no text that anybody looks through. */
const MAX_BYTES = 1 << 20

export async function runWords(
  { source, language, stopWords, json }: WordsOptions,
  out: Output,
  stdin: () => Readable = () => process.stdin,
): Promise<ExitCode> {
  const { explainWords } = await import('../topic/explain-words.ts')
  const read = explainWords(await textOf(source, stdin), { language, stopWords })
  await out.write(json ? `${JSON.stringify(asJson(read))}\n` : printWords(read))
  return EXIT.done
}

async function textOf(source: WordsSource, stdin: () => Readable): Promise<string> {
  if (source.kind === 'text') return source.text
  const name = source.kind === 'file' ? source.path : 'stdin'
  try {
    const stream = source.kind === 'file' ? createReadStream(source.path) : stdin()
    const { bytes, truncated } = await readAtMost(stream, MAX_BYTES)
    if (truncated) throw new InvalidInput(name, 'is longer than 1 MiB')
    return bytes.toString('utf8')
  } catch (error) {
    if (error instanceof InvalidInput) throw error
    throw new InvalidInput(name, `cannot be read: ${errorCode(error) || error}`)
  }
}

function asJson({ words, ...rest }: ExplainedText) {
  return {
    ...rest,
    words: words.map(({ stopWord, ...word }) => ({ ...word, stop_word: stopWord })),
  }
}

/** Rows of words, and of a topic, that a person reads; --json has all of them. */
const SHOWN_WORDS = 200
const SHOWN_TOPIC = 30
const WIDTH = 96

const COLUMNS: readonly Column<ExplainedText['words'][number]>[] = [
  { title: 'WORD', of: ({ word }) => word },
  { title: 'STEM', of: ({ stem, stopWord }) => (stopWord === '' ? stem : '–') },
  { title: 'TIMES', align: 'right', of: ({ count }) => String(count) },
  { title: '', of: ({ stopWord }) => stopNote(stopWord) },
]

function printWords(read: ExplainedText): string {
  const { words, families } = read
  if (words.length === 0) return 'there is no word in this text\n'
  return [
    `${languageLine(read)}\n\n`,
    table(COLUMNS, words.slice(0, SHOWN_WORDS)),
    words.length > SHOWN_WORDS ? `… and ${words.length - SHOWN_WORDS} more\n` : '',
    ...(families.length > 0 ? ['\nTogether:\n'] : []),
    ...families.slice(0, SHOWN_WORDS).map((one) => `  ${one.stem}: ${one.words.join(', ')}\n`),
    topicText(read),
  ].join('')
}

function languageLine({ language, stems, words }: ExplainedText): string {
  const stopped = words.filter(({ stopWord }) => stopWord !== '').length
  const counts = `${showNumber(words.length, 'different word')}, ${showNumber(stopped, 'stop word')}`
  const told = language === '' ? 'language not clear' : `language ${language}`
  return `${told}, stems of ${stems}; ${counts}`
}

function stopNote(stopWord: string): string {
  if (stopWord === '') return ''
  return stopWord === 'own' ? 'stop word of yours' : `stop word (${stopWord})`
}

function topicText({ topic, languages, problem }: ExplainedText): string {
  if (problem !== '') return `\nNo topic can be made of it: ${problem}\n`
  if (languages.length > 0) return `\nA topic of it wants pages in ${languages.join(', ')}\n`
  const shown = topic.slice(0, SHOWN_TOPIC).map(({ stem, weight }) => `${stem} ${weight}`)
  const more = topic.length > SHOWN_TOPIC ? [`… and ${topic.length - SHOWN_TOPIC} more`] : []
  const lines = wrap([...shown, ...more].join(', '), WIDTH - 2).map((line) => `  ${line}\n`)
  return ['\nA topic of it looks for, with weights:\n', ...lines].join('')
}
