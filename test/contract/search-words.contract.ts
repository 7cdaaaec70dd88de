// What every search index promises about words: those that are being typed, misspelt, or of other languages.
import assert from 'node:assert/strict'
import { parseSynonyms } from '../../src/search/synonyms.ts'
import { marked, type SearchFixture, searchPromises, urlOf } from './search-index.contract.ts'

export function searchWordsContract(name: string, openFixture: () => Promise<SearchFixture>): void {
  const promise = searchPromises(name, openFixture)

  promise('a word that is being typed becomes the most common words', async ({ add, index }) => {
    await add(
      { title: 'Harvest', contentText: 'The harvesters harvest.' },
      { title: 'Harvest', contentText: 'Many a harvester.' },
      { title: 'Hardly', contentText: 'There is nothing else to harvest here.' },
    )
    const { words } = await index.complete({ text: 'the old Harv', limit: 3 })
    assert.deepEqual(
      words.map(({ text, word, pages }) => [text, word, pages]),
      [
        ['the old harvest', 'harvest', 3],
        ['the old harvester', 'harvester', 1],
        ['the old harvesters', 'harvesters', 1],
      ],
    )
    for (const text of ['', ' ', '-', 'zzz', 'zz\u0000\ud800'])
      assert.deepEqual((await index.complete({ text, limit: 3 })).titles, [], text)
  })

  promise('a whole word stays as it was typed, and names keep their signs', async (scene) => {
    await scene.add({ title: 'C++ beside C# in a café', contentText: 'The .NET of AT&T.' })
    const textsOf = async (text: string) =>
      (await scene.index.complete({ text, limit: 3 })).words.map((each) => each.text)
    assert.deepEqual(await textsOf('learn C++'), ['learn C++'])
    assert.deepEqual(await textsOf('Café'), ['Café'])
    assert.deepEqual(await textsOf('.net'), ['.net'])
    assert.deepEqual((await textsOf('learn c')).toSorted(), ['learn c#', 'learn c++', 'learn cafe'])
  })

  promise('titles are offered by any of their words, the most linked first', async (scene) => {
    const { add, index, stored } = scene
    await add(
      { title: 'Green tea of the hills', contentText: 'one' },
      { title: 'Black Téa', contentText: 'two' },
      { title: 'Teachers', contentText: 'three', crawlId: 2 },
      { title: 'Coffee', contentText: 'tea' },
      { title: 'Tea again', contentText: 'four' },
    )
    const ranks = [1, 2, 4, 5].map((id) => [id, id === 2 ? 40 : id] as const)
    await index.setRanks(1, ranks, 'ranked')
    const titlesOf = async (text: string, crawlIds?: number[]) =>
      (await index.complete({ text, limit: 4, ...(crawlIds && { crawlIds }) })).titles
    const idsOf = async (text: string, crawlIds?: number[]) =>
      (await titlesOf(text, crawlIds)).map(({ page }) => page.id)
    assert.deepEqual(await idsOf('te'), [2, 3, 5, 1])
    assert.deepEqual(await idsOf('the hills te'), [1])
    assert.deepEqual(await idsOf('te', [2]), [3])
    assert.deepEqual(await idsOf('te', []), [])
    const [best] = await titlesOf('te')
    assert.deepEqual(marked(best!.title), ['Téa'])
    await index.add({ pages: [], gone: [2], position: { mark: 'm', cursor: 9 } })
    const changed = { ...stored.get(5)!, title: 'Changed' }
    await index.add({ pages: [changed], gone: [], position: { mark: 'm', cursor: 10 } })
    assert.deepEqual(await idsOf('te'), [3, 1])
    assert.deepEqual(await idsOf('chan'), [5])
  })

  promise('words of many languages are found in their other forms', async ({ add, ids }) => {
    await add(
      { language: 'de', contentText: 'Die alten Häuser am Hafen.' },
      { language: 'fr', contentText: 'Les élections nationales ont lieu demain.' },
      { language: 'ru', contentText: 'Мы читаем книгами и газетами.' },
      { language: 'es', contentText: 'Todas las canciones del verano.' },
      { language: 'ar', contentText: 'قرأت الكِتَابَ أمس' },
      { language: 'fa', contentText: 'کتاب\u200cهای خوب' },
    )
    const found = [
      ['haus', 1],
      ['hauser', 1],
      ['election national', 2],
      ['книга', 3],
      ['canción', 4],
      ['كتاب', 5],
      ['كتاب', 6],
      ['C++', 0],
    ] as const
    for (const [text, id] of found) {
      const hits = await ids(text)
      assert.equal(hits.includes(id), id > 0, `${text}: ${hits}`)
    }
  })

  promise('a page with the accents of a query comes first', async ({ add, ids }) => {
    await add(
      { language: 'fr', contentText: 'un cote de la mer' },
      { language: 'fr', contentText: 'un côté de la mer' },
      { language: 'fr', contentText: 'une cote de la mer' },
    )
    assert.deepEqual((await ids('côté', { all: true }))[0], 2)
    assert.equal((await ids('cote', { all: true })).length, 3)
  })

  promise('names with signs are words, and Korean is found inside words', async (scene) => {
    await scene.add(
      { contentText: 'Programs in C++ and C#.' },
      { contentText: 'The letter c, and a plus.' },
      { contentText: 'AT&T builds on .NET and Node.js.' },
      { contentText: '한국어를 배우는 사람' },
      { contentText: 'Servers with nodejs' },
    )
    assert.deepEqual(await scene.ids('c++'), [1])
    assert.deepEqual(await scene.ids('"C#"'), [1])
    assert.deepEqual(await scene.ids('c'), [2])
    assert.deepEqual(await scene.ids('at&t'), [3])
    assert.deepEqual(await scene.ids('.net'), [3])
    assert.deepEqual((await scene.ids('node.js')).sort(), [3, 5])
    assert.deepEqual((await scene.ids('nodejs')).sort(), [3, 5])
    assert.deepEqual(await scene.ids('국어'), [4])
    assert.deepEqual(await scene.ids('배'), [4])
  })

  promise('pages of a site, and of a type, are found and left out', async ({ add, ids }) => {
    const tea = (url: string, changes = {}) => ({ url: urlOf(url), title: 'tea', ...changes })
    await add(
      tea('http://www.kompas.test/a'),
      tea('http://kompas.test/news/b.php'),
      tea('http://kompas.test.evil.test/c.html'),
      tea('http://notkompas.test/d'),
      tea('http://kompas.test:8080/e.txt', { contentType: 'text/plain; charset=utf-8' }),
      tea('http://xn--mnchen-3ya.test/f.htm'),
    )
    const found = async (text: string) => (await ids(`tea ${text}`, { all: true })).sort()
    assert.deepEqual(await found('site:kompas.test'), [1, 2, 5])
    assert.deepEqual(await found('site:https://www.Kompas.test/'), [1])
    assert.deepEqual(await found('site:kompas.test:8080'), [5])
    assert.deepEqual(await found('site:kompas.test/news'), [2])
    assert.deepEqual(await found('-site:kompas.test'), [3, 4, 6])
    assert.deepEqual(await found('site:münchen.test'), [6])
    assert.deepEqual(await found('site:notkompas.test OR site:evil.test'), [3, 4])
    assert.deepEqual(await found('filetype:txt'), [5])
    assert.deepEqual(await found('filetype:PHP'), [2])
    assert.deepEqual(await found('filetype:html -site:kompas.test'), [3, 4, 6])
    assert.deepEqual(await found('site: filetype:'), [1, 2, 3, 4, 5, 6])
  })

  promise('hits come by the day of publishing, and of some days only', async (scene) => {
    const on = (day: string) => Date.parse(`${day}T12:00:00Z`)
    await scene.add(
      { title: 'tea', contentText: 'one', publishedAt: on('2026-01-02'), fetchedAt: 30 },
      { title: 'tea tea', contentText: 'two', publishedAt: null, fetchedAt: 40 },
      { title: 'tea', contentText: 'three', publishedAt: on('2026-03-04'), fetchedAt: 10 },
      { title: 'green tea', contentText: 'tea', publishedAt: on('2025-12-31'), fetchedAt: 20 },
    )
    const ids = (text: string, rest = {}) => scene.ids(text, { all: true, ...rest })
    assert.deepEqual(await ids('tea', { sort: 'published' }), [3, 1, 4, 2])
    assert.deepEqual(await ids('tea', { sort: 'fetched' }), [2, 1, 4, 3])
    assert.deepEqual(await ids('green tea', { sort: 'published' }), [4])
    const filter = { publishedSince: on('2026-01-01'), publishedUntil: on('2026-02-01') }
    assert.deepEqual(await ids('tea', { filter }), [1])
    assert.deepEqual((await ids('tea', { filter: { since: 20, until: 40 } })).sort(), [1, 4])
    const { hits } = await scene.find('tea', { sort: 'published' })
    assert.equal(hits[0]?.page.publishedAt, on('2026-03-04'))
  })

  promise('matches are marked in the title, the URL and the text', async ({ add, find }) => {
    await add({ url: urlOf('http://a.test/green-tea'), title: 'Tea', contentText: 'A tea.' })
    const [hit] = (await find('tea')).hits
    assert.deepEqual([hit!.title, hit!.url, hit!.snippet].map(marked), [['Tea'], ['tea'], ['tea']])
  })

  promise('a misspelt word finds what was meant, and says so', async ({ add, find, ids }) => {
    await add(
      { title: 'Coffee harvest', contentText: 'one' },
      { title: 'Coffee house', contentText: 'two' },
      { title: 'Green tea', contentText: 'three' },
    )
    const { hits, whole, typos } = await find('cofee harvets', { all: true })
    assert.deepEqual([hits[0]?.page.id, whole], [1, 1])
    assert.deepEqual(
      typos.map(({ word, pages, meant }) => [word, pages, meant]),
      [
        ['cofee', 0, [{ word: 'coffee', pages: 2 }]],
        ['harvets', 0, [{ word: 'harvest', pages: 1 }]],
      ],
    )
    assert.deepEqual((await ids('"cofee"')).concat(await ids('cofee*'), await ids('te')), [])
    assert.deepEqual(await ids('cofee', { scoring: { stems: false } }), [])
    assert.deepEqual((await find('coffee')).typos, [])
    assert.deepEqual(await ids('greentea'), [3])
  })

  promise('pages with a rare word itself come before those with a word near it', async (s) => {
    const near = Array.from({ length: 30 }, (_, nth) => ({ title: `Marine ${nth}` }))
    await s.add(...near, { title: 'Nothing', contentText: 'There is a marina somewhere in here.' })
    const { hits, typos } = await s.find('marina', { all: true })
    assert.deepEqual([hits[0]?.page.id, hits.length, typos[0]?.pages], [31, 10, 1])
  })

  promise('synonyms find pages as if they were typed', async ({ add, ids }) => {
    await add(
      { title: 'New York', contentText: 'a city' },
      { title: 'NYC', contentText: 'the same city' },
      { title: 'York', contentText: 'another one' },
    )
    const synonyms = parseSynonyms('nyc, new york').rules
    assert.deepEqual((await ids('nyc', { synonyms })).sort(), [1, 2])
    const both = await ids('new york', { synonyms, sort: 'fetched', all: true })
    assert.deepEqual(both.sort(), [1, 2])
    assert.deepEqual(await ids('nyc', { synonyms, scoring: { stems: false } }), [2])
  })

  promise('pages like a page are those with its most telling words', async (scene) => {
    await scene.add(
      { title: 'Green tea harvest', contentText: 'Tea leaves are picked by hand on steep slopes.' },
      { title: 'Harvest of tea', contentText: 'Machines pick tea leaves on slopes.' },
      { title: 'Football results', contentText: 'The hand of the goalkeeper.' },
      { title: 'Green tea harvest', contentText: 'An older copy.', url: urlOf('http://p.test/1') },
      { title: 'Steep streets', contentText: 'Nothing else is here.' },
    )
    const like = scene.stored.get(1)!
    const { hits, total, typos, suggestion } = await scene.find('', { like })
    assert.equal(hits[0]?.page.id, 2)
    const ids = hits.map(({ page }) => page.id)
    assert.ok(!ids.includes(1) && !ids.includes(4), String(ids))
    assert.deepEqual([total, typos, suggestion], [hits.length, [], null])
  })

  promise('of some crawls only their own words are told', async ({ add, index }) => {
    await add(
      { crawlId: 1, title: 'Secretary', contentText: 'secrets of the first crawl' },
      { crawlId: 2, title: 'Section', contentText: 'second crawl' },
    )
    const { words, titles } = await index.complete({ text: 'sec', crawlIds: [2], limit: 9 })
    assert.deepEqual(
      words.map(({ word }) => word),
      ['section'],
    )
    assert.equal(titles.length, 1)
  })

  promise('one title is offered once, however many pages have it', async ({ add, index }) => {
    const url = urlOf('http://a.test/tea')
    await add(
      { title: 'Tea one', url },
      { title: 'Tea one', url, crawlId: 2 },
      { title: 'Tea one', contentText: 'Another page with that title.' },
    )
    assert.equal((await index.complete({ text: 'tea', limit: 5 })).titles.length, 1)
  })
}
