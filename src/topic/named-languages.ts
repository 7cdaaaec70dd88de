// Topics that name a language instead of a subject: "Pages written in French", "halaman berbahasa Indonesia".
// The language of a page then decides, not the words of the topic.
import { LANGUAGE_CODES } from '../core/languages.ts'
import type { StopWords } from '../text/text.ts'
import { tokens } from '../text/tokens.ts'

/** Words for written things. Beside them the name of a language is no subject. */
const WRITTEN = new Set(
  tokens(`page pages text texts article articles document documents site sites website websites content
    written language languages halaman laman teks tulisan artikel dokumen situs konten ditulis tertulis
    bahasa berbahasa`),
)
/** Other names of languages. */
const OTHER_NAMES: Readonly<Record<string, readonly [name: string, tag: string][]>> = {
  en: [
    ['bengali', 'bn'],
    ['farsi', 'fa'],
    ['mandarin', 'zh'],
    ['tagalog', 'tl'],
  ],
  id: [
    ['cina', 'zh'],
    ['denmark', 'da'],
    ['finlandia', 'fi'],
    ['myanmar', 'my'],
    ['polandia', 'pl'],
  ],
}
/** Indonesian uses one name for a country and its language: one of these words means the language. */
const OF_LANGUAGE = ['bahasa', 'berbahasa']

/** Tags of the languages that a text names if it names nothing else; empty: it has a subject. */
export function languagesNamed(text: string, stopWords: StopWords): readonly string[] {
  const words = tokens(text).filter((word) => !stopWords.has(word))
  if (!words.some((word) => WRITTEN.has(word))) return []
  const names = words.filter((word) => !WRITTEN.has(word))
  const inIndonesian = words.some((word) => OF_LANGUAGE.includes(word))
  const known = inIndonesian ? [...namesIn('id'), ...namesIn('en')] : namesIn('en')
  const tags = new Map(known)
  const found = names.flatMap((name) => tags.get(name) ?? [])
  return found.length === names.length ? [...new Set(found)] : []
}

/** The names of a language in menus: in English, in Indonesian and in itself, word by word. */
export function wordsForLanguage(tag: string): readonly string[] {
  const names = ['en', 'id', tag].map((language) =>
    new Intl.DisplayNames([language], { type: 'language' }).of(tag),
  )
  return [...new Set(tokens(names.join(' ')))]
}

/** The names of all detected languages in one language: name and tag. */
function namesIn(language: string): [name: string, tag: string][] {
  const names = new Intl.DisplayNames([language], { type: 'language' })
  const known = LANGUAGE_CODES.flatMap((tag): [string, string][] => {
    const [name, ...more] = tokens(names.of(tag) ?? '')
    return name === undefined || more.length > 0 ? [] : [[name, tag]]
  })
  return [...known, ...(OTHER_NAMES[language] ?? [])]
}
