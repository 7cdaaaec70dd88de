// What a topic is built from: the words, examples and model that the user gave, with their files read, and a
// key that tells whether a later run asks for the same.
import { createHash } from 'node:crypto'
import type { ReadyTopic } from '../core/topic-text.ts'
import type { Problems } from './bad-options.ts'
import { type Examples, readExamples } from './examples-file.ts'
import { type Chosen, hasTopic } from './focus-checks.ts'

export type TopicRequest = {
  /** '' without words. With a model: the label, or labels, that are wanted. */
  readonly words: string
  readonly keywords: readonly string[]
  /** Ready topics; left out where none was named. */
  readonly ready?: readonly ReadyTopic[]
  /** The file name as given, and its content; null: none was given. */
  readonly examples: { readonly file: string; readonly pages: Examples } | null
  /** The user's own, as written; left out where there are none. */
  readonly stopWords?: readonly string[]
  /** The code of the language of the words; left out where it was not given. */
  readonly language?: string
  readonly model: { readonly file: string; readonly json: string } | null
  /** Equal for equal requests, contents of their files included. */
  readonly key: string
}

/** A text and its name in messages: a file, a field. */
type Given = { readonly file: string; readonly text: string }

type GivenTexts = {
  readonly examples: Given | null
  readonly classifier: Given | null
  readonly stopWords: readonly string[] | null
}

/** Null when the crawl has no topic. */
export function topicRequest(
  chosen: Chosen,
  given: GivenTexts,
  problems: Problems,
): TopicRequest | null {
  if (!hasTopic(chosen)) return null
  const { topic: words = '', keywords = [], topicModel: ready = [] } = chosen
  const { examples: listed, classifier: trained, stopWords } = given
  // With several languages, the words themselves tell theirs.
  const [language, another] = chosen.languages ?? []
  const isSaid = language !== undefined && another === undefined
  return {
    words,
    keywords,
    ...(ready.length === 0 ? {} : { ready }),
    examples: listed && {
      file: listed.file,
      pages: readExamples(listed.text, listed.file, problems),
    },
    model: trained && { file: trained.file, json: trained.text },
    ...(stopWords === null ? {} : { stopWords }),
    ...(isSaid ? { language } : {}),
    key: keyOf(
      [words, ...keywords],
      [
        ...[listed?.text ?? '', trained?.text ?? ''],
        // Only where given, so that topics of older versions keep their key.
        ...(stopWords === null ? [] : [stopWords.join('\n')]),
        ...(isSaid ? [language] : []),
        ...(ready.length === 0 ? [] : [`ready: ${ready.join(', ')}`]),
      ],
    ),
  }
}

function keyOf(words: readonly string[], files: readonly string[]): string {
  const hash = createHash('sha256').update(JSON.stringify(words))
  for (const file of files) hash.update(`\n${file.length}\n`).update(file)
  return hash.digest('hex').slice(0, 32)
}
