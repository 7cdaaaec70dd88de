import assert from 'node:assert/strict'
import { test } from 'node:test'
import { factsOf } from './facts.ts'
import { linksOf } from './links.ts'
import { depthOf, pathOf, shuffle, unshuffle } from './path.ts'
import { titleOf } from './prose.ts'
import { renderPage } from './render.ts'
import { resolve } from './resource.ts'
import { demoSite, threeUnequalSites } from './samples.ts'
import { createSite, type Site, type SiteHost } from './site.ts'
import { SPECIALS, specialOf } from './special.ts'
import { VOCABULARIES } from './vocabulary.ts'

function* sample(site: Site, step: number): Generator<readonly [SiteHost, number]> {
  for (const host of site.hosts) {
    for (let index = 0; index < host.pages; index += step) yield [host, index]
  }
}

test('the same seed gives the same web, another seed another', () => {
  const [one, same, other] = [3, 3, 4].map((seed) => createSite({ seed, pages: 300 }))
  const text = (site: Site) =>
    [...sample(site, 5)]
      .map(([host, index]) => host.name + renderPage(site, host, index, 80))
      .join()
  assert.equal(text(one!), text(same!))
  assert.notEqual(text(one!), text(other!))
})

test('word lists have the lengths that spelling a page number needs, and no word twice', () => {
  for (const { adjectives, nouns, topics } of Object.values(VOCABULARIES)) {
    for (const list of [adjectives, nouns]) {
      assert.equal(new Set(list).size, 64)
      assert.equal(list.length, 64)
      assert.ok(list.every((word) => /^[a-z]+$/.test(word)))
    }
    for (const { sections } of topics) assert.equal(new Set(sections).size, 8)
  }
})

test('a section is never called like a folder of special pages', () => {
  for (const { topics, folders } of Object.values(VOCABULARIES)) {
    const sections = topics.flatMap((topic) => topic.sections)
    assert.equal(new Set(sections).size, sections.length)
    for (const folder of Object.values(folders)) assert.ok(!sections.includes(folder), folder)
  }
})

test('the shuffle of indices can be undone', () => {
  for (let index = 0; index < 1 << 24; index += 40_961) {
    assert.equal(unshuffle(shuffle(index, 0xabcdef12), 0xabcdef12), index)
  }
})

for (const pages of [50, 700, 20_000]) {
  test(`all ${pages} pages add up, have a path of their own, and are found by it`, () => {
    const site = createSite({ seed: 5, pages })
    assert.equal(site.pages, pages)
    const seen = new Set<string>()
    for (const [host, index] of sample(site, 1)) {
      const path = pathOf(host, index)
      seen.add(host.name + path)
      assert.deepEqual(resolve(site, host, path), { type: 'page', index, copy: false })
      assert.equal(new URL(path, 'http://x.localhost').href, `http://x.localhost${path}`)
    }
    assert.equal(seen.size, pages)
  })

  test(`each of ${pages} pages is linked from the front page of its host, over its parents`, () => {
    const site = createSite({ seed: 6, pages })
    for (const host of site.hosts) {
      const reached = new Set([0])
      for (const index of reached) {
        if (factsOf(site, host, index).nofollow) continue
        for (const link of linksOf(site, host, index)) {
          if (link.host === host && link.index !== null) reached.add(link.index)
        }
      }
      assert.equal(reached.size, host.pages, host.name)
    }
  })
}

test('no link leads more than one level down, on its own host or elsewhere', () => {
  const site = createSite({ seed: 7, pages: 30_000 })
  for (const [host, index] of sample(site, 13)) {
    for (const link of linksOf(site, host, index)) {
      const depth = link.index === null ? 0 : depthOf(link.host.fanout, link.index)
      assert.ok(depth <= depthOf(host.fanout, index) + 1, `${host.name} ${index} → ${link.path}`)
    }
  }
})

test('every special link leads to what its kind says', () => {
  const site = createSite({ seed: 8, pages: 5_000, specials: 4 })
  const types = new Map<string, Set<string>>(SPECIALS.map((kind) => [kind, new Set()]))
  for (const [host, index] of sample(site, 1)) {
    const special = specialOf(site, host, index)
    if (special === null) continue
    types.get(special.kind)!.add(resolve(site, host, special.path).type)
  }
  assert.deepEqual(
    Object.fromEntries([...types].map(([kind, found]) => [kind, [...found].join()])),
    {
      moved: 'moved',
      'moved-away': 'moved',
      'moved-twice': 'moved',
      missing: 'missing',
      gone: 'missing',
      copy: 'page',
      private: 'guarded',
      login: 'guarded',
      file: 'file',
      data: 'file',
    },
  )
})

test('about seven pages in a hundred have something special, none when it is switched off', () => {
  const count = (site: Site) =>
    [...sample(site, 1)].filter(([host, index]) => specialOf(site, host, index) !== null).length
  const share = count(createSite({ seed: 9, pages: 20_000 })) / 20_000
  assert.ok(share > 0.05 && share < 0.08, String(share))
  assert.equal(count(createSite({ seed: 9, pages: 5_000, specials: 0 })), 0)
})

test('hosts are very unequal, in both languages, some subdomains of others', () => {
  const { hosts } = createSite({ seed: 1, pages: 50_000 })
  const sizes = hosts.map((host) => host.pages)
  assert.ok(sizes[0]! > 20 * sizes.at(-1)!)
  assert.deepEqual(new Set(hosts.map((host) => host.words.language)), new Set(['en', 'id']))
  assert.ok(hosts.some((host) => host.parent !== null))
  for (const { parent, name } of hosts) {
    if (parent !== null) assert.ok(name.endsWith(`.${hosts[parent]!.name}`))
  }
})

for (const meanBytes of [8_000, 15_000]) {
  test(`pages have about ${meanBytes} bytes on average when that is asked for`, () => {
    const site = createSite({ seed: 2, pages: 20_000, meanBytes })
    const sizes = [...sample(site, 31)].map(
      ([host, index]) => renderPage(site, host, index, 8080).length,
    )
    const mean = sizes.reduce((a, b) => a + b, 0) / sizes.length
    assert.ok(Math.abs(mean / meanBytes - 1) < 0.15, `mean is ${Math.round(mean)}`)
  })
}

test('no two pages are alike, not even when digits are ignored', () => {
  const site = createSite({ seed: 3, pages: 1_500 })
  const bodies = [...sample(site, 1)].map(([host, index]) => renderPage(site, host, index, 80))
  assert.equal(new Set(bodies.map((body) => body.replace(/\d+/g, ''))).size, bodies.length)
  const titles = [...sample(site, 1)].map(([host, index]) => host.name + titleOf(host, index))
  assert.equal(new Set(titles).size, titles.length)
})

test('the ready-made sites have the promised sizes', () => {
  const unequal = threeUnequalSites(1)
  assert.deepEqual(
    unequal.hosts.map((host) => host.pages),
    [20_000, 2_000, 500],
  )
  assert.equal(demoSite().hosts.length, 12)
  assert.ok(Math.abs(demoSite().pages - 600) < 50)
})

test('a host with one page and two hosts of one name are told apart from nonsense', () => {
  const lonely = createSite({ seed: 1, hosts: [{ name: 'a', pages: 1 }] })
  assert.deepEqual(resolve(lonely, lonely.hosts[0]!, '/'), { type: 'page', index: 0, copy: false })
  const hosts = [
    { name: 'a', pages: 1 },
    { name: 'a', pages: 1 },
  ]
  assert.throws(() => createSite({ seed: 1, hosts }), RangeError)
  assert.throws(() => createSite({ seed: 1, hosts: [{ name: 'a', pages: 0 }] }), RangeError)
})
