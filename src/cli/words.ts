// `jelajah words`: what becomes of a text.
import { createReadStream } from 'node:fs'
import type { Readable } from 'node:stream'
import { InvalidInput } from '../core/errors.ts'
import { readAtMost } from '../lib/read-at-most.ts'
import { type ExplainedText, explainWords } from '../topic/explain-words.ts'
import { EXIT, type ExitCode } from './exit-codes.ts'
import type { Output } from './output.ts'
import { printWords } from './print-words.ts'
import type { WordsOptions, WordsSource } from './words-command.ts'

/** More is no text that anybody looks through. */
const MAX_BYTES = 1 << 20

export async function runWords(
  { source, language, stopWords, json }: WordsOptions,
  out: Output,
  stdin: () => Readable = () => process.stdin,
): Promise<ExitCode> {
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
    const code = error instanceof Error && 'code' in error ? error.code : error
    throw new InvalidInput(name, `cannot be read: ${code}`)
  }
}

function asJson({ words, ...rest }: ExplainedText) {
  return {
    ...rest,
    words: words.map(({ stopWord, ...word }) => ({ ...word, stop_word: stopWord })),
  }
}
