// The topic as people see it before a crawl starts, stored with the crawl: the words that are looked for,
// with their weights. Terms are numbers, so their words are found again in the source texts.
import { hashText } from '../text/hash-text.ts'
import type { Stemmer, TermId } from '../text/text.ts'
import { tokens } from '../text/tokens.ts'
import type { KeptPhrase, ShownTopic, ShownWord, TopicColumns } from './topic-record.ts'
import type { TopicWords } from './topic-words.ts'

const SHOWN_WORDS = 60
/** Limit for a topic from examples or a model, where thousands of words have some weight. */
const SHOWN_TELLING = 20
const MAX_SAMPLE = 20_000

/** For a topic from words: every typed word and phrase. */
export function shownWords(
  { columns, phrases }: { readonly columns: TopicColumns; readonly phrases: readonly KeptPhrase[] },
  { forms, dropped, keywords }: TopicWords,
  stem: Stemmer,
): ShownTopic {
  const weights = new Map(Array.from(columns.terms, (term, row) => [term, columns.pull[row] ?? 0]))
  const formsOf = (term: TermId) => [...(forms.get(term) ?? [])]
  const nameOf = (term: TermId) => formsOf(term).map((form) => stem(form) || form)[0] ?? ''
  const single = [...forms.keys()].map(
    (term): ShownWord => ({
      stem: nameOf(term),
      forms: formsOf(term),
      weight: rounded(weights.get(term) ?? 0),
    }),
  )
  const whole = phrases
    .filter(({ terms }) => keywords.some((keyword) => keyword.join() === terms.join()))
    .map(
      ({ terms, pull }): ShownWord => ({
        stem: terms.map(nameOf).join(' '),
        forms: [terms.map((term) => formsOf(term)[0] ?? '').join(' ')],
        weight: rounded(pull),
      }),
    )
  return { words: heaviest([...whole, ...single], SHOWN_WORDS), dropped }
}

/** For any other topic: the words with the strongest evidence, common ones first among equals. */
export function shownEvidence(
  { terms, evidence, centre }: TopicColumns,
  nameOf: ReadonlyMap<TermId, string>,
  { forms }: Pick<TopicWords, 'forms'>,
): ShownTopic {
  const words = Array.from(terms, (term, row): ShownWord | null => {
    const stem = nameOf.get(term)
    // Evidence alone favours names that one page has; the centre has the words that pages on topic share.
    const weight = rounded((evidence[row] ?? 0) * Math.sqrt(Math.max(0, centre[row] ?? 0)))
    return stem === undefined || weight <= 0
      ? null
      : { stem, forms: [...(forms.get(term) ?? [])], weight }
  })
  return {
    words: heaviest(
      words.filter((word) => word !== null),
      SHOWN_TELLING,
    ),
    dropped: [],
  }
}

/** Term → stem, for the words of some texts. */
export function stemsIn(texts: readonly string[], stem: Stemmer): Map<TermId, string> {
  const names = new Map<TermId, string>()
  for (const text of texts) {
    for (const word of new Set(tokens(text.slice(0, MAX_SAMPLE)))) {
      const name = stem(word) || word
      names.set(hashText(name), name)
    }
  }
  return names
}

function heaviest(words: readonly ShownWord[], count: number): ShownWord[] {
  return words.toSorted((a, b) => b.weight - a.weight).slice(0, count)
}

function rounded(weight: number): number {
  return Math.round(weight * 100) / 100
}
