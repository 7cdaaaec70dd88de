// The words of an index that begin with some letters.
import type { IndexView } from './index-view.ts'
import { isJoined } from './joined-terms.ts'
import type { FoundTerm } from './postings-list.ts'
import type { TermBlock } from './term-block.ts'

type Place = {
  readonly segment: IndexView['segments'][number]
  readonly block: TermBlock
  readonly place: number
}
type Counted = { pages: number; readonly places: Place[] }

/** Where the most common of them are. Stems are no words, nor are terms that stand for several. */
export function termsWith(view: IndexView, prefix: string, limit: number): FoundTerm[][] {
  const all = [...countedTerms(view, prefix).values()]
  if (all.length > limit) all.sort((a, b) => b.pages - a.pages)
  return all
    .slice(0, limit)
    .map(({ places }) =>
      places.map(({ segment, block, place }) => ({ segment, entry: block.entry(place) })),
    )
}

/** True if the next block may have words with the prefix, too. */
export function goesOn({ names }: TermBlock, prefix: string): boolean {
  const last = names.at(-1) ?? ''
  return last < prefix || last.startsWith(prefix)
}

function countedTerms(view: IndexView, prefix: string): Map<string, Counted> {
  const counts = new Map<string, Counted>()
  for (const segment of view.segments) {
    for (const block of view.reader.blocksFrom(segment.id, prefix)) {
      const { names } = block
      for (let place = block.placeOf(prefix); place < names.length; place++) {
        const term = names[place] ?? ''
        if (!term.startsWith(prefix)) break
        if (term.includes('_') || isJoined(term)) continue
        const pages = block.pagesAt(place)
        const known = counts.get(term)
        if (known === undefined) counts.set(term, { pages, places: [{ segment, block, place }] })
        else {
          known.pages += pages
          known.places.push({ segment, block, place })
        }
      }
      if (!goesOn(block, prefix)) break
    }
  }
  return counts
}
