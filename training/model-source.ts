// The model as a file of the parser: a few lines of base64 and what they are.

import type { LearnedWords, WordScores } from '../src/parser/features/block-features.ts'
import { featuresKey } from '../src/parser/features/block-features.ts'

export type Model = {
  readonly words: LearnedWords
  /** Encoded forests, in the order of CLASSES. */
  readonly kinds: readonly string[]
  readonly blocks: string
}

export function modelSource({ words, kinds, blocks }: Model): string {
  return `// Made by training/train.ts; see training/README.md for what it learned from. Not written by hand.

/** What the forests were trained on: another list of features needs another model. */
export const FEATURES_KEY = '${featuresKey()}'

/** Words of classes and ids: pairs of hash (32 bits) and score (8 bits). */
export const HINT_SCORES: string =
  '${packed(words.hints)}'

/** Words of texts, likewise. */
export const LEXICON_SCORES: string =
  '${packed(words.lexicon)}'

/** One forest per class of page, in the order of CLASSES (page-kinds.ts). */
export const KIND_FORESTS: readonly string[] = [
${kinds.map((forest) => `  '${forest}',`).join('\n')}
]

/** How likely a block is main content. */
export const BLOCK_FOREST: string =
  '${blocks}'
`
}

function packed(scores: WordScores): string {
  const bytes = Buffer.alloc(5 * scores.size)
  let at = 0
  for (const [hash, score] of [...scores].sort(([a], [b]) => a - b)) {
    at = bytes.writeInt8(score, bytes.writeInt32LE(hash, at))
  }
  return bytes.toString('base64')
}
