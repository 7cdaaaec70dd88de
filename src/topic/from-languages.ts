// A topic that is a language: pages written in it are on topic. Before a page is fetched its links give
// evidence: words that only this language has count for it, words of other languages against it.
import { COMMON_WORDS_OF } from '../text/language-votes.ts'
import { TermTable } from '../text/term-table.ts'
import type { TermReader } from '../text/terms.ts'
import type { TermId } from '../text/text.ts'
import type { Background } from './background.ts'
import { wordsForLanguage } from './named-languages.ts'
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
