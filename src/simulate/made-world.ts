// A world from a list of pages in memory: for the sample web, and for tests.
import type { CanonicalUrl } from '../core/url.ts'
import { GraphBuilder } from '../graph/graph.ts'
import type { ContentLink, PageContent, ReplayWorld } from './replay-world.ts'
import { measureWorld } from './replay-world.ts'

export type MadePage = {
  readonly url: CanonicalUrl
  readonly title: string
  readonly text: string
  readonly links: readonly ContentLink[]
}

const FETCH_MS = 100

export function makeWorld(pages: readonly MadePage[]): ReplayWorld {
  const urls = pages.map(({ url }) => url)
  const numbers = new Map<string, number>(urls.map((url, page) => [url, page]))
  const builder = new GraphBuilder()
  for (const [page, { links }] of pages.entries()) {
    for (const { to } of links) builder.add(page, to)
  }
  const read = async (page: number): Promise<PageContent> => {
    const made = pages[page]
    if (made === undefined) throw new RangeError(`there is no page ${page}`)
    const { url, title, text, links } = made
    const anchors = links.map(({ anchor }) => anchor)
    return { text: { url, title, description: '', text, anchors }, links }
  }
  return {
    ...measureWorld(urls, builder.build(pages.length), pages.length),
    fetchMs: new Float32Array(pages.length).fill(FETCH_MS),
    hot: null,
    find: (url) => numbers.get(url),
    read,
    readLinks: async (page) => (await read(page)).links,
  }
}
