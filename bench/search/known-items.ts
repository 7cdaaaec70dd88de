// Known-item queries without anybody who judges: the text of a link is how somebody else named the page
// it leads to, so a search for that text should find the page. Only links between hosts count: those of
// a site's own menus say what its titles say.
//
// Left out: texts that are addresses, that say only "here", that have no letter, or that lead to many
// pages. The same words in another spelling are one query. Half of the queries are there to tune with,
// the other half to report on; queries with the same page are in the same half.
import { seededRandom, shuffledNumbers } from '../../src/lib/seeded-random.ts'
import { wordsOf } from '../../src/search/words.ts'
import { hashText } from '../../src/text/text.ts'

export type NamedLink = {
  readonly anchor: string
  /** The page it leads to, by its URL. */
  readonly target: string
  /** Whether it comes from another host. */
  readonly fromElsewhere: boolean
}

export type KnownItem = {
  readonly text: string
  /** Any of these is right; sorted. */
  readonly targets: readonly string[]
}

export type Halves = { readonly tune: readonly KnownItem[]; readonly report: readonly KnownItem[] }

/** A text that leads to more pages of other hosts says nothing about any of them … */
const MAX_TARGETS = 3
/** … nor does one by which sites name that many pages of their own: "overview", "next". */
const MAX_TARGETS_ANYWHERE = 20
const MAX_CHARACTERS = 100
const MAX_WORDS = 12

const ADDRESS = /:\/\/|^www\.|^mailto:|^\S+@\S+$|\.(?:com|org|net|io|dev|edu|gov)(?:\/\S*)?$/i
const LETTERS = /\p{L}\P{L}*\p{L}/u
const SAYS_NOTHING = new Set(
  `api|click|click here|contents|docs|documentation|download|faq|guide|here|home|home page|homepage|
  index|in this page|learn more|link|links|manual|more|more information|news|online documentation|
  page|read more|reference|see also|site|source|table of contents|the documentation|the manual|this|
  this link|this page|this site|tutorial|url|web|web page|web site|website|wiki`
    .split('|')
    .map((text) => text.trim()),
)

type Named = {
  /** As the first link from elsewhere has it. */
  text: string
  readonly elsewhere: Set<string>
  readonly anywhere: Set<string>
}

/** By first appearance. */
export async function knownItems(links: AsyncIterable<NamedLink>): Promise<KnownItem[]> {
  const named = new Map<string, Named>()
  // Menus repeat: most texts were cut into words before.
  const byText = new Map<string, Named | null>()
  for await (const link of links) {
    const seen = byText.get(link.anchor)
    const known = seen === undefined ? namedBy(keyOf(link.anchor), named) : seen
    byText.set(link.anchor, known)
    if (known !== null) note(known, link)
  }
  return [...named.values()].filter(singlesOut).map(itemFrom)
}

/** `most`: of both halves together, picked by the seed. */
export function inHalves(
  items: readonly KnownItem[],
  { seed, most }: { readonly seed: number; readonly most: number },
): Halves {
  const order = shuffledNumbers(items.length, seededRandom(seed))
  const picked = [...order].slice(0, most).flatMap((at) => items[at] ?? [])
  const half = (wanted: number) =>
    picked.filter(({ targets }) => (hashText(targets[0] ?? '') & 1) === wanted)
  return { tune: half(0), report: half(1) }
}

function namedBy(key: string | null, named: Map<string, Named>): Named | null {
  if (key === null) return null
  const known = named.get(key) ?? { text: '', elsewhere: new Set(), anywhere: new Set() }
  named.set(key, known)
  return known
}

/** The words that make two texts the same query; null when it is none. */
function keyOf(anchor: string): string | null {
  const text = anchor.trim()
  if (text.length > MAX_CHARACTERS || ADDRESS.test(text) || !LETTERS.test(text)) return null
  const words = wordsOf(text)
  const key = words.join(' ')
  return words.length > MAX_WORDS || SAYS_NOTHING.has(key) ? null : key
}

function note(known: Named, { anchor, target, fromElsewhere }: NamedLink): void {
  // One more than the limit says that it is above it.
  if (known.anywhere.size <= MAX_TARGETS_ANYWHERE) known.anywhere.add(target)
  if (!fromElsewhere) return
  if (known.elsewhere.size === 0) known.text = anchor.trim().replaceAll(/\s+/g, ' ')
  if (known.elsewhere.size <= MAX_TARGETS) known.elsewhere.add(target)
}

function singlesOut({ elsewhere, anywhere }: Named): boolean {
  const isNamed = elsewhere.size > 0 && elsewhere.size <= MAX_TARGETS
  return isNamed && anywhere.size <= MAX_TARGETS_ANYWHERE
}

function itemFrom({ text, elsewhere }: Named): KnownItem {
  return { text, targets: [...elsewhere].sort() }
}
