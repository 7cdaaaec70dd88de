// Where a page links to, as edges of the graph of its crawl.
import type { CanonicalUrl } from '../core/url.ts'
import type { GraphEdges, PageNames } from './graph-reader.ts'
import { eachVouchedUrl } from './link-columns.ts'

export type WantedTargets = {
  /** The page they are links of. */
  readonly from: number
  readonly names: PageNames
  /** Otherwise those stay empty. */
  readonly outside: boolean
}

/** From the part as the parser wrote it. */
export function linkTargets(
  links: string,
  { from, names, outside: wanted }: WantedTargets,
): Pick<GraphEdges, 'to' | 'outside'> {
  const to = new Set<number>()
  const outside = new Set<CanonicalUrl>()
  eachVouchedUrl(links, (text, start, end) => {
    const id = names.find(text, start, end)
    if (id === undefined) {
      // As the parser wrote it, and only ever in its one spelling.
      if (wanted) outside.add(text.slice(start, end) as CanonicalUrl)
    } else if (id !== from) to.add(id)
  })
  return { to: [...to], outside: [...outside] }
}
