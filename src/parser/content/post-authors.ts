// Who wrote the posts of a thread. Forums put names beside the posts rather than into them, so a short
// linked line that is called a user's, near where a chosen text begins, is taken for its author.
import type { HtmlReading } from '../html/html-reader.ts'
import { hintHash } from './hints.ts'
import type { Outline } from './outline.ts'

/** What forums call the place of a name, in classes and ids. */
const NAMES = new Set(
  'username author user member name nickname poster displayname userinfo postprofile profile creator'
    .split(' ')
    .map(hintHash),
)
/** Containers around a line whose names count. */
const LEVELS = 3
/** How far before a post its author may stand, in blocks: much is told about some. */
const MAX_BLOCKS = 20
const MAX_BYTES = 60
const MAX_AUTHORS = 200
/** Dates, numbers of posts, a letter that stands for a picture: no names. */
const NO_NAME = /\d{2}|^.?$|^\P{L}*$/u
const BY = /^(?:by|oleh|von|par|por|di|posted by)[\s:]+/i

type Read = Pick<HtmlReading, 'outline' | 'text'>

/** The names in the order of the posts, each once. */
export function postAuthors(reading: Read, chosen: Uint8Array): string[] {
  return [...new Set(postStarts(reading, chosen).values())]
}

/** Where posts begin, by their first block, and who wrote them. */
export function postStarts({ outline, text }: Read, chosen: Uint8Array): Map<number, string> {
  const { blocks } = outline
  const posts = new Map<number, string>()
  const names = new Set<string>()
  for (let row = 1; row < blocks.count && names.size < MAX_AUTHORS; row++) {
    if (chosen[row] !== 1 || chosen[row - 1] === 1) continue
    const author = authorBefore(outline, chosen, row)
    if (author < 0) continue
    const line = text.slice(blocks.textFrom[author] ?? 0, blocks.textTo[author] ?? 0)
    const name = line.replace(/\s+/g, ' ').replace(BY, '').trim()
    if (NO_NAME.test(name)) continue
    names.add(name)
    posts.set(row, name)
  }
  return posts
}

/** The line between the text before and this one that is a user's by the nearest name; -1 for none. */
function authorBefore(outline: Outline, chosen: Uint8Array, row: number): number {
  const { blocks } = outline
  let found = -1
  let nearest = LEVELS
  for (let at = row - 1; at >= Math.max(0, row - MAX_BLOCKS) && chosen[at] !== 1; at--) {
    const bytes = (blocks.textTo[at] ?? 0) - (blocks.textFrom[at] ?? 0)
    if (bytes > MAX_BYTES || (blocks.links[at] ?? 0) === 0) continue
    const level = levelOf(outline, at)
    // Of equals the first counts.
    if (level < LEVELS && level <= nearest) {
      found = at
      nearest = level
    }
  }
  return found
}

/** How many containers out a line is called a user's; as many as are looked at when it is not. */
function levelOf({ blocks, containers }: Outline, row: number): number {
  let at = blocks.container[row] ?? 0
  for (let level = 0; level < LEVELS && at > 0; level++) {
    for (let word = containers.wordFrom[at] ?? 0; word < (containers.wordTo[at] ?? 0); word++) {
      if (NAMES.has(containers.words[word] ?? 0)) return level
    }
    at = containers.parent[at] ?? 0
  }
  return LEVELS
}
