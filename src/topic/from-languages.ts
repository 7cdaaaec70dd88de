// A topic that is a language: pages written in it are on topic. Before a page is fetched its links give
// evidence: words that only this language has count for it, words of other languages against it.
import { LANGUAGE_CODES } from '../core/languages.ts'
import { COMMON_WORDS_OF } from '../text/language-votes.ts'
import { TermTable } from '../text/term-table.ts'
import type { TermReader } from '../text/terms.ts'
import type { StopWords, TermId } from '../text/text.ts'
import { tokens } from '../text/tokens.ts'
import type { Background } from './background.ts'
import type { JudgedParts, TopicColumns, TopicParts } from './topic-record.ts'

/** The evidence of a word that no other language has, and of a word that only others have. */
const OWN_WORD = 2
const OTHER_WORD = -1
/** The name of the language: menus link to it by that name, and addresses by its tag. */
export const NAME = 4

export function fromLanguages(
  languages: readonly string[],
  reader: TermReader,
  background: Background,
): JudgedParts & Pick<TopicParts, 'languages'> {
  const names = [...new Set(languages.flatMap(wordsForLanguage).map((word) => reader.termOf(word)))]
  return {
    judge: 'language',
    columns: columnsOf(evidenceTable(languages, names, reader), background),
    unknownRarity: background.commonest,
    bias: 0,
    promiseBias: 0,
    keywords: names.map((term) => [term]),
    phrases: [],
    model: null,
    languages,
  }
}

function evidenceTable(
  languages: readonly string[],
  names: readonly TermId[],
  reader: TermReader,
): TermTable {
  const [own, others] = [new TermTable(), new TermTable()]
  for (const [language, words] of Object.entries(COMMON_WORDS_OF)) {
    const side = languages.includes(language) ? own : others
    for (const term of new Set(reader.read(words))) side.add(term, 1)
  }
  const evidence = new TermTable(own.size + others.size)
  for (const term of others.ids) evidence.set(term, OTHER_WORD)
  // A word of many languages says less.
  for (const term of own.ids) evidence.set(term, OWN_WORD / (1 + others.get(term)))
  for (const term of names) evidence.set(term, NAME)
  return evidence
}

function columnsOf(table: TermTable, background: Background): TopicColumns {
  const terms = Int32Array.from(new Set([...table.ids, ...background.terms]))
  const evidence = Float32Array.from(terms, (term) => table.get(term))
  return {
    terms,
    evidence,
    rarity: new Float32Array(terms.length).fill(1),
    centre: evidence.map((weight) => Math.max(0, weight)),
    pull: evidence.map((weight) => Math.max(0, weight)),
    promise: new Float32Array(terms.length),
  }
}

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

/**
 * Tags of the languages that a text names if it names nothing else; empty: it has a subject.
 *
 * Topics that name a language instead of a subject: "Pages written in French", "halaman berbahasa
 * Indonesia". The language of a page then decides, not the words of the topic.
 */
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
function wordsForLanguage(tag: string): readonly string[] {
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
