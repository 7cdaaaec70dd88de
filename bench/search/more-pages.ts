// As many pages as asked for, where a crawl has fewer: its pages again under other URLs, the words of each
// text in another order. So words are as frequent as in real texts, and no two pages are near-duplicates.
import type { SearchedPage } from '../../src/core/page.ts'
import { canonicalise } from '../../src/core/url.ts'
import { seededRandom, shuffledNumbers } from '../../src/lib/seeded-random.ts'
import type { PageReader } from '../../src/store/page-reader.ts'

const AT_ONCE = 500

export type Copies = {
  /** Batches of copies, until there are so many pages with those of the store. */
  readonly batches: AsyncIterable<readonly SearchedPage[]>
  /** Also knows the pages of the store. */
  readonly pagesOf: (ids: readonly number[]) => Promise<readonly SearchedPage[]>
}

/** `last`: the highest id of the store. */
export function copiesOf(feed: PageReader, last: number, pages: number): Copies {
  const pagesOf = async (ids: readonly number[]): Promise<readonly SearchedPage[]> => {
    const numbers = ids.map((id) => ({ id, of: ((id - 1) % last) + 1 }))
    const found = new Map(
      (await feed.pagesOf(numbers.map(({ of }) => of))).map((page) => [page.id, page]),
    )
    return numbers.flatMap(({ id, of }) => {
      const page = found.get(of)
      if (page === undefined || page.noindex || page.duplicateOf !== null) return []
      return id === of ? [page] : [copyOf(page, id)]
    })
  }
  return { pagesOf, batches: batchesOf(pagesOf, last, pages) }
}

async function* batchesOf(
  pagesOf: Copies['pagesOf'],
  last: number,
  pages: number,
): AsyncGenerator<readonly SearchedPage[]> {
  for (let id = last + 1; id <= pages; id += AT_ONCE) {
    const count = Math.min(AT_ONCE, pages - id + 1)
    yield await pagesOf(Array.from({ length: count }, (_, nth) => id + nth))
  }
}

function copyOf(page: SearchedPage, id: number): SearchedPage {
  const words = page.contentText.split(/\s+/)
  const order = shuffledNumbers(words.length, seededRandom(id))
  const contentText = [...order].map((at) => words[at] ?? '').join(' ')
  const url = canonicalise(`${page.url}?copy=${id}`) ?? page.url
  return { ...page, id, url, contentText }
}
