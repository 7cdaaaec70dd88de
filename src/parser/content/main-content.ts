// Finds the main content of a page, and its kind. The page is turned into columns of numbers
// (block-features.ts), one small forest per class of page gives the probability of the class, and
// with those one forest gives the probability of each block being main content. The forests are
// trained on pages with known main content (training/).
import { FEATURES, type WordScores } from '../features/block-features.ts'
import type { PageSigns } from '../features/page-facts.ts'
import { PageModel } from '../features/page-model.ts'
import { decodeForest } from '../forest/forest.ts'
import { flagsOf } from '../html/html-names.ts'
import type { HtmlReading } from '../html/html-reader.ts'
import { removeConsentText, removeReadAlso } from './boilerplate-text.ts'
import { chooseContent } from './choose-content.ts'
import { hintHash, WordTable } from './hints.ts'
import { BLOCK_FOREST, HINT_SCORES, KIND_FORESTS, LEXICON_SCORES } from './model.ts'
import type { Outline } from './outline.ts'
import { CLASSES, claimOf, type JudgedKind, kindOf } from './page-kinds.ts'

export type MainContent = JudgedKind & {
  /** 1 for each block of main content, 0 for the others; valid until the next page. */
  readonly chosen: Uint8Array
}

type Judged = Pick<HtmlReading, 'outline' | 'text'>

const FIRST_BLOCKS = 1024
const BLOCK_WORDS = FEATURES.indexOf('words')
const HEADING = FEATURES.indexOf('heading')
const TITLE_SHARE = FEATURES.indexOf('title-share')
const TITLE_COVER = FEATURES.indexOf('title-cover')
/** Least similarity of a first heading and the title. */
const TITLE_LIKENESS = 0.8
/** Longer headings are not a title. */
const MAX_TITLE_BYTES = 1024
const FORUM = CLASSES.indexOf('forum')
const DOCUMENTATION = CLASSES.indexOf('documentation')
const MAYBE_THREAD = 0.3
const MAYBE_MANUAL = 0.3
/** Probability of a thread for posts of users that the forests took for something else. */
const POSTS_OF_USERS = 0.7
/** The prefix of a reply's title. */
const REPLY = /^(?:re|aw|sv|antw|balasan):\s*/i
const NO_LETTER = /[^\p{L}\p{N}]+/gu
const LAST_ASCII = 127
/** By character: 0 where it is no letter or digit, else its small form. */
const ASCII_SIGNS = Uint8Array.from({ length: LAST_ASCII + 1 }, (_, code) => {
  const sign = String.fromCharCode(code)
  return /[a-z0-9]/i.test(sign) ? sign.toLowerCase().charCodeAt(0) : 0
})
/** A row of packed scores: a hash of four bytes, a score of one. */
const SCORE_BYTES = 5

export class ContentJudge {
  readonly #model = new PageModel(
    { hints: unpacked(HINT_SCORES), lexicon: unpacked(LEXICON_SCORES) },
    { blocks: decodeForest(BLOCK_FOREST), kinds: KIND_FORESTS.map(decodeForest) },
  )
  readonly #classes = new Float32Array(CLASSES.length)
  #probabilities = new Float32Array(FIRST_BLOCKS)
  #chosen = new Uint8Array(FIRST_BLOCKS)

  judge(reading: Judged, title: string, signs: PageSigns): MainContent {
    const model = this.#model
    model.read(reading, title, signs)
    this.#judgeClasses()
    const claim = claimOf(signs)
    if (claim !== 'article' && hasPostsOfUsers(reading.outline)) this.#raiseThread()
    const { count } = model
    const words = model.column(BLOCK_WORDS)
    if (this.#chosen.length < count) this.#grow(count)
    model.scoreBlocks(this.#classes, this.#probabilities)
    chooseContent({
      probabilities: this.#probabilities,
      words,
      count,
      chosen: this.#chosen,
      outline: reading.outline,
      bytes: reading.text.bytes,
      heading: model.column(HEADING),
      classes: this.#classes,
      claim,
    })
    this.#removeTitle(reading, title)
    removeReadAlso(reading, this.#chosen)
    // Manuals explain cookies in the same words.
    if ((this.#classes[DOCUMENTATION] ?? 0) < MAYBE_MANUAL) {
      removeConsentText(reading, this.#chosen.subarray(0, count), title)
    }
    let pageWords = 0
    for (let row = 0; row < count; row++) pageWords += words[row] ?? 0
    const kind = kindOf(this.#classes, { ...signs, words: pageWords })
    return { ...kind, chosen: this.#chosen.subarray(0, count) }
  }

  /** The title is stored separately; some pages have it within their text and others do not. */
  #removeTitle({ outline: { blocks }, text }: Judged, title: string): void {
    const heading = this.#model.column(HEADING)
    const share = this.#model.column(TITLE_SHARE)
    const cover = this.#model.column(TITLE_COVER)
    // Forums repeat it above each post, at any depth.
    const isThread = (this.#classes[FORUM] ?? 0) >= MAYBE_THREAD
    const deepest = isThread ? 6 : 1
    for (let row = 0; row < blocks.count; row++) {
      const level = heading[row] ?? 0
      if (level < 1 || level > deepest || this.#chosen[row] !== 1) continue
      const likeness = Math.min(share[row] ?? 0, cover[row] ?? 0)
      const to = Math.min(blocks.textTo[row] ?? 0, (blocks.textFrom[row] ?? 0) + MAX_TITLE_BYTES)
      // Signs and words of one letter count for the likeness: `Reading a file¶`.
      const isTitle = (): boolean =>
        hasSameLetters(text.slice(blocks.textFrom[row] ?? 0, to).replace(REPLY, ''), title)
      if ((level === 1 && likeness >= TITLE_LIKENESS) || isTitle()) this.#chosen[row] = 0
    }
  }

  #judgeClasses(): void {
    this.#model.scoreKinds(this.#classes)
    let sum = 0
    for (let at = 0; at < CLASSES.length; at++) sum += this.#classes[at] ?? 0
    for (let at = 0; at < CLASSES.length; at++) {
      this.#classes[at] = (this.#classes[at] ?? 0) / (sum || 1)
    }
  }

  /** Where another class is likelier; the others share what is left. */
  #raiseThread(): void {
    const forum = this.#classes[FORUM] ?? 0
    if (forum >= Math.max(...this.#classes)) return
    const times = (1 - POSTS_OF_USERS) / (1 - forum)
    for (let at = 0; at < CLASSES.length; at++) {
      this.#classes[at] = at === FORUM ? POSTS_OF_USERS : times * (this.#classes[at] ?? 0)
    }
  }

  #grow(count: number): void {
    const size = 2 ** Math.ceil(Math.log2(count))
    this.#probabilities = new Float32Array(size)
    this.#chosen = new Uint8Array(size)
  }
}

/** Whether two texts have the same letters and digits, in any case. Most differ in the first ones. */
export function hasSameLetters(one: string, other: string): boolean {
  let at = nextSign(one, 0)
  let otherAt = nextSign(other, 0)
  while (at < one.length && otherAt < other.length) {
    const [a, b] = [one.charCodeAt(at), other.charCodeAt(otherAt)]
    if (a > LAST_ASCII || b > LAST_ASCII) break
    if ((ASCII_SIGNS[a] ?? 0) !== (ASCII_SIGNS[b] ?? 0)) return false
    at = nextSign(one, at + 1)
    otherAt = nextSign(other, otherAt + 1)
  }
  if (at === one.length && otherAt === other.length) return true
  return lettersOf(one) === lettersOf(other)
}

/** The next letter, digit, or character beyond ASCII. */
function nextSign(text: string, from: number): number {
  let at = from
  while (at < text.length && ASCII_SIGNS[text.charCodeAt(at)] === 0) at++
  return at
}

function lettersOf(text: string): string {
  return text.toLowerCase().replace(NO_LETTER, '')
}

/** Reads packed scores of words. */
export function unpacked(text: string): WordScores {
  const { buffer, byteOffset, length } = Buffer.from(text, 'base64')
  const bytes = new DataView(buffer, byteOffset, length)
  const scores = new Map<number, number>()
  for (let at = 0; at + SCORE_BYTES <= length; at += SCORE_BYTES) {
    scores.set(bytes.getInt32(at, true), bytes.getInt8(at + 4))
  }
  return scores
}

const POST = 1
const USER = 2
/** Entries of a list of articles are called posts, too, but they have an author, not a user. */
const USER_WORDS = 'user userinfo postprofile poster member userdetails'.split(' ').map(hintHash)
const WORDS = new WordTable([
  ...'post posts message posting postbit postcontainer reply'
    .split(' ')
    .map((word) => [hintHash(word), POST] as const),
  ...USER_WORDS.map((hash) => [hash, USER] as const),
])
/** By the last bits of a hash: 1 for those of users. */
const MAY_NAME = flagsOf(USER_WORDS.map((hash) => hash & 255))
/** From the block of the user out to the post. */
const LEVELS = 6
const MIN_POSTS = 3

/**
 * Recognises a thread by its markup: several posts side by side, each with a block about the user who wrote
 * it. All forum software writes threads so. The URL and the head, which the forests rely on, say nothing in
 * a page that was saved to a file.
 */
export function hasPostsOfUsers({ containers }: Pick<Outline, 'containers'>): boolean {
  if (!namesUser(containers)) return false
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

/** On most pages no word does. */
function namesUser({ words, wordCount }: Outline['containers']): boolean {
  for (let at = 0; at < wordCount; at++) {
    const hash = words[at] ?? 0
    if (MAY_NAME[hash & 255] === 1 && (WORDS.get(hash) & USER) !== 0) return true
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
