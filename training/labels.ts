// Truth to labels: how much of each block of a page is main content. Truth is either the whole text
// (`labelsOfText`) or a few snippets that must and must not be in it (`labelsOfSnippets`).
import { align } from './alignment.ts'

export type BlockLabels = {
  /** For each block the share of its words that are main content; not a number where unknown. */
  readonly shares: Float32Array
  /** For each block how many words it has. */
  readonly words: Uint32Array
}

/** More words of a page or a truth are not looked at; what is beyond is not content. */
const MAX_WORDS = 60_000

/** Labels of blocks, given as words in the order of the page (lower case: `wordsOf`). */
export function labelsOfText(
  blocks: readonly (readonly string[])[],
  truth: readonly string[],
): BlockLabels {
  const numbers = new Map<string, number>()
  const truthWords = Int32Array.from(truth.slice(0, MAX_WORDS), (word) => {
    const number = numbers.get(word) ?? numbers.size
    numbers.set(word, number)
    return number
  })
  const starts = new Int32Array(blocks.length + 1)
  blocks.forEach((block, i) => {
    starts[i + 1] = Math.min((starts[i] ?? 0) + block.length, MAX_WORDS)
  })
  const words = new Int32Array(starts.at(-1) ?? 0)
  blocks.forEach((block, i) => {
    for (let at = starts[i] ?? 0; at < (starts[i + 1] ?? 0); at++) {
      words[at] = numbers.get(block[at - (starts[i] ?? 0)] ?? '') ?? -1
    }
  })
  const places = align({ words, starts }, truthWords)
  const shares = Float32Array.from(blocks, (block, i) => {
    let found = 0
    for (let at = starts[i] ?? 0; at < (starts[i + 1] ?? 0); at++)
      if ((places[at] ?? -1) >= 0) found++
    return block.length === 0 ? 0 : found / block.length
  })
  return { shares, words: Uint32Array.from(blocks, (block) => block.length) }
}

export type Snippets = { readonly with: readonly string[]; readonly without: readonly string[] }

/**
 * Labels of blocks, given as texts, by snippets: 1 where a wanted one is or begins or goes on, 0
 * where an unwanted one is; not a number elsewhere, and where both claim a block. A wanted snippet
 * that the page has several times need be right only once, so only its longest block is labelled.
 */
export function labelsOfSnippets(blocks: readonly string[], snippets: Snippets): Float32Array {
  // Without white space, as a page may break lines where the snippet has none.
  const texts = blocks.map(withoutSpace)
  const page = texts.join('')
  const starts: number[] = [0]
  for (const text of texts) starts.push((starts.at(-1) ?? 0) + text.length)
  const wanted = new Set<number>()
  const unwanted = new Set<number>()
  for (const snippet of snippets.with) {
    const places = placesOf(page, withoutSpace(snippet), starts)
    const size = (found: readonly number[]): number =>
      found.reduce((sum, block) => sum + (texts[block]?.length ?? 0), 0)
    const longest = places.toSorted((a, b) => size(b) - size(a))[0] ?? []
    for (const block of longest) wanted.add(block)
  }
  for (const snippet of snippets.without) {
    for (const block of placesOf(page, withoutSpace(snippet), starts).flat()) unwanted.add(block)
  }
  return Float32Array.from(blocks, (_, block) => {
    if (wanted.has(block) === unwanted.has(block)) return Number.NaN
    return wanted.has(block) ? 1 : 0
  })
}

const MOST_PLACES = 20

/** The blocks that each occurrence of a text touches. */
function placesOf(page: string, text: string, starts: readonly number[]): number[][] {
  const places: number[][] = []
  if (text === '') return places
  for (let at = page.indexOf(text); at >= 0 && places.length < MOST_PLACES; ) {
    const end = at + text.length
    const touched: number[] = []
    for (let block = 0; block + 1 < starts.length; block++) {
      if (
        (starts[block] ?? 0) < end &&
        (starts[block + 1] ?? 0) > Math.max(at, starts[block] ?? 0)
      ) {
        touched.push(block)
      }
    }
    places.push(touched)
    at = page.indexOf(text, end)
  }
  return places
}

function withoutSpace(text: string): string {
  return text.replace(/\s+/gu, '')
}
