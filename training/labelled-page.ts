// A page with truth, read by the parser itself: its blocks as words, and how much of each is wanted.
import { readFileSync } from 'node:fs'
import type { PageSet, Truth } from '../bench/extraction/data.ts'
import type { Metric } from '../bench/extraction/metrics.ts'
import { wordsOf } from '../bench/extraction/words.ts'
import { toUtf8 } from '../src/lib/decode.ts'
import { aboutPage } from '../src/parser/about/about.ts'
import type { PageSigns } from '../src/parser/features/page-facts.ts'
import { HtmlReader, type HtmlReading } from '../src/parser/html/html-reader.ts'
import { visibleText } from '../src/parser/html/text-sink.ts'
import { labelsOfSnippets, labelsOfText } from './labels.ts'

export type LabelledPage = {
  readonly set: string
  readonly metric: Metric
  readonly dense: boolean
  readonly truth: Truth
  /** Unique over all sets. */
  readonly id: string
  readonly texts: readonly string[]
  /** Words of each block, as the measures count them. */
  readonly words: Float32Array
  /** The share of each block that is wanted; not a number where nobody knows. */
  readonly labels: Float32Array
}

const reader = new HtmlReader()

/** The page's reading, and what it says of itself; valid until the next one is read. */
export function readPage(truth: Truth): { reading: HtmlReading; title: string; signs: PageSigns } {
  const source = toUtf8(readFileSync(truth.file), 'utf-8', false).utf8
  const reading = reader.read(source, { isXml: false })
  const url = truth.url ?? ''
  const about = aboutPage({ ...reading, url, fetchedAt: 0, resolve: () => null })
  const { title, jsonLdTypes, generator, openGraph } = about
  return {
    reading,
    title,
    signs: { url, openGraphType: openGraph.type ?? '', jsonLdTypes, generator },
  }
}

export function labelledPages(sets: readonly PageSet[]): LabelledPage[] {
  return sets.flatMap((set) => set.pages.map((truth) => labelledPage(set, truth)))
}

function labelledPage(set: PageSet, truth: Truth): LabelledPage {
  const { outline, text } = readPage(truth).reading
  const { blocks } = outline
  const texts = Array.from({ length: blocks.count }, (_, row) =>
    visibleText(text.slice(blocks.textFrom[row] ?? 0, blocks.textTo[row] ?? 0)),
  )
  const blockWords = texts.map((block) => wordsOf(block.toLowerCase()))
  const labels =
    set.metric === 'snippet' || truth.text === null
      ? labelsOfSnippets(texts, {
          with: truth.snippets?.required ?? [],
          without: truth.snippets?.forbidden ?? [],
        })
      : labelsOfText(blockWords, wordsOf(truth.text.toLowerCase())).shares
  return {
    set: set.name,
    metric: set.metric,
    dense: set.dense,
    truth,
    id: `${set.name}/${truth.id}`,
    texts,
    words: Float32Array.from(blockWords, ({ length }) => length),
    labels,
  }
}
