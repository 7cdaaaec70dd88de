// The files that command lines name: texts, and what says what a crawl is about.
import { isUtf8 } from 'node:buffer'
import { statSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { InvalidInput } from '../core/errors.ts'
import { MAX_MODEL_BYTES } from '../core/topic-text.ts'
import { showBytes } from '../lib/format.ts'
import { errorCode } from '../lib/present.ts'
import type { Problems } from './bad-options.ts'
import type { Chosen } from './focus-checks.ts'
import { decodeStopWords, MAX_STOP_WORDS_BYTES } from './stop-words.ts'
import type { TopicRequest } from './topic-request.ts'

/** A larger file is refused. */
const MAX_EXAMPLES_BYTES = 64 * 2 ** 20

/** The absolute path of a file; InvalidInput when there is none. */
export function existingFile(written: string, cwd: string): string {
  const path = resolve(cwd, written)
  const found = statSync(path, { throwIfNoEntry: false })
  if (found === undefined) throw new InvalidInput(written, 'there is no such file')
  if (found.isDirectory()) throw new InvalidInput(written, 'is a folder; give a file')
  return path
}

/** Null when the crawl has no topic. */
export async function readTopicRequest(
  chosen: Chosen,
  { cwd }: { readonly cwd: string },
  problems: Problems,
): Promise<TopicRequest | null> {
  const { hasTopic } = await import('./focus-checks.ts')
  const { topicRequest } = await import('./topic-request.ts')
  const read = async (name: string, file: string | null | undefined, maxBytes: number) => {
    if (!file) return null
    const bytes = await readSmall(resolve(cwd, file), maxBytes)
    const at = `--${name}`
    if (!(bytes instanceof Uint8Array)) problems.add('flag', at, `${file} ${bytes.problem}`)
    else if (isUtf8(bytes)) return { file, text: bytes.toString('utf8') }
    else problems.add('flag', at, `${file} is not UTF-8 text`)
    return null
  }
  const examples = await read('examples', chosen.examples, MAX_EXAMPLES_BYTES)
  const classifier = await read('classifier', chosen.classifier, MAX_MODEL_BYTES)
  const listed = hasTopic(chosen) ? chosen.stopWords : null
  const stopWords = await readStopWordsFile(listed, { cwd }, problems)
  return topicRequest(chosen, { examples, classifier, stopWords }, problems)
}

/** The words of the file of --stop-words; null: none was given, or it cannot be read. */
export async function readStopWordsFile(
  file: string | null | undefined,
  { cwd }: { readonly cwd: string },
  problems: Problems,
): Promise<readonly string[] | null> {
  if (!file) return null
  const at = '--stop-words'
  const bytes = await readSmall(resolve(cwd, file), MAX_STOP_WORDS_BYTES)
  if (bytes instanceof Uint8Array) {
    return problems.try('flag', () => decodeStopWords(bytes, `${at}: ${file}`))
  }
  problems.add('flag', at, `${file} ${bytes.problem}`)
  return null
}

async function readSmall(path: string, maxBytes: number): Promise<Buffer | { problem: string }> {
  try {
    const found = await stat(path)
    if (found.isDirectory()) return { problem: 'is a folder, not a file' }
    if (found.size > maxBytes) return { problem: `is larger than ${showBytes(maxBytes)}` }
    return await readFile(path)
  } catch (error) {
    return { problem: whyUnreadable(error) }
  }
}

/** Completes the sentence that begins with the name of the file. */
export function whyUnreadable(error: unknown): string {
  const code = errorCode(error) || error
  if (code === 'ENOENT') return 'does not exist'
  if (code === 'EISDIR') return 'is a folder, not a file'
  if (code === 'EACCES') return 'may not be read by this user'
  return `cannot be read: ${code}`
}
