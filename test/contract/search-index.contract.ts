// What every search index promises.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SearchedPage } from '../../src/core/page.ts'
import type { Field } from '../../src/core/search-field.ts'
import { seededRandom } from '../../src/lib/seeded-random.ts'
import type {
  Found,
  PagesOf,
  Search,
  SearchIndex,
  SearchReader,
  TopicsOf,
} from '../../src/search/search-index.ts'
import { FAMILIES } from '../support/word-families.ts'
import { sampleFields } from './sample-page.ts'

/** One place where an index lives; opened again, it is the same place. */
export interface SearchFixture extends AsyncDisposable {
  index(pagesOf: PagesOf, topicsOf?: TopicsOf): Promise<SearchIndex>
  reader(pagesOf: PagesOf): Promise<SearchReader | null>
}

export type Scene = {
  readonly fixture: SearchFixture
  readonly index: SearchIndex
  /** What stands for the store. */
  readonly stored: Map<number, SearchedPage>
  /** What crawls are about. */
  readonly topics: Map<number, string>
  readonly pagesOf: PagesOf
  /** Puts pages into the store and the index; their ids go on from 1. */
  add(...pages: readonly Partial<SearchedPage>[]): Promise<void>
  find(text: string, rest?: Partial<Search>): Promise<Found>
  /** The ids of the hits. */
  ids(text: string, rest?: Partial<Search>): Promise<number[]>
}

/** How a promise of an index is stated and tried. */
export function searchPromises(name: string, openFixture: () => Promise<SearchFixture>) {
  return (title: string, body: (scene: Scene) => Promise<void>) =>
    test(`${name}: ${title}`, async () => {
      await using fixture = await openFixture()
      const stored = new Map<number, SearchedPage>()
      const pagesOf: PagesOf = async (ids) => ids.flatMap((id) => stored.get(id) ?? [])
      const topics = new Map<number, string>()
      await using index = await fixture.index(pagesOf, async () => topics)
      await body({ fixture, stored, topics, pagesOf, ...usesOf(index, stored) })
    })
}

export function searchIndexContract(name: string, openFixture: () => Promise<SearchFixture>): void {
  const promise = searchPromises(name, openFixture)

  promise(
    'a page is found by words of its title, description, keywords, text and URL',
    async (s) => {
      await s.add({
        url: urlOf('http://www.kompas.test/berita/harga-beras'),
        title: 'Sungai meluap',
        description: 'Tujuh desa terendam',
        keywords: 'banjir, cuaca',
        contentText: 'Hujan lebat sejak malam.',
      })
      await s.add({ title: 'Another page' })
      for (const word of ['sungai', 'desa', 'cuaca', 'hujan', 'kompas', 'beras']) {
        assert.deepEqual(await s.ids(word), [1], word)
      }
      assert.deepEqual(await s.ids('gunung'), [])
    },
  )

  promise(
    'pages with all words come first, wherever they have them',
    async ({ add, ids, find }) => {
      await add(
        { title: 'tea', contentText: 'green leaves' },
        { title: 'tea', contentText: 'black' },
      )
      assert.deepEqual(await ids('black tea'), [2, 1])
      const { hits, whole, pages } = await find('green tea')
      assert.deepEqual([hits.map(({ page }) => page.id), whole, pages], [[1, 2], 1, 2])
      assert.ok(hits[0]!.score > hits[1]!.score)
    },
  )

  promise('words asked for without exception must be there', async ({ add, ids, find }) => {
    await add({ title: 'tea', contentText: 'green leaves' }, { title: 'tea', contentText: 'black' })
    assert.deepEqual(await ids('green AND tea'), [1])
    assert.deepEqual(await ids('green AND black'), [])
    assert.deepEqual(await ids('+green tea'), [1])
    assert.deepEqual(await ids('"green" tea'), [1])
    assert.equal((await find('tea')).whole, 2)
  })

  promise('a sentence finds the pages about it, even if none has every word', async (scene) => {
    const sentence = 'Which harvest machines for green tea leaves are used on steep slopes?'
    await scene.add(
      { contentText: 'Machines harvest the green leaves of tea on slopes.' },
      { contentText: 'The steep road to the village.' },
      { contentText: 'Nothing of that kind.' },
    )
    assert.deepEqual(await scene.ids(sentence), [1, 2])
    assert.equal((await scene.find(sentence)).whole, 0)
  })

  promise('a sentence with signs of a query in it finds the page it is from', async (scene) => {
    await scene.add(
      { contentText: 'With -v, the program prints the name of each file | pipe it receives.' },
      { contentText: 'The program prints nothing.' },
    )
    const pasted = 'With -v, the program prints the "name of each" file | pipe it receives.'
    assert.deepEqual(await scene.ids(pasted), [1, 2])
    assert.deepEqual(await scene.ids(`${pasted} -nothing`), [1])
  })

  promise(
    'words in quotes may stand apart if no page has them in a row',
    async ({ add, ids, find }) => {
      await add(
        { title: 'tea', contentText: 'green leaves' },
        { title: 'green tea', contentText: 'leaves' },
      )
      assert.deepEqual(await ids('"green tea" leaves'), [2])
      assert.deepEqual((await ids('"green leaves of tea" cup')).sort(), [1, 2])
      assert.equal((await find('"green leaves of tea" cup')).whole, 0)
      assert.deepEqual(await ids('"leaves green"'), [])
      assert.deepEqual(await ids('+"leaves green" tea'), [])
    },
  )

  promise('where many pages have all words, no others are found', async ({ add, find }) => {
    await add(...Array.from({ length: 105 }, (_, nth) => ({ title: `green tea ${nth}` })))
    await add({ title: 'black tea' })
    const { whole, pages } = await find('green tea', { all: true })
    assert.deepEqual([whole, pages], [105, 105])
  })

  promise('case and accents make no difference', async ({ add, ids }) => {
    await add({ contentText: 'Café Déjà vu, ŁÓDŹ' })
    for (const text of ['CAFE', 'café', 'deja', 'Déjà'])
      assert.deepEqual(await ids(text), [1], text)
  })

  promise('other forms of a word are found too, after the word itself', async ({ add, ids }) => {
    await add(
      { language: 'en', contentText: 'It talks about one crawler and what it does all day.' },
      { language: 'en', contentText: 'It talks about all crawlers and what they do all day.' },
      { language: 'id', contentText: 'Kami makan bersama setiap hari di rumah.' },
      { language: 'id', contentText: 'Aneka makanan enak dijual setiap hari di pasar.' },
    )
    assert.deepEqual(await ids('crawlers'), [2, 1])
    assert.deepEqual(await ids('crawler'), [1, 2])
    assert.deepEqual(await ids('makan'), [3, 4])
    assert.deepEqual(await ids('makanan'), [4, 3])
    assert.deepEqual(await ids('crawlers', { scoring: { stems: false } }), [2])
  })

  promise(
    'a word finds pages with other words of its family, in a language or in none',
    async (s) => {
      for (const [, found] of FAMILIES) {
        for (const language of ['id', ''])
          await s.add({ language, contentText: `Kabar ${found} kemarin.` })
      }
      for (const [asked, form] of FAMILIES) {
        const { hits } = await s.find(asked, { all: true, limit: 50 })
        const marked = hits.flatMap(({ page, snippet: { text, marks } }) =>
          marks.some(([start, end]) => text.slice(start, end) === form) ? [page.language] : [],
        )
        assert.deepEqual(new Set(marked), new Set(['id', '']), `${asked} finds ${form}`)
      }
    },
  )

  promise('a form in one language is none in another', async ({ add, ids }) => {
    await add(
      { language: 'en', contentText: 'A son came home.' },
      { language: 'en', contentText: 'A person came home.' },
      { language: 'id', contentText: 'Rumah itu besar.' },
    )
    assert.deepEqual(await ids('person'), [2])
  })

  promise('what is in quotes is there word by word, in that order', async ({ add, ids }) => {
    await add(
      { language: 'en', contentText: 'the green tea house' },
      { language: 'en', contentText: 'tea that is green' },
      { language: 'en', contentText: 'green teas' },
    )
    assert.deepEqual(await ids('"green tea"'), [1])
    assert.deepEqual(await ids('"teas"'), [3])
  })

  promise(
    'a quote that never ends asks for this order first, and keeps nothing from the rest',
    async (scene) => {
      await scene.add(
        { language: 'en', contentText: 'tea that is green' },
        { language: 'en', contentText: 'the green tea house' },
        { language: 'en', contentText: 'green coffee' },
      )
      assert.deepEqual(await scene.ids('"green tea'), [2, 1, 3])
      assert.deepEqual(await scene.ids('"green tea -coffee'), [2, 1])
      assert.deepEqual(await scene.ids('green "house tea'), [2, 1, 3])
    },
  )

  promise('a star stands for the rest of a word', async ({ add, ids }) => {
    await add({ contentText: 'crawling' }, { contentText: 'scrawl' }, { contentText: 'crawlers' })
    assert.deepEqual((await ids('crawl*')).sort(), [1, 3])
  })

  promise('one of several words is enough with OR, and none may be with a minus', async (scene) => {
    await scene.add(
      { contentText: 'tea hot' },
      { contentText: 'coffee hot' },
      { contentText: 'coffee cold' },
    )
    assert.deepEqual((await scene.ids('hot tea OR coffee')).sort(), [1, 2])
    assert.deepEqual((await scene.ids('coffee -cold')).sort(), [2])
    assert.deepEqual((await scene.ids('coffee NOT "cold"')).sort(), [2])
  })

  promise('a word that must not be there changes no score of what is left', async (scene) => {
    await scene.add(
      { language: 'en', contentText: 'green teas' },
      { language: 'en', contentText: 'tea', keywords: 'green' },
      { language: 'en', contentText: 'sugar' },
    )
    const scoreOf = async (text: string) => (await scene.find(text)).hits[0]?.score
    assert.equal(await scoreOf('tea keywords:green -sugar'), await scoreOf('tea keywords:green'))
  })

  promise('a filter changes no score of what is left', async ({ add, find }) => {
    await add(
      { language: 'en', url: urlOf('http://a.test/gurih-1'), contentText: 'tea' },
      { language: 'en', url: urlOf('http://a.test/gurih-2'), contentText: 'coffee' },
      { language: 'en', contentText: 'milk' },
    )
    const scoresOf = async (rest: Partial<Search>) =>
      (await find('gurih', rest)).hits.map(({ page, score }) => [page.id, score])
    assert.deepEqual(await scoresOf({ filter: { language: 'en' } }), await scoresOf({}))
  })

  promise('without a word to look for, an excluded one leaves all others', async (scene) => {
    const { add, find, ids } = scene
    await add(
      { contentText: 'tea hot', fetchedAt: 1000, url: urlOf('http://a.test/') },
      { contentText: 'coffee cold', fetchedAt: 2000 },
      { contentText: 'coffee hot', fetchedAt: 3000 },
      { contentText: 'milk', title: 'Cold' },
    )
    assert.deepEqual(await ids('-cold'), [3, 1])
    assert.deepEqual(await ids('NOT cold -host:a'), [3])
    assert.deepEqual(await ids('-text:cold', { filter: { since: 2500 } }), [4, 3])
    assert.deepEqual(await ids('-cold -hot', { limit: 1 }), [])
    const { total, hits } = await find('-cold', { limit: 1, offset: 1 })
    assert.deepEqual([total, hits.map(({ page }) => page.id)], [2, [1]])
  })

  promise('words are looked for in the columns that are named, in any form', async (scene) => {
    await scene.add(
      { language: 'en', title: 'Crawlers', contentText: 'nothing' },
      { language: 'en', title: 'x', description: 'crawlers' },
      { language: 'en', title: 'x', keywords: 'crawling, crawler' },
      { language: 'en', title: 'x', contentText: 'one crawler' },
    )
    const idsIn = async (...columns: Field[]) => (await scene.ids('crawler', { columns })).sort()
    assert.deepEqual(await idsIn('title'), [1])
    assert.deepEqual(await idsIn('description'), [2])
    assert.deepEqual(await idsIn('keywords'), [3])
    assert.deepEqual(await idsIn('text'), [4])
    assert.deepEqual(await idsIn('title', 'keywords'), [1, 3])
    assert.deepEqual(await idsIn('url', 'host'), [])
    const inTitle = { columns: ['title'] } as const
    assert.deepEqual(await scene.ids('text:crawler', inTitle), [4], 'its own field counts')
    assert.deepEqual((await scene.ids('x -crawler', inTitle)).sort(), [2, 3, 4])
    assert.deepEqual(await scene.ids('"crawlers"', inTitle), [1])
    assert.deepEqual(await scene.ids('craw*', inTitle), [1])
  })

  promise('a word can be asked for in one field', async ({ add, ids }) => {
    await add(
      { url: urlOf('http://news.test/a'), title: 'Rice', contentText: 'wheat' },
      { url: urlOf('http://food.test/rice'), title: 'Wheat', contentText: 'rice is food' },
    )
    assert.deepEqual(await ids('title:rice'), [1])
    assert.deepEqual(await ids('text:rice'), [2])
    assert.deepEqual(await ids('url:rice'), [2])
    assert.deepEqual(await ids('site:news.test'), [1])
    assert.deepEqual(await ids('host:food'), [2])
    assert.deepEqual(await ids('rice -host:food'), [1])
  })

  promise('a word in the title weighs more than one in the text', async ({ add, ids }) => {
    const others = 'there are many other words on this page, and none of them is of any use'
    await add(
      { title: 'Of this and that', contentText: `volcano ${others}` },
      { title: 'Volcano', contentText: others },
      { title: 'Of that', description: 'A volcano', contentText: others },
    )
    assert.deepEqual(await ids('volcano'), [2, 3, 1])
  })

  promise('scripts without spaces are found by any part of two characters', async (scene) => {
    await scene.add({ contentText: '日本語の勉強をします' }, { contentText: '勉強' })
    assert.deepEqual(await scene.ids('日本語'), [1])
    assert.deepEqual((await scene.ids('勉強')).sort(), [1, 2])
    assert.deepEqual(await scene.ids('本語の勉'), [1])
    assert.deepEqual(await scene.ids('日'), [1])
  })

  promise('matches are filtered by crawl, host, language, kind and hot', async ({ add, ids }) => {
    await add(
      { crawlId: 1, url: urlOf('http://a.test/1'), language: 'en-GB', kind: 'article', hot: true },
      { crawlId: 2, url: urlOf('http://b.test:8080/1'), language: 'id', kind: 'product' },
    )
    assert.deepEqual((await ids('title')).sort(), [1, 2])
    assert.deepEqual(await ids('title', { filter: { crawlId: 2 } }), [2])
    assert.deepEqual(await ids('title', { filter: { host: 'B.test:8080' } }), [2])
    assert.deepEqual(await ids('title', { filter: { language: 'en' } }), [1])
    assert.deepEqual(await ids('title', { filter: { language: 'in' } }), [2])
    assert.deepEqual(await ids('title', { filter: { kind: 'article' } }), [1])
    assert.deepEqual(await ids('title', { filter: { hot: true } }), [1])
    assert.deepEqual(await ids('title', { filter: { hot: false } }), [2])
    assert.deepEqual(await ids('title', { filter: { hot: true, crawlId: 2 } }), [])
  })

  promise('matches are filtered by when they were fetched', async ({ add, ids }) => {
    await add({ fetchedAt: 1000 }, { fetchedAt: 2000 })
    assert.deepEqual(await ids('title', { filter: { since: 1001 } }), [2])
    assert.deepEqual(await ids('title', { filter: { since: 2000 } }), [2])
    assert.deepEqual(await ids('title', { filter: { since: 2001 } }), [])
  })

  promise('matches are filtered by the change by which they came', async (scene) => {
    const { index, stored, add, ids } = scene
    await add({ title: 'green tea' }, { title: 'black coffee' }, { title: 'tea pots' })
    const pages = [stored.get(1)!, stored.get(3)!]
    const changed = new Map([[3, 41]])
    await index.add({ pages, gone: [], changed, position: { mark: 'm', cursor: 50 } })
    assert.deepEqual(await ids('tea', { filter: { changedAfter: 40 } }), [1, 3])
    assert.deepEqual(await ids('tea', { filter: { changedAfter: 41 } }), [1])
    assert.deepEqual(await ids('tea', { filter: { changedAfter: 50 } }), [])
  })

  promise('hot pages are of the topic of their crawl: counted, and filtered by', async (scene) => {
    const { add, topics, find, ids } = scene
    topics.set(1, 'tea').set(2, 'coffee').set(3, 'tea')
    await add(
      { crawlId: 1, hot: true },
      { crawlId: 1 },
      { crawlId: 2, hot: true },
      { crawlId: 3, hot: true },
      { crawlId: 4, hot: true },
    )
    const { facets } = await find('title')
    assert.deepEqual(facets.topics, [
      { value: 'tea', count: 2 },
      { value: 'coffee', count: 1 },
    ])
    assert.deepEqual((await ids('title', { filter: { topic: 'tea' } })).sort(), [1, 4])
    assert.deepEqual(await ids('title', { filter: { topic: 'tea', crawlId: 3 } }), [4])
    assert.deepEqual(await ids('title', { filter: { topic: 'milk' } }), [])
  })

  promise('pages with nearly the same text are one hit, unless all are wanted', async (scene) => {
    const { add, find, index } = scene
    const text = prose(1, 300)
    await add(
      { title: 'Print', contentText: text, url: urlOf('http://a.test/print') },
      { title: 'Other', contentText: prose(2, 300) },
      { title: 'Page', contentText: `${text} Read more.`, url: urlOf('http://b.test/page') },
      { title: 'Short', contentText: 'word1 and no more' },
      { title: 'Short', contentText: 'word1 and no more', url: urlOf('http://c.test/short') },
      { title: 'Shorter', contentText: 'word1 and no more' },
    )
    const folded = await find('word1')
    assert.deepEqual([folded.total, folded.pages], [4, 6])
    const titles = folded.hits.map(({ page, others }) => `${page.title} ${others}`)
    assert.deepEqual(titles.sort(), ['Other 0', 'Print 1', 'Short 1', 'Shorter 0'])
    assert.equal(folded.facets.hosts.find(({ value }) => value === 'b.test')?.count, 1)
    const all = await find('word1', { all: true })
    assert.deepEqual([all.total, all.pages, all.hits.length], [6, 6, 6])
    assert.ok(all.hits.every(({ others }) => others === 0))
    const [first, second, ...none] = await index.nearDuplicates([3, 2, 1, 99])
    assert.deepEqual(none, [])
    assert.deepEqual([first?.pageId, second?.pageId], [3, 1])
    assert.equal(first?.cluster, second?.cluster)
    assert.deepEqual([first?.representative, first?.size], [1, 2])
    const ranks = [1, 2, 3].map((id) => [id, id] as const)
    await index.setRanks(1, ranks, 'ranked')
    const [ranked] = await index.nearDuplicates([1])
    assert.equal(ranked?.representative, 3, 'the one with the highest rank')
  })

  promise('the same URL in several crawls is one hit, the best of them', async ({ add, find }) => {
    const url = urlOf('http://a.test/page')
    await add(
      { crawlId: 1, url, contentText: `tea ${prose(1, 100)}` },
      { crawlId: 2, url, contentText: prose(3, 100), title: 'tea' },
      { crawlId: 3, contentText: `tea ${prose(2, 100)}` },
    )
    const { hits, total, pages, facets } = await find('tea')
    assert.deepEqual([total, pages], [2, 3])
    assert.deepEqual(
      hits.map(({ page, others }) => [page.id, others]),
      [
        [2, 1],
        [3, 0],
      ],
    )
    assert.deepEqual(
      facets.crawls.map(({ count }) => count),
      [1, 1, 1],
    )
  })

  promise('of the same URL in several crawls the newest is shown', async ({ add, find }) => {
    const url = urlOf('http://a.test/page')
    await add(
      { crawlId: 1, url, title: 'tea', contentText: 'of last year', fetchedAt: 1000 },
      { crawlId: 2, url, title: 'News', contentText: 'of tea', fetchedAt: 2000 },
      { crawlId: 2, title: 'Shops', contentText: 'with tea and coffee', fetchedAt: 500 },
    )
    const { hits } = await find('tea')
    assert.deepEqual(
      hits.map(({ page }) => page.id),
      [2, 3],
    )
    assert.ok(hits[0]!.score > hits[1]!.score)
    assert.equal((await find('year')).hits[0]?.page.id, 1)
  })

  promise('near-duplicates stay together when pages of them change or go', async (scene) => {
    const { add, index, stored } = scene
    const text = prose(1, 300)
    await add(...['', ' one', ' two', ' three'].map((end) => ({ contentText: text + end })))
    const clustersOf = async () => {
      const known = await index.nearDuplicates([1, 2, 3, 4, 5])
      return known.map(({ pageId, representative, size }) => [pageId, representative, size])
    }
    assert.deepEqual(
      await clustersOf(),
      [1, 2, 3, 4].map((id) => [id, 1, 4]),
    )
    const position = { mark: 'm', cursor: 9 }
    await index.add({ pages: [], gone: [1], position })
    assert.deepEqual(
      await clustersOf(),
      [2, 3, 4].map((id) => [id, 2, 3]),
    )
    await index.add({
      pages: [{ ...stored.get(2)!, contentText: prose(9, 300) }],
      gone: [],
      position,
    })
    assert.deepEqual(
      await clustersOf(),
      [3, 4].map((id) => [id, 3, 2]),
    )
    stored.delete(1)
    await index.add({ pages: [{ ...stored.get(3)!, id: 5 }], gone: [4], position })
    assert.deepEqual(
      await clustersOf(),
      [3, 5].map((id) => [id, 3, 2]),
    )
    await index.add({ pages: [], gone: [3], position })
    assert.deepEqual(await clustersOf(), [])
    await index.add({ pages: [stored.get(4)!], gone: [], position })
    assert.deepEqual(
      await clustersOf(),
      [4, 5].map((id) => [id, 4, 2]),
    )
    await index.remove(1, 100)
    assert.deepEqual(await clustersOf(), [])
  })

  promise('facets count the matches by host, language, kind and crawl', async ({ add, find }) => {
    await add(
      { crawlId: 7, url: urlOf('http://a.test/1'), language: 'en', kind: 'article' },
      { crawlId: 7, url: urlOf('http://a.test/2'), language: 'en-US', kind: 'product' },
      { crawlId: 8, url: urlOf('http://b.test/1'), language: '', kind: 'article' },
      { title: 'other' },
    )
    const { facets, total } = await find('title', { limit: 1 })
    assert.equal(total, 3)
    assert.deepEqual(facets, {
      hosts: [
        { value: 'a.test', count: 2 },
        { value: 'b.test', count: 1 },
      ],
      languages: [{ value: 'en', count: 2 }],
      kinds: [
        { value: 'article', count: 2 },
        { value: 'product', count: 1 },
      ],
      crawls: [
        { value: '7', count: 2 },
        { value: '8', count: 1 },
      ],
      topics: [],
    })
  })

  promise('where nothing is found, words are suggested that pages have', async (scene) => {
    const { add, find } = scene
    const about = ['Public health', 'Web crawler', 'Kesehatan masyarakat', 'Notebook for keyboards']
    await add(...about.map((title) => ({ title, contentText: `It is about ${title}.` })))
    const suggested = async (text: string, rest?: Partial<Search>) =>
      (await find(text, rest)).suggestion
    const cases: readonly (readonly [typed: string, meant: string | null])[] = [
      ['helth', 'health'],
      ['publik  helth!', 'public  health!'],
      ['"public haelth" -tea', '"public health" -tea'],
      ['title:crwaler', 'title:crawler'],
      ['kesehtan', 'kesehatan'],
      ['xrawler', 'crawler'],
      ['rawler', 'crawler'],
      ['webcrawler', 'web crawler'],
      ['key boards', 'keyboards'],
      ['health', null],
      ['health crawler', null],
      ['zzzzzzzz', null],
      ['helth zzzzzzzz', null],
      ['helth*', null],
      ['-helth', null],
      ['teh', null],
      ['', null],
      ['x'.repeat(10_000), null],
    ]
    for (const [typed, meant] of cases) assert.equal(await suggested(typed), meant, typed)
    assert.equal(await suggested('helth', { filter: { crawlId: 9 } }), null, 'nor anything there')
    const rows = ['Web crawling', ...Array(10).fill('Web scrawled')]
    await add(
      ...rows.map((title, nth) => ({
        title,
        language: 'en',
        contentText: `Row ${nth}: ${title}.`,
      })),
    )
    assert.equal(await suggested('crawled'), null, 'pages have another form of it')
    assert.equal(await suggested('crawled', { scoring: { stems: false } }), 'scrawled')
    assert.equal(await suggested('helth', { columns: ['url'] }), null)
  })

  promise('the ids of all matches can be had, none folded, in order', async (scene) => {
    const { add, index } = scene
    const contentText = 'The rivers of the north freeze over, and nobody crosses them. '.repeat(8)
    await add({ contentText }, { contentText: 'Dry land' }, { contentText }, { title: 'Rivers' })
    assert.deepEqual(await index.matching({ text: 'rivers' }), [1, 3, 4])
    assert.deepEqual(await index.matching({ text: 'rivers', filter: { crawlId: 99 } }), [])
    assert.deepEqual(await index.matching({ text: '-rivers' }), [2])
    assert.deepEqual(await index.matching({ text: '(("' }), [])
  })

  promise('hits are paged through without one missing or coming twice', async ({ add, find }) => {
    await add(...Array.from({ length: 25 }, (_, nth) => ({ contentText: `the same ${nth}` })))
    const seen: number[] = []
    for (let offset = 0; offset < 30; offset += 10) {
      const { total, hits } = await find('same', { limit: 10, offset })
      assert.equal(total, 25)
      seen.push(...hits.map(({ page }) => page.id))
    }
    assert.deepEqual(
      seen,
      Array.from({ length: 25 }, (_, at) => at + 1),
    )
  })

  promise('a hit shows where it matches, in plain text', async ({ add, find }) => {
    const contentText = `${'Nothing here. '.repeat(50)}<b>Floods & rain</b> came to the village.`
    await add({ title: 'Rain <script>', contentText, language: 'en' })
    const [hit] = (await find('rain flood')).hits
    assert.ok(hit)
    assert.equal(hit.title.text, 'Rain <script>')
    assert.deepEqual(marked(hit.title), ['Rain'])
    assert.ok(hit.snippet.text.includes('<b>Floods & rain</b>'), hit.snippet.text)
    assert.deepEqual(marked(hit.snippet), ['Floods', 'rain'])
    assert.ok(hit.score > 0)
    assert.equal(hit.page.url, 'http://p.test/1')
  })

  promise('what was read and what was taken in become lasting together', async (scene) => {
    const { index, fixture, pagesOf, add } = scene
    assert.deepEqual(await index.position(), { mark: '', cursor: 0 })
    await add({ title: 'first' }, { title: 'second' })
    await index.add({ pages: [], gone: [], position: { mark: 'm', cursor: 9 } })
    await index[Symbol.asyncDispose]()
    await using again = await fixture.index(pagesOf)
    assert.deepEqual(await again.position(), { mark: 'm', cursor: 9 })
    assert.deepEqual(await again.crawls(), [{ id: 1, hotMark: '', rankMark: '' }])
    assert.equal((await again.query({ text: 'second', limit: 1, offset: 0 })).total, 1)
  })

  promise('a page taken in twice is there once, as it was the last time', async (scene) => {
    const { index, stored, ids, add } = scene
    await add({ title: 'old' })
    const page = { ...stored.get(1)!, title: 'new', crawlId: 2 }
    stored.set(1, page)
    await index.add({ pages: [page], gone: [], position: { mark: 'm', cursor: 2 } })
    assert.deepEqual([await ids('old'), await ids('new')], [[], [1]])
    assert.deepEqual(await ids('new', { filter: { crawlId: 1 } }), [])
  })

  promise('a page that is gone is not found any more', async ({ index, add, ids }) => {
    await add({}, {}, {})
    await index.add({ pages: [], gone: [2, 99], position: { mark: 'm', cursor: 4 } })
    assert.deepEqual((await ids('title')).sort(), [1, 3])
  })

  promise('a removed crawl is gone step by step', async ({ index, add, ids }) => {
    await add({ crawlId: 1 }, { crawlId: 2 }, { crawlId: 2 }, { crawlId: 2 })
    assert.equal(await index.remove(2, 2), false)
    assert.equal(await index.size(2), 1)
    assert.equal(await index.remove(2, 2), true)
    assert.deepEqual(await ids('title'), [1])
    assert.deepEqual(
      (await index.crawls()).map(({ id }) => id),
      [1],
    )
    assert.equal(await index.remove(2, 2), true)
    assert.deepEqual(await index.position(), { mark: 'm', cursor: 4 })
  })

  promise('all that is in it can go at once, for another beginning', async (scene) => {
    const { index, add, ids, stored } = scene
    await add({ title: 'first' }, { crawlId: 2, title: 'second' })
    await index.clear()
    assert.deepEqual([await ids('first'), await index.crawls()], [[], []])
    assert.deepEqual(await index.position(), { mark: '', cursor: 0 })
    stored.clear()
    await add({ title: 'second' })
    assert.deepEqual(await ids('second'), [1])
  })

  promise('which pages are hot can change', async ({ index, add, ids }) => {
    await add({ crawlId: 1, hot: true }, { crawlId: 1 }, { crawlId: 2, hot: true })
    await index.markHot(1, [2, 3, 99], 'later')
    assert.deepEqual((await ids('title', { filter: { hot: true } })).sort(), [2, 3])
    assert.deepEqual(
      (await index.crawls()).map(({ hotMark }) => hotMark),
      ['later', ''],
    )
  })

  promise('of pages with the same words the one of the higher rank comes first', async (scene) => {
    const { index, add, ids } = scene
    await add({ title: 'rice' }, { title: 'rice' }, { title: 'rice' }, { title: 'wheat' })
    await index.setRanks(
      1,
      [
        [1, 0.1],
        [2, 0.6],
        [3, 0.3],
        [99, 0.1],
      ],
      'later',
    )
    assert.deepEqual(await ids('rice', { all: true }), [2, 3, 1])
    assert.deepEqual(await ids('rice', { all: true, scoring: { rankWeight: 0 } }), [1, 2, 3])
    assert.deepEqual(
      (await index.crawls()).map(({ rankMark }) => rankMark),
      ['later'],
    )
  })

  promise(
    'a page without a rank ranks as the mean, and keeps its rank when replaced',
    async (s) => {
      await s.add({ title: 'rice' }, { title: 'rice' }, { title: 'rice' })
      await s.index.setRanks(
        1,
        [
          [1, 0.1],
          [2, 0.5],
        ],
        'm',
      )
      assert.deepEqual(await s.ids('rice', { all: true }), [2, 3, 1])
      await s.index.add({ pages: [s.stored.get(2)!], gone: [], position: { mark: 'm', cursor: 9 } })
      assert.deepEqual(await s.ids('rice', { all: true }), [2, 3, 1])
    },
  )

  promise('a page is not ahead because its language has a stemmer', async (scene) => {
    await scene.add(
      { language: 'fr', title: 'Jython', contentText: 'jython ici' },
      { language: 'en', title: 'Jython', contentText: 'jython here' },
    )
    const { hits } = await scene.find('jython', { all: true })
    const [first, second] = hits.map(({ score }) => score)
    assert.ok(Math.abs(first! / second! - 1) < 0.2, `${first} beside ${second}`)
  })

  promise('a page that is gone, or that is of another crawl by now, is no hit', async (scene) => {
    const { stored, add, ids } = scene
    await add({}, {}, {})
    stored.delete(1)
    stored.set(2, { ...stored.get(2)!, crawlId: 5 })
    assert.deepEqual(await ids('title'), [3])
  })

  promise('a reader sees what was taken in after it was opened', async (scene) => {
    const { fixture, pagesOf, add } = scene
    await add({})
    await using reader = await fixture.reader(pagesOf)
    assert.ok(reader)
    await add({})
    assert.equal((await reader.query({ text: 'title', limit: 10, offset: 0 })).total, 2)
    assert.deepEqual(await reader.position(), { mark: 'm', cursor: 2 })
  })

  promise('a text without a word finds nothing, and what was cut is told', async (scene) => {
    await scene.add({})
    for (const text of ['', ' ', '"', '***', '-', 'OR', '()', '\0', '😀']) {
      const { total, cut } = await scene.find(text)
      assert.deepEqual([total, cut], [0, false], text)
    }
    const long = await scene.find('title '.repeat(10_000))
    assert.equal(long.cut, true)
    assert.ok(long.used.length <= 10_000)
    assert.equal(long.total, 1)
  })
}

function usesOf(index: SearchIndex, stored: Map<number, SearchedPage>) {
  const find = (text: string, rest: Partial<Search> = {}) =>
    index.query({ text, limit: 10, offset: 0, ...rest })
  return {
    index,
    find,
    ids: async (text: string, rest?: Partial<Search>) =>
      (await find(text, rest)).hits.map(({ page }) => page.id),
    async add(...changes: readonly Partial<SearchedPage>[]) {
      const pages = changes.map((change) => {
        const page = searched(stored.size + 1, change)
        stored.set(page.id, page)
        return page
      })
      await index.add({ pages, gone: [], position: { mark: 'm', cursor: stored.size } })
    },
  }
}

function searched(id: number, changes: Partial<SearchedPage>): SearchedPage {
  const { url, fetchedAt } = sampleFields(`p.test/${id}`)
  return {
    ...{ id, crawlId: 1, url, title: 'Title', description: '', keywords: '', language: '' },
    ...{ kind: 'other', hot: false, fetchedAt, publishedAt: null, contentType: 'text/html' },
    ...{ contentText: '', ...changes },
  }
}

/** Words in an order of its own for each seed, with word1 among them. */
function prose(seed: number, words: number): string {
  const random = seededRandom(seed)
  const others = Array.from({ length: words }, () => `word${Math.floor(random() * 400)}`)
  return ['word1', ...others].join(' ')
}

export function urlOf(url: string): SearchedPage['url'] {
  return sampleFields(url).url
}

export function marked({
  text,
  marks,
}: {
  text: string
  marks: readonly (readonly number[])[]
}): string[] {
  return marks.map(([start, end]) => text.slice(start, end))
}
