// Posts of other sites that a text brings along to speak of them. What they stand in says social media, which
// is what buttons for sharing stand in, too, and they are short: so the forest takes them for noise. They
// are as likely as the likelier text beside them.
import { WordTable } from '../features/word-table.ts'
import { ELEMENT } from '../html/html-names.ts'
import type { Choice } from './choose-blocks.ts'
import { hintHash } from './hints.ts'
import type { Outline } from './outline.ts'

/** In the class of the quote that its site hands out to be embedded. */
const SITES = new WordTable(
  ['tweet', 'twitter', 'instagram', 'tiktok', 'bluesky', 'mastodon'].map((word) => [
    hintHash(word),
    1,
  ]),
)

export function takeInEmbeddedPosts(
  { probabilities }: Choice,
  { blocks, containers }: Outline,
): void {
  const { element, blockFrom, blockTo } = containers
  for (let row = 1; row < containers.count; row++) {
    if (element[row] !== ELEMENT.blockquote || !isEmbedded(containers, row)) continue
    const from = blockFrom[row] ?? 0
    const to = Math.min(blockTo[row] ?? 0, blocks.count)
    const before = from > 0 ? (probabilities[from - 1] ?? 0) : 0
    const behind = to < blocks.count ? (probabilities[to] ?? 0) : 0
    const likely = Math.max(before, behind)
    for (let block = from; block < to; block++) {
      probabilities[block] = Math.max(probabilities[block] ?? 0, likely)
    }
  }
}

function isEmbedded({ wordFrom, wordTo, words }: Outline['containers'], row: number): boolean {
  for (let at = wordFrom[row] ?? 0; at < (wordTo[row] ?? 0); at++) {
    if (SITES.get(words[at] ?? 0) !== 0) return true
  }
  return false
}
