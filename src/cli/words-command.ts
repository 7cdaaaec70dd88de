// `jelajah words`: argv into the text that is read, and how.
import { resolve } from 'node:path'
import { InvalidInput, Refused, shown } from '../core/errors.ts'
import { LANGUAGE_CODES, languageCode } from '../core/languages.ts'
import { Problems } from '../options/bad-options.ts'
import { type Option, text } from '../options/option.ts'
import { type Args, parseArgs } from './args.ts'
import { JSON_OUTPUT } from './common-options.ts'
import { readOptions, readSources, type Surroundings } from './sources.ts'
import { readStopWordsFile } from './topic-files.ts'
import { existingFile } from './train/train-command.ts'

export type WordsSource =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'stdin' }
  | { readonly kind: 'file'; readonly path: string }

export type WordsOptions = {
  readonly source: WordsSource
  /** A code; '': the text tells it. */
  readonly language: string
  readonly stopWords: readonly string[]
  readonly json: boolean
}

type Choices = {
  readonly file: string
  readonly language: string
  readonly stopWords: string
  readonly json: boolean
}

export const WORDS_OPTIONS: readonly Option<Choices>[] = [
  text({
    name: 'file',
    value: 'FILE',
    help: 'read the text from a file',
    to: (file) => ({ file }),
  }),
  text({
    name: 'language',
    value: 'CODE',
    default: 'that of the text',
    help: 'decides the stems, such as id or en',
    to: (written) => ({ language: languageFrom(written) }),
  }),
  text({
    name: 'stop-words',
    value: 'FILE',
    help: 'stop words beside those of English and Indonesian, as for crawl',
    to: (stopWords) => ({ stopWords }),
  }),
  { ...JSON_OUTPUT, help: 'print one JSON object' },
]

export async function parseWords(
  argv: readonly string[],
  around: Surroundings & { readonly isTerminal: boolean },
): Promise<WordsOptions> {
  const problems = new Problems()
  const args = parseArgs(argv, WORDS_OPTIONS, problems)
  const sources = readSources(args, around, problems, { withFile: false })
  const chosen = readOptions(WORDS_OPTIONS, sources, problems)
  const source = problems.try('flag', () => sourceOf(args, chosen.file, around))
  const stopWords = await readStopWordsFile(chosen.stopWords, around, problems)
  problems.throwIfAny()
  // What could not be made out was a problem, and thrown.
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
  if (first !== undefined) return { kind: 'text', text: words.join(' ') }
  if (!isTerminal) return { kind: 'stdin' }
  throw new InvalidInput('words', 'give a text, - for stdin, or --file FILE')
}

function languageFrom(written: string): string {
  const code = languageCode(written)
  if (code !== null) return code
  throw new Refused(`needs one of ${LANGUAGE_CODES.join(', ')}, not ${shown(written)}`)
}
