import { english } from './english.ts'
import { indonesian } from './indonesian.ts'
import type { Words } from './words.ts'

export const LANGUAGES = ['en', 'id'] as const
export type Language = (typeof LANGUAGES)[number]

const WORDS: { readonly [L in Language]: Words } = { en: english, id: indonesian }

export function wordsIn(language: Language): Words {
  return WORDS[language]
}
