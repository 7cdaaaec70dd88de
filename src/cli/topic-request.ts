// What the user said the crawl is about, with the files it names read in: all that a topic is built
// from, and a key that tells whether a later run asks for the same.
import { createHash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { MAX_MODEL_BYTES } from '../core/model-size.ts'
import type { Args } from './args.ts'
import type { Problems } from './bad-options.ts'
import { type Examples, readExamples } from './examples-file.ts'
import { type Chosen, hasTopic, placeOf } from './focus-checks.ts'
import { showBytes } from './format.ts'

export type TopicRequest = {
  /** '' when it was not put in words. With a model: the label, or labels, that are wanted. */
  readonly words: string
  readonly keywords: readonly string[]
  /** The file as it was named, and what is in it; null: none was given. */
  readonly examples: { readonly file: string; readonly pages: Examples } | null
  readonly model: { readonly file: string; readonly json: string } | null
  /** Equal for requests that are equal, contents of their files included. */
  readonly key: string
}

/** Beyond this a file is not what it should be. */
const MAX_EXAMPLES_BYTES = 64 * 2 ** 20

/** Null when the crawl is about nothing in particular. What is wrong goes to `problems`. */
export async function readTopicRequest(
  chosen: Chosen,
  { args, cwd }: { readonly args: Args; readonly cwd: string },
  problems: Problems,
): Promise<TopicRequest | null> {
  if (!hasTopic(chosen)) return null
  const { topic: words = '', keywords = [], examples, classifier } = chosen
  const read = async (name: string, file: string | null | undefined, maxBytes: number) => {
    if (!file) return null
    const text = await readSmall(resolve(cwd, file), maxBytes)
    if (typeof text === 'string') return { file, text }
    const { source, at } = placeOf(name, args)
    problems.add(source, at, `${file} ${text.problem}`)
    return null
  }
  const listed = await read('examples', examples, MAX_EXAMPLES_BYTES)
  const trained = await read('classifier', classifier, MAX_MODEL_BYTES)
  return {
    words,
    keywords,
    examples: listed && {
      file: listed.file,
      pages: readExamples(listed.text, listed.file, problems),
    },
    model: trained && { file: trained.file, json: trained.text },
    key: keyOf([words, ...keywords], listed?.text ?? '', trained?.text ?? ''),
  }
}

async function readSmall(path: string, maxBytes: number): Promise<string | { problem: string }> {
  try {
    const found = await stat(path)
    if (found.isDirectory()) return { problem: 'is a folder, not a file' }
    if (found.size > maxBytes) return { problem: `is larger than ${showBytes(maxBytes)}` }
    return await readFile(path, 'utf8')
  } catch (error) {
    const why = error instanceof Error && 'code' in error ? error.code : error
    return { problem: `cannot be read: ${why}` }
  }
}

function keyOf(words: readonly string[], ...files: readonly string[]): string {
  const hash = createHash('sha256').update(JSON.stringify(words))
  for (const file of files) hash.update(`\n${file.length}\n`).update(file)
  return hash.digest('hex').slice(0, 32)
}
