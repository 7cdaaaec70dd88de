// What stores promise of crawls that are gone over again: rounds, pages that are looked at again, and
// what is told of them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PageFields } from '../../src/core/page.ts'
import type { PageLoss } from '../../src/core/visit.ts'
import type { PageOutcome } from '../../src/store/page-store.ts'
import { FETCHED_AT, type RoundFixture, RoundScene } from './recrawl-scene.ts'
import { sample, urlFor } from './sample-page.ts'

const DAY_MS = 86_400_000
const GONE: PageLoss = { to: 'failed', reason: 'http-404' }

export function roundsContract(name: string, openFixture: () => Promise<RoundFixture>): void {
  const promise = (title: string, body: (scene: RoundScene) => Promise<void>, maxPages = 1000) =>
    test(`${name}: ${title}`, async () => {
      await using fixture = await openFixture()
      await using scene = await RoundScene.open(fixture, maxPages)
      await body(scene)
    })

  promise('rounds are counted from 1, and each has an end', async ({ rounds, crawlId, clock }) => {
    assert.equal(await rounds.last(crawlId), null)
    const beganAt = clock.now()
    const first = await rounds.begin(crawlId, { due: false })
    assert.deepEqual(first, { round: 1, due: false, beganAt, endedAt: null })
    clock.advance(1000)
    await rounds.end(crawlId, 1)
    clock.advance(1000)
    await rounds.end(crawlId, 1)
    assert.deepEqual(await rounds.last(crawlId), { ...first, endedAt: beganAt + 1000 })
    assert.equal((await rounds.begin(crawlId, { due: true })).round, 2)
    assert.equal((await rounds.last(crawlId))?.due, true)
  })

  promise('a page that is other than it was takes the place of what was stored', async (scene) => {
    const first = await scene.save('a.test/1')
    await scene.round()
    const changes = { title: 'new', contentHash: 'new', sizeBytes: 30, etag: '"new"' }
    const second = await scene.save('a.test/1', changes)
    assert.deepEqual(second, first)
    const page = await scene.reader.findByUrl(scene.crawlId, urlFor('a.test/1'))
    assert.deepEqual(
      [page?.title, page?.etag, page?.fetchedAt],
      ['new', '"new"', scene.clock.now()],
    )
    assert.deepEqual(await scene.told(), ['change a.test/1'])
    assert.deepEqual(await scene.stored(), { stored: 1, duplicates: 0, bytes: 30 })
    const none = { added: 0, gone: 0, unchanged: 0, kept: 0 }
    assert.deepEqual(await scene.counts(), { ...none, changed: 1 })
  })

  promise('a page that differs only in what nobody reads is not told as changed', async (scene) => {
    await scene.save('a.test/1')
    await scene.round()
    const unseen = { contentHash: 'new', sizeBytes: 7, etag: '"new"', fetchMs: 99, parseMs: 2 }
    assert.equal((await scene.save('a.test/1', unseen)).outcome, 'stored')
    const page = await scene.reader.findByUrl(scene.crawlId, urlFor('a.test/1'))
    assert.deepEqual([page?.etag, page?.contentHash, page?.sizeBytes], ['"new"', 'new', 7])
    assert.equal(page?.fetchedAt, FETCHED_AT)
    assert.deepEqual(await scene.told(), [])
    assert.equal((await scene.stored()).bytes, 7)
    const none = { added: 0, changed: 0, gone: 0, kept: 0 }
    assert.deepEqual(await scene.counts(), { ...none, unchanged: 1 })
  })

  const PARTS_BEFORE = {
    ...{ links: '[["http://a.test/",""]]', images: '[]', scripts: '[["/a.js"]]' },
    fields: '[["price",1]]',
  }
  const PARTS_AFTER: readonly [string, Partial<typeof PARTS_BEFORE>, readonly string[]][] = [
    ['links', { links: '[]' }, ['change a.test/1']],
    ['images', { images: '[["/i.png"]]' }, ['change a.test/1']],
    ['scripts', { scripts: '[["/b.js"]]' }, []],
    ['fields', { fields: '[["price",2]]' }, ['change a.test/1']],
  ]
  for (const [part, changed, told] of PARTS_AFTER) {
    promise(`other ${part} are ${told.length === 0 ? 'no change' : 'a change'}`, async (scene) => {
      const { store, reader } = scene
      const [saved] = await store.save([sample('a.test/1', {}, { parts: PARTS_BEFORE })])
      await scene.round()
      const parts = { ...PARTS_BEFORE, ...changed }
      await scene.store.save([sample('a.test/1', {}, { parts })])
      assert.deepEqual(await scene.told(), told)
      assert.ok(saved && 'id' in saved)
      assert.deepEqual(await reader.partsOf(saved.id), parts)
    })
  }

  promise('a page is looked at once in a round: what is saved again is a replay', async (scene) => {
    await scene.save('a.test/1')
    await scene.round()
    const changed = await scene.save('a.test/1', { title: 'new', contentHash: 'new' })
    await scene.reopen()
    assert.deepEqual(await scene.save('a.test/1', { title: 'newer', contentHash: 'x' }), changed)
    const added = await scene.save('a.test/2')
    await scene.reopen()
    assert.deepEqual(await scene.save('a.test/2', { title: 'newer', contentHash: 'y' }), added)
    assert.deepEqual(await scene.told(), ['change a.test/1', 'add a.test/2'])
    const none = { gone: 0, unchanged: 0, kept: 0 }
    assert.deepEqual(await scene.counts(), { ...none, added: 1, changed: 1 })
  })

  promise('a page that is as it was is only noted, once', async (scene) => {
    await scene.save('a.test/1')
    const before = await scene.reader.findByUrl(scene.crawlId, urlFor('a.test/1'))
    await scene.round()
    const came = { to: 'unchanged', etag: '"b"', lastModified: '' } as const
    assert.equal((await scene.check('a.test/1', came)).outcome, 'unchanged')
    assert.equal((await scene.check('a.test/1', came)).outcome, 'unchanged')
    const after = await scene.reader.findByUrl(scene.crawlId, urlFor('a.test/1'))
    assert.deepEqual(after, { ...before, etag: '"b"' })
    assert.deepEqual(await scene.told(), [])
    const none = { added: 0, changed: 0, gone: 0, kept: 0 }
    assert.deepEqual(await scene.counts(), { ...none, unchanged: 1 })
  })

  promise(
    'a page that is gone is deleted with its parts, and told with the reason',
    async (scene) => {
      const html = new TextEncoder().encode('<p>')
      const [saved] = await scene.store.save([
        sample('a.test/1', {}, { parts: PARTS_BEFORE, html }),
      ])
      await scene.save('a.test/2')
      await scene.round()
      const gone = { outcome: 'gone', came: GONE }
      assert.deepEqual(await scene.check('a.test/1', GONE), gone)
      await scene.reopen()
      assert.deepEqual(await scene.check('a.test/1', GONE), gone)
      assert.ok(saved && 'id' in saved)
      assert.equal(await scene.reader.get(saved.id), null)
      assert.deepEqual(await scene.reader.partsOf(saved.id), {})
      assert.equal(await scene.reader.htmlOf(saved.id), null)
      assert.deepEqual(await scene.told(), ['delete a.test/1 http-404'])
      assert.deepEqual(await scene.stored(), { stored: 1, duplicates: 0, bytes: 1000 })
      const none = { added: 0, changed: 0, unchanged: 0 }
      assert.deepEqual(await scene.counts(), { ...none, gone: 1, kept: 1 })
    },
  )

  promise(
    'of a page it is known when it was looked at, and of one that went, when',
    async (scene) => {
      const saved = await scene.save('a.test/1')
      await scene.save('a.test/2')
      await scene.round()
      const historyOf = (url: string) => scene.reader.historyOf(scene.crawlId, urlFor(url))
      assert.deepEqual(await historyOf('a.test/1'), { looks: null, gone: null })
      scene.clock.advance(DAY_MS)
      const at = scene.clock.now()
      await scene.check('a.test/1', GONE)
      await scene.unchanged('a.test/2')
      assert.ok('id' in saved)
      const gone = { at, round: 1, reason: 'http-404', pageId: saved.id }
      assert.deepEqual(await historyOf('a.test/1'), { looks: null, gone })
      const { looks } = await historyOf('a.test/2')
      const { dueAt = 0, ...seen } = looks ?? {}
      assert.deepEqual(seen, { checks: 1, changes: 0, checkedAt: at, round: 1 })
      assert.ok(dueAt > at)
      await scene.save('a.test/1')
      assert.deepEqual(await historyOf('a.test/1'), { looks: null, gone: null })
    },
  )

  promise('of a page that moved it is told where to', async (scene) => {
    await scene.save('a.test/1')
    await scene.round()
    await scene.check('a.test/1', { to: 'redirected', reason: 'http://b.test/' })
    assert.deepEqual(await scene.told(), ['delete a.test/1 redirected: http://b.test/'])
  })

  promise('receipts of looks wait like others, and outlive the page', async (scene) => {
    for (const page of ['a.test/1', 'a.test/2', 'a.test/3']) await scene.save(page)
    scene.store.acknowledge((await scene.store.undelivered()).map(({ url }) => url))
    await scene.round()
    await scene.unchanged('a.test/1')
    await scene.check('a.test/2', GONE)
    await scene.save('a.test/3', { title: 'new' })
    await scene.reopen()
    const waiting = await scene.store.undelivered()
    const outcomes = waiting.map(({ round, saved }) => `${round} ${saved.outcome}`)
    assert.deepEqual(outcomes, ['1 unchanged', '1 gone', '1 stored'])
    const named = waiting.map(({ url, depth }) => [url.replace('http://', ''), depth])
    assert.deepEqual(named, [
      ['a.test/1', 1],
      ['a.test/2', null],
      ['a.test/3', 1],
    ])
    assert.deepEqual(waiting[1]?.saved, { outcome: 'gone', came: GONE })
    scene.store.acknowledge(waiting.map(({ url }) => url))
    assert.deepEqual(await scene.store.undelivered(), [])
  })

  promise('a duplicate that is none any more is a page of its own', async (scene) => {
    await scene.save('a.test/1', { contentHash: 'same' })
    await scene.save('a.test/2', { contentHash: 'same' })
    await scene.round()
    assert.equal((await scene.save('a.test/2', { title: 'x', contentHash: 'x' })).outcome, 'stored')
    assert.deepEqual(await scene.standing(), { 'a.test/1': null, 'a.test/2': null })
    assert.deepEqual(await scene.stored(), { stored: 2, duplicates: 0, bytes: 2000 })
    assert.deepEqual(await scene.told(), ['change a.test/2'])
  })

  const variants: readonly [string, (page: string, version: string) => Partial<PageFields>][] = [
    ['the very same', (_, version) => ({ contentHash: version, contentText: version })],
    ['nearly the same', (page, version) => ({ contentHash: page + version, contentText: version })],
  ]
  for (const [what, read] of variants) {
    promise(
      `${what} under a canonical URL stays one page when all of it changes`,
      async (scene) => {
        const pages = ['a.test/1', 'a.test/2', 'a.test/3']
        const canonicalUrl = urlFor('a.test/1')
        const save = (page: string, text: string) =>
          scene.save(page, { ...read(page, text), canonicalUrl })
        for (const page of pages) await save(page, 'one text')
        const duplicates = { 'a.test/1': null, 'a.test/2': 'a.test/1', 'a.test/3': 'a.test/1' }
        for (const text of ['one text', 'another thing altogether']) {
          assert.deepEqual(await scene.standing(), duplicates)
          await scene.round()
          // Duplicates are visited before what they repeat.
          for (const page of pages.toReversed()) await save(page, `${text}, changed`)
          assert.deepEqual(
            await scene.told(),
            pages.toReversed().map((page) => `change ${page}`),
          )
        }
        assert.deepEqual(await scene.standing(), duplicates)
        assert.deepEqual(await scene.stored(), { stored: 1, duplicates: 2, bytes: 1000 })
      },
    )
  }

  promise(
    'who calls a page that hides itself its canonical form is seen instead',
    async (scene) => {
      const more = { contentText: 'text', canonicalUrl: urlFor('a.test/1') }
      await scene.save('a.test/1', more)
      await scene.save('a.test/2', more)
      await scene.round()
      await scene.save('a.test/1', { ...more, noindex: true })
      assert.deepEqual(await scene.standing(), { 'a.test/1': null, 'a.test/2': null })
      assert.deepEqual(await scene.told(), ['change a.test/2', 'change a.test/1'])
    },
  )

  promise('a page that repeats another from now on is its duplicate', async (scene) => {
    await scene.save('a.test/1')
    await scene.save('b.test/2')
    await scene.round()
    const saved = await scene.save('a.test/1', { title: 'x', contentHash: 'hash of b.test/2' })
    assert.ok(saved.outcome === 'duplicate')
    assert.equal(saved.of, 'http://b.test/2')
    assert.deepEqual(await scene.stored(), { stored: 1, duplicates: 1, bytes: 1000 })
  })

  const ends: readonly [string, (scene: RoundScene) => Promise<PageOutcome>, string[]][] = [
    [
      'is another one now',
      (s) => s.save('a.test/1', { title: 'x', contentHash: 'x' }),
      ['a.test/1'],
    ],
    ['is gone', (s) => s.check('a.test/1', GONE), []],
  ]
  for (const [what, end, left] of ends) {
    promise(
      `when a page ${what}, a duplicate takes its place that was looked at`,
      async (scene) => {
        const parts = { links: '[["http://a.test/x","x",""]]' }
        for (const page of ['a.test/1', 'b.test/2', 'c.test/3']) {
          await scene.save(page, { contentHash: 'same', contentText: 'one text' }, { parts })
        }
        await scene.round()
        await scene.unchanged('b.test/2')
        const saved = await end(scene)
        const heir = await scene.reader.findByUrl(scene.crawlId, urlFor('b.test/2'))
        assert.equal(heir?.contentText, 'one text')
        assert.deepEqual(await scene.reader.partsOf(heir.id), parts)
        const moved = [
          { url: urlFor('b.test/2'), of: null },
          { url: urlFor('c.test/3'), of: urlFor('b.test/2') },
        ]
        assert.ok('moved' in saved)
        assert.deepEqual(saved.moved, moved)
        assert.deepEqual(await scene.standing(), {
          ...Object.fromEntries(left.map((url) => [url, null])),
          ...{ 'b.test/2': null, 'c.test/3': 'b.test/2' },
        })
        const stored = 1 + left.length
        assert.deepEqual(await scene.stored(), { stored, duplicates: 1, bytes: 1000 * stored })
        const told = await scene.told()
        assert.deepEqual(told.slice(0, 2), ['change b.test/2', 'change c.test/3'])
        assert.equal(told.length, 3)
        // After a kill it is told again, as things are by then.
        await scene.reopen()
        const waiting = await scene.store.undelivered()
        const again = waiting.find((one) => 'moved' in one.saved)?.saved
        assert.ok(again && 'moved' in again)
        assert.deepEqual(again.moved, moved)
      },
    )
  }

  promise(
    'copies that change one after the other are told of it a few times each',
    async (scene) => {
      const hosts = Array.from({ length: 20 }, (_, at) => `h${at}.test/`)
      for (const page of hosts) await scene.save(page, { contentHash: 'same' })
      await scene.round()
      // On hosts of their own nobody waits for the others: the page they repeat may well be the first.
      for (const page of hosts) await scene.save(page, { title: 'x', contentHash: 'x' })
      const told = await scene.told()
      assert.ok(told.length < 3 * hosts.length, `${told.length} times`)
      const first = hosts[0] ?? ''
      const others = Object.fromEntries(hosts.slice(1).map((page) => [page, first]))
      assert.deepEqual(await scene.standing(), { [first]: null, ...others })
    },
  )

  promise(
    'what finds no room stays as it was, and what is gone makes room',
    async (scene) => {
      await scene.save('a.test/1', { contentHash: 'same' })
      await scene.save('a.test/2', { contentHash: 'same' })
      await scene.save('b.test/3')
      await scene.round()
      const other = { title: 'x', contentHash: 'x' }
      assert.deepEqual(await scene.save('a.test/2', other), { outcome: 'over-limit' })
      assert.deepEqual(await scene.save('b.test/4'), { outcome: 'over-limit' })
      // Its duplicate would need room of its own: it stays one.
      assert.equal((await scene.save('a.test/1', other)).outcome, 'stored')
      assert.deepEqual(await scene.stored(), { stored: 2, duplicates: 1, bytes: 2000 })
      await scene.check('b.test/3', GONE)
      assert.equal((await scene.save('b.test/4')).outcome, 'stored')
      assert.deepEqual(await scene.stored(), { stored: 2, duplicates: 1, bytes: 2000 })
      const told = ['change a.test/1', 'delete b.test/3 http-404', 'add b.test/4']
      assert.deepEqual(await scene.told(), told)
      const counts = { added: 1, changed: 1, gone: 1, unchanged: 0, kept: 1 }
      assert.deepEqual(await scene.counts(), counts)
    },
    2,
  )

  promise('pages are known with what it takes to ask for them again', async (scene) => {
    await scene.save('a.test/1', { contentHash: 'same' })
    await scene.save('a.test/2', { contentHash: 'same', etag: '', lastModified: '' })
    await scene.save('a.test/3', { noindex: true })
    const [first, copy, hidden] = await scene.known()
    assert.deepEqual([first?.url, first?.etag], ['http://a.test/1', '"abc"'])
    assert.equal(first?.lastModified, 'Tue, 14 Nov 2023 22:13:20 GMT')
    assert.deepEqual([first?.contentHash, first?.likelyFirst], ['same', null])
    assert.deepEqual([copy?.etag, copy?.lastModified], ['', ''])
    assert.equal(copy?.likelyFirst, first?.likely)
    assert.deepEqual(
      [hidden?.contentHash, hidden?.etag, hidden?.lastModified],
      ['', '', ''],
      'a header may show it again',
    )
    const { crawlId, clock } = scene
    const now = clock.now()
    const rest = await scene.rounds.pages({ crawlId, after: first?.id ?? 0, limit: 1, now })
    assert.deepEqual(rest, [copy])
  })

  promise('pages that are not due are counted among those that were kept', async (scene) => {
    await scene.save('a.test/1')
    await scene.save('a.test/2')
    await scene.round(true)
    const { rounds, crawlId } = scene
    const notDue = async () => (await rounds.counts(crawlId, 1)).notDue
    assert.equal(await notDue(), 0)
    await rounds.setNotDue(crawlId, 1, 1)
    assert.equal(await notDue(), 1)
    await rounds.setNotDue(crawlId, 1, 9)
    assert.equal(await notDue(), 2)
  })

  promise('who changes often is due sooner than who does not', async (scene) => {
    for (const page of ['a.test/1', 'a.test/2']) await scene.save(page)
    for (let nth = 0; nth < 5; nth++) {
      scene.clock.advance(DAY_MS)
      await scene.round()
      await scene.save('a.test/1', { title: `${nth}`, contentHash: `${nth}` })
      await scene.unchanged('a.test/2')
    }
    scene.clock.advance(2 * DAY_MS)
    const [lively, quiet] = await scene.known()
    assert.deepEqual([lively?.due, quiet?.due], [true, false])
    assert.ok((lively?.likely ?? 0) > (quiet?.likely ?? 1))
    scene.clock.advance(40 * DAY_MS)
    assert.ok((await scene.known()).every(({ due }) => due))
  })
}
