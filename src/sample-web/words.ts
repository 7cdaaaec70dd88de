// The languages of the sample web.
import type { Language, Vocabulary } from './vocabulary.ts'
import { ENGLISH } from './words-en.ts'
import { INDONESIAN } from './words-id.ts'

export const VOCABULARIES: Readonly<Record<Language, Vocabulary>> = {
  en: ENGLISH,
  id: INDONESIAN,
}
