// The files that say what a crawl is about, read in.
import { readFile, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { MAX_MODEL_BYTES } from '../core/model-size.ts'
import type { Problems } from '../request/bad-options.ts'
import type { Chosen } from '../request/focus-checks.ts'
import { type TopicRequest, topicRequest } from '../request/topic-request.ts'
import type { Args } from './args.ts'
import { showBytes } from './format.ts'
import { givenIn } from './given.ts'

/** Beyond this a file is not what it should be. */
const MAX_EXAMPLES_BYTES = 64 * 2 ** 20

/** Null when the crawl is about nothing in particular. What is wrong goes to `problems`. */
export async function readTopicRequest(
  chosen: Chosen,
  { args, cwd }: { readonly args: Args; readonly cwd: string },
  problems: Problems,
): Promise<TopicRequest | null> {
  const read = async (name: string, file: string | null | undefined, maxBytes: number) => {
    if (!file) return null
    const text = await readSmall(resolve(cwd, file), maxBytes)
    if (typeof text === 'string') return { file, text }
    const { source, at } = givenIn(args).placeOf(name)
    problems.add(source, at, `${file} ${text.problem}`)
    return null
  }
  const examples = await read('examples', chosen.examples, MAX_EXAMPLES_BYTES)
  const classifier = await read('classifier', chosen.classifier, MAX_MODEL_BYTES)
  return topicRequest(chosen, { examples, classifier }, problems)
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
