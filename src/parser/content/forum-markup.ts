// Recognises a thread by its markup: several posts side by side, each with a block about the user
// who wrote it. All forum software writes threads so. The URL and the head, which the forests
// rely on, say nothing in a page that was saved to a file.
import { hintHash, WordTable } from './hints.ts'
import type { Outline } from './outline.ts'

const POST = 1
const USER = 2
/** Entries of a list of articles are called posts, too, but they have an author, not a user. */
const WORDS = new WordTable([
  ...'post posts message posting postbit postcontainer reply'
    .split(' ')
    .map((word) => [hintHash(word), POST] as const),
  ...'user userinfo postprofile poster member userdetails'
    .split(' ')
    .map((word) => [hintHash(word), USER] as const),
])
/** From the block of the user out to the post. */
const LEVELS = 6
const MIN_POSTS = 3

export function hasPostsOfUsers({ containers }: Pick<Outline, 'containers'>): boolean {
  const { count, parent, signature } = containers
  /** By parent and signature: the posts there. */
  const groups = new Map<string, Set<number>>()
  for (let row = 1; row < count; row++) {
    if ((wordsOf(containers, row) & USER) === 0) continue
    let at = parent[row] ?? 0
    for (let level = 0; level < LEVELS && at > 0; level++, at = parent[at] ?? 0) {
      if ((wordsOf(containers, at) & POST) === 0) continue
      const key = `${parent[at]} ${signature[at]}`
      const posts = groups.get(key) ?? new Set()
      groups.set(key, posts.add(at))
      if (posts.size >= MIN_POSTS) return true
    }
  }
  return false
}

function wordsOf({ words, wordFrom, wordTo }: Outline['containers'], row: number): number {
  let found = 0
  for (let at = wordFrom[row] ?? 0; at < (wordTo[row] ?? 0); at++) {
    found |= WORDS.get(words[at] ?? 0)
  }
  return found
}
