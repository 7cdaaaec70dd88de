// The text of a block: its length, its style, and its words.
import type { BlockView, FeatureGroup } from './block-view.ts'

/** Only this many words are looked up (see block-shapes.ts). */
const LOOKED_UP = 40

export const textFeatures: FeatureGroup = {
  names: [
    'words',
    'bytes',
    'word-length',
    'ends',
    'digits',
    'capitals',
    'ends-sentence',
    'link-density',
    'links',
    'signs',
    'lines',
    'cells',
    'lexicon',
    'known-words',
    'title-share',
    'title-cover',
    'twins',
  ],
  fill(view) {
    sizes(view)
    writing(view)
    words(view)
    twins(view)
  },
}

function sizes({ outline: { blocks }, shapes, column }: BlockView): void {
  const words = column('words')
  const bytes = column('bytes')
  const linkDensity = column('link-density')
  const links = column('links')
  const lines = column('lines')
  const cells = column('cells')
  for (let row = 0; row < blocks.count; row++) {
    const length = (blocks.textTo[row] ?? 0) - (blocks.textFrom[row] ?? 0)
    words[row] = shapes.words[row] ?? 0
    bytes[row] = length
    linkDensity[row] = (blocks.linkBytes[row] ?? 0) / length
    links[row] = blocks.links[row] ?? 0
    lines[row] = shapes.lines[row] ?? 0
    cells[row] = shapes.cells[row] ?? 0
  }
}

function writing({ outline: { blocks }, shapes, column }: BlockView): void {
  const bytes = column('bytes')
  const wordLength = column('word-length')
  const ends = column('ends')
  const digits = column('digits')
  const capitals = column('capitals')
  const endsSentence = column('ends-sentence')
  const signs = column('signs')
  for (let row = 0; row < blocks.count; row++) {
    const words = Math.max(1, shapes.words[row] ?? 0)
    const letters = shapes.letters[row] ?? 0
    const length = bytes[row] ?? 1
    const last = shapes.last[row] ?? 0
    wordLength[row] = letters / words
    ends[row] = shapes.ends[row] ?? 0
    digits[row] = (shapes.digits[row] ?? 0) / length
    capitals[row] = (shapes.capitals[row] ?? 0) / Math.max(1, letters)
    // A quote or a bracket may follow the point.
    endsSentence[row] = (shapes.ends[row] ?? 0) > 0 && !isLetterOrDigit(last) ? 1 : 0
    signs[row] = (shapes.signs[row] ?? 0) / length
  }
}

function words({ outline: { blocks }, shapes, titleWords, column }: BlockView): void {
  const lexicon = column('lexicon')
  const known = column('known-words')
  const titleShare = column('title-share')
  const titleCover = column('title-cover')
  for (let row = 0; row < blocks.count; row++) {
    const lookedUp = Math.min(LOOKED_UP, Math.max(1, shapes.words[row] ?? 0))
    lexicon[row] = (shapes.lexicon[row] ?? 0) / Math.max(1, shapes.known[row] ?? 0)
    known[row] = (shapes.known[row] ?? 0) / lookedUp
    titleShare[row] = (shapes.titled[row] ?? 0) / lookedUp
    titleCover[row] = Math.min(1, (shapes.titled[row] ?? 0) / Math.max(1, titleWords))
  }
}

/** Text that occurs more than once on a page is rarely its content. */
function twins({ outline: { blocks }, shapes, column }: BlockView): void {
  const twins = column('twins')
  const seen = new Map<number, number>()
  for (let row = 0; row < blocks.count; row++) {
    const key = shapes.hash[row] ?? 0
    seen.set(key, (seen.get(key) ?? 0) + 1)
  }
  for (let row = 0; row < blocks.count; row++) twins[row] = seen.get(shapes.hash[row] ?? 0) ?? 1
}

function isLetterOrDigit(byte: number): boolean {
  const lower = byte | 32
  return (byte >= 48 && byte <= 57) || (lower >= 97 && lower <= 122)
}
