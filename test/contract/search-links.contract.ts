// What every search index promises about the texts of links.
import assert from 'node:assert/strict'
import type { Link } from '../../src/core/link.ts'
import type { SearchedPage } from '../../src/core/page.ts'
import { canonicalise } from '../../src/core/url.ts'
import { givenTexts } from '../../src/search/link-texts.ts'
import { type Scene, type SearchFixture, searchPromises } from './search-index.contract.ts'

const POSITION = { mark: 'm', cursor: 99 }

function urlOf(text: string) {
  return canonicalise(text)!
}

function linkTo(url: string, anchor: string, rel = ''): Link {
  return { url: urlOf(url), anchor, rel }
}

/** A page that is stored comes again, with these links. */
async function say({ index, stored }: Scene, id: number, ...links: readonly Link[]) {
  const page = stored.get(id)!
  const given = new Map([[id, givenTexts(page, links)]])
  await index.add({ pages: [page], gone: [], given, position: POSITION })
}

function page(url: string, rest: Partial<SearchedPage> = {}): Partial<SearchedPage> {
  return {
    ...{ url: urlOf(url), title: '', description: '', keywords: '', contentText: `x ${url}` },
    ...rest,
  }
}

export function searchLinksContract(name: string, openFixture: () => Promise<SearchFixture>): void {
  const promise = searchPromises(name, openFixture)

  promise('a page is found by the words of links to it, whichever came first', async (scene) => {
    const { add, ids, find } = scene
    await add(page('http://a.test/1'), page('https://www.b.test/tea/', { title: 'Camellia' }))
    await say(
      scene,
      1,
      linkTo('http://b.test/tea', 'Brewing leaves'),
      linkTo('http://c.test/', 'Kettles'),
    )
    await add(page('http://c.test/', { contentText: 'pots' }))
    for (let nth = 0; nth < 9; nth++) await add(page(`http://d.test/${nth}`))
    await say(scene, 12, linkTo('http://d.test/3', 'Brewing coffee'))
    assert.deepEqual(await ids('"brewing coffee"'), [7])
    assert.deepEqual(await ids('brewing -anchor:coffee'), [2])
    assert.deepEqual(await ids('leaf camellia'), [2])
    assert.deepEqual(await ids('kettle pots'), [3])
    assert.deepEqual(await ids('"brewing leaves"'), [2])
    assert.deepEqual(await ids('brew* leaves'), [2])
    const { hits } = await find('brewing camellia')
    assert.deepEqual(hits[0]?.linkTexts, [{ text: 'Brewing leaves', marks: [[0, 7]] }])
    assert.deepEqual((await find('camellia')).hits[0]?.linkTexts, [])
  })

  promise('what links say is a field of its own', async (scene) => {
    const { add, ids } = scene
    await add(
      page('http://a.test/1'),
      page('http://b.test/'),
      page('http://c.test/', { title: 'tea' }),
    )
    await say(scene, 1, linkTo('http://b.test/', 'tea'))
    assert.deepEqual(await ids('tea'), [3, 2])
    assert.deepEqual(await ids('anchor:tea'), [2])
    assert.deepEqual(await ids('title:tea'), [3])
    assert.deepEqual(await ids('tea', { columns: ['anchor'] }), [2])
    assert.deepEqual(await ids('x -tea'), [1, 2])
    assert.deepEqual(await ids('x -anchor:tea'), [1, 3])
  })

  promise('what links said before, or pages that went, is forgotten', async (scene) => {
    const { index, add, ids } = scene
    await add(page('http://a.test/1'), page('http://a.test/2'), page('http://b.test/'))
    for (const id of [1, 2]) await say(scene, id, linkTo('http://b.test/', 'tea'))
    await say(scene, 1, linkTo('http://b.test/', 'coffee'))
    assert.deepEqual(await ids('tea'), [3])
    assert.deepEqual(await ids('coffee'), [3])
    await index.add({ pages: [], gone: [2], position: POSITION })
    assert.deepEqual(await ids('tea'), [])
    await index.add({ pages: [], gone: [3], position: POSITION })
    assert.deepEqual(await ids('coffee'), [])
    await add(page('http://c.test/'))
    await index.add({ pages: [scene.stored.get(3)!], gone: [], position: POSITION })
    assert.deepEqual(await ids('coffee'), [3])
  })

  promise('another host says more than many pages of the own one', async (scene) => {
    const { add, ids } = scene
    const sites = ['http://one.test', 'http://two.test']
    await add(page(`${sites[0]}/`), page(`${sites[1]}/`), page('http://else.test/'))
    for (let nth = 1; nth <= 6; nth++) await add(page(`${sites[0]}/${nth}`))
    for (let id = 4; id < 10; id++) await say(scene, id, linkTo(`${sites[0]}/`, 'tea'))
    await say(scene, 3, linkTo(`${sites[1]}/`, 'tea'))
    assert.deepEqual(await ids('tea'), [2, 1])
  })

  promise(
    'links that nobody vouches for, and links of other crawls, say nothing',
    async (scene) => {
      const { add, ids } = scene
      await add(
        page('http://a.test/'),
        page('http://b.test/'),
        page('http://c.test/', { crawlId: 2 }),
      )
      await say(
        scene,
        1,
        linkTo('http://b.test/', 'tea', 'nofollow'),
        linkTo('http://a.test/', 'tea'),
      )
      await say(scene, 3, linkTo('http://b.test/', 'tea'))
      assert.deepEqual(await ids('tea'), [])
    },
  )

  promise('one page cannot bury what others say about a page', async (scene) => {
    const { add, find } = scene
    await add(page('http://a.test/'), page('http://b.test/'), page('http://c.test/'))
    const many = Array.from({ length: 300 }, (_, nth) =>
      linkTo('http://b.test/', `spam word${nth}`),
    )
    await say(scene, 1, ...many)
    await say(scene, 3, linkTo('http://b.test/', 'tea'))
    const [honest, buried] = [await find('tea'), await find('word299')]
    assert.equal(honest.hits[0]?.page.id, 2)
    assert.equal(buried.pages, 0)
  })
}
