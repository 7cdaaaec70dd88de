// Opens a stored topic for judging: one per parser thread. Pages are judged in one pass over their words;
// anchors and hosts repeat, so their results are cached.
//
// A page is hot if its relevance reaches the threshold, for every kind of topic. The alternative is to count
// keywords (one in the title, or ten in the text). It finds as many of the pages on topic, but less than half
// of the pages it finds are on topic; with relevance two thirds are.
import type { KeptTopic } from '../core/job.ts'
import { type CanonicalUrl, hostOf } from '../core/url.ts'
import { remembering } from '../text/remembering.ts'
import { TermTable } from '../text/term-table.ts'
import type { TermReader } from '../text/terms.ts'
import type { TermId } from '../text/text.ts'
import { NAME } from './from-languages.ts'
import { EVIDENCE } from './from-words.ts'
import { Mentions } from './mentions.ts'
import {
  byExamples,
  byLanguage,
  byLikeness,
  byWords,
  type Likelihood,
  ModelJudge,
  meanEvidence,
  reachOf,
  relevanceOfStrength,
  titlePullOf,
} from './page-judges.ts'
import { PageReader } from './page-reader.ts'
import { pathWords, startOf } from './page-words.ts'
import { type Sums, TermRows } from './term-rows.ts'
import type { Judgement, PageText, Topic } from './topic.ts'
import { TopicLearner } from './topic-learner.ts'
import {
  fromRecord,
  type KeptPhrase,
  learnsOnTheWay,
  type TopicColumns,
  type TopicParts,
} from './topic-record.ts'
import { createTopicRules } from './topic-rules.ts'
import { WordParts } from './word-parts.ts'
import { languageInAddress, withoutTag } from './words-language.ts'

type OpenTopicOptions = {
  /** Relevance from which a page is hot. */
  readonly hotThreshold: number
}

/** Opens a record that `buildTopic` made; InvalidInput for anything else. */
export function openTopic(record: KeptTopic, options: OpenTopicOptions): Topic {
  return new OpenedTopic(fromRecord(record), options)
}

const KEPT_HOSTS = 4096
/** The most that typed words add to the evidence of one text: as much as three words of mean rarity. */
const MOST_TYPED = 3 * EVIDENCE
/** Characters read of an anchor, or of the words around it. */
const MAX_SHORT_TEXT = 600

type Evidence = {
  /** Log-odds of words; their mean counts. */
  readonly sum: number
  readonly words: number
  /** Evidence of the typed words: the same in a sentence as alone. Only for topics from words. */
  readonly typed: number
}

class OpenedTopic implements Topic {
  readonly evidence: (text: string) => number
  readonly similarity: (text: string) => number
  readonly mentions: (text: string) => number
  readonly fresh?: () => Topic
  readonly #parts: TopicParts
  readonly #hotThreshold: number
  readonly #reader: TermReader
  readonly #learning: TopicLearner | null
  readonly #newRows: (columns: TopicColumns) => TermRows
  #rows: TermRows
  #kept: readonly KeptPhrase[]
  readonly #pages: PageReader
  readonly #phrases: Mentions
  /** For topics from words. */
  readonly #wordParts: WordParts | null
  readonly #model: ModelJudge | null
  readonly #hosts = new Map<string, Evidence>()
  /** Clears the cached results for short texts and hosts. */
  readonly #forget: () => void

  constructor(parts: TopicParts, options: OpenTopicOptions) {
    const all = createTopicRules(parts.stems, parts.stopWords)
    const rules = { ...all, isStopWord: exceptOwn(all.isStopWord, parts) }
    const { keywords, model } = parts
    const phrases = parts.phrases.map(({ terms }) => terms)
    this.#parts = parts
    this.#hotThreshold = options.hotThreshold
    this.#reader = rules.reader
    this.#newRows = (columns) => new TermRows({ ...parts, ...rules, columns })
    this.#rows = this.#newRows(parts.columns)
    this.#kept = parts.phrases
    this.#learning = learnsOnTheWay(parts) ? new TopicLearner(parts) : null
    if (this.#learning !== null) this.fresh = () => new OpenedTopic(parts, options)
    this.#pages = new PageReader({ ...rules, keywords, phrases })
    this.#phrases = new Mentions(phrases)
    this.#wordParts = parts.judge === 'words' ? this.#newWordParts() : null
    this.#model = model === null ? null : new ModelJudge(model)
    const mentions = new Mentions(keywords)
    const counts = new TermTable()
    const newEvidence = () =>
      remembering((text: string) => {
        const short = text.slice(0, MAX_SHORT_TEXT)
        return total(this.#evidenceIn(short, this.#wordParts?.inAnchor(short)))
      })
    const newSimilarity = () =>
      remembering((text: string) => {
        counts.clear()
        const short = this.#reader.count(text.slice(0, MAX_SHORT_TEXT), counts)
        return this.#rows.similarity(this.#rows.sum(short))
      })
    let [evidence, similarity] = [newEvidence(), newSimilarity()]
    this.evidence = (text) => evidence(text)
    this.similarity = (text) => similarity(text)
    this.#forget = () => {
      ;[evidence, similarity] = [newEvidence(), newSimilarity()]
      this.#hosts.clear()
      this.#wordParts?.forget()
    }
    this.mentions = remembering((text) =>
      mentions.inTerms(this.#reader.read(text.slice(0, MAX_SHORT_TEXT))),
    )
  }

  #newWordParts(): WordParts {
    return new WordParts({
      words: this.#parts.shown.words,
      termOf: (word) => this.#reader.termOf(word),
      pullOf: (term) => this.#rows.pullOf(term),
    })
  }

  judge(page: PageText): Judgement {
    const pages = this.#pages
    pages.readText(page)
    const own = this.#ownRelevance(page)
    pages.readSurroundings(page)
    const sums = this.#rows.sum(pages.counts)
    const similarity = this.#rows.similarity(sums)
    const likelihood = { ...this.#likelihood(sums, similarity, page), ...own }
    this.#learn(page, likelihood)
    const { terms, titleMentions, textMentions } = pages
    return {
      ...likelihood,
      hot: likelihood.relevance >= this.#hotThreshold,
      similarity,
      terms,
      titleMentions,
      textMentions,
    }
  }

  addressEvidence(url: CanonicalUrl): number {
    const { judge, languages } = this.#parts
    const named = judge === 'language' ? languageInAddress(url, languages) : ''
    if (languages.includes(named)) return NAME
    const host = this.#hostEvidence(hostOf(url))
    // Another tag may be no language at all, so it does not count against; nor is it a word: "/de/".
    const words = named === '' ? pathWords(url) : withoutTag(pathWords(url), named)
    const path = this.#evidenceIn(words, this.#wordParts?.inAddress(words))
    return total({
      sum: host.sum + path.sum,
      words: host.words + path.words,
      typed: host.typed + path.typed,
    })
  }

  /**
   * Relevance for topics that may look only at the page's own text: a model was trained on texts, and a few
   * words also occur in menus that link to the topic from anywhere.
   */
  #ownRelevance(page: PageText): { readonly relevance?: number } {
    const { counts } = this.#pages
    if (this.#model !== null) return { relevance: this.#model.relevance(page, counts) }
    if (this.#parts.judge !== 'words') return {}
    const { phraseCounts, words } = this.#pages
    const reach = reachOf(words)
    const pull = (this.#learning?.readText(counts, phraseCounts, reach) ?? 0) + this.#titlePull()
    return { relevance: relevanceOfStrength(pull / reach, this.#parts.bias) }
  }

  #likelihood(sums: Sums, similarity: number, page: PageText): Likelihood {
    const { judge, bias, languages } = this.#parts
    if (judge === 'language') return byLanguage(sums, page, languages)
    if (this.#model !== null) return { relevance: 0, evidence: meanEvidence(sums) }
    if (judge === 'examples') return byExamples(sums, this.#parts)
    if (judge === 'likeness') return byLikeness(sums, similarity, bias)
    return this.#byWords(sums)
  }

  #byWords(sums: Sums): Likelihood {
    const { bias } = this.#parts
    const phrases = this.#kept
    const { phraseCounts } = this.#pages
    return byWords(sums, { phrases, phraseCounts, titlePull: this.#titlePull() }, bias)
  }

  #titlePull(): number {
    const { title, counts } = this.#pages
    return titlePullOf(title, counts, (term) => this.#rows.pullOf(term))
  }

  #learn({ url, text }: PageText, { relevance, promise = relevance }: Likelihood): void {
    const learning = this.#learning
    if (learning === null) return
    const terms = () => this.#reader.read(startOf(text))
    if (!learning.readPage(this.#pages.counts, { url, relevance, promise, terms })) return
    const { columns, phrases } = learning.take()
    this.#rows = this.#newRows(columns)
    this.#kept = phrases
    this.#forget()
  }

  /** `inside`: the pull of the topic's words inside other words. */
  #evidenceIn(text: string, inside = 0): Evidence {
    const terms = this.#reader.read(text)
    const rows = this.#rows
    const isTyped = this.#wordParts !== null
    let [sum, pull] = [0, inside]
    for (let at = 0; at < terms.length; at++) {
      const term = terms[at] ?? 0
      sum += isTyped ? rows.promiseOf(term) : rows.evidenceOf(term)
    }
    // A typed word counts once: repeating it says no more.
    if (isTyped) for (const term of new Set(terms)) pull += rows.pullOf(term)
    const met = new Set<number>()
    this.#phrases.longerIn(terms, (at) => {
      if (isTyped && !met.has(at)) pull += this.#kept[at]?.pull ?? 0
      if (!isTyped) sum += this.#kept[at]?.evidence ?? 0
      met.add(at)
    })
    return { sum, words: terms.length, typed: isTyped ? EVIDENCE * pull : 0 }
  }

  #hostEvidence(host: string): Evidence {
    const known = this.#hosts.get(host)
    if (known !== undefined) return known
    if (this.#hosts.size >= KEPT_HOSTS) this.#hosts.clear()
    const evidence = this.#evidenceIn(host, this.#wordParts?.inAddress(host))
    this.#hosts.set(Buffer.from(host).toString(), evidence)
    return evidence
  }
}

/** A keyword is no stop word, though it may share its stem with one. */
function exceptOwn(
  isStopWord: (term: TermId) => boolean,
  { judge, columns: { terms, pull } }: TopicParts,
): (term: TermId) => boolean {
  if (judge !== 'words' && judge !== 'language') return isStopWord
  const own = new TermTable()
  for (let row = 0; row < terms.length; row++) if (pull[row]) own.set(terms[row] ?? 0, 1)
  return (term) => isStopWord(term) && !own.has(term)
}

function total({ sum, words, typed }: Evidence): number {
  return Math.min(typed, MOST_TYPED) + (words === 0 ? 0 : sum / words)
}
