// What every store of saved searches promises.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MAX_SAVED, type SavedSearches } from '../../src/store/saved-searches.ts'

export interface SavedFixture extends AsyncDisposable {
  open(): Promise<SavedSearches>
}

export function savedSearchesContract(
  name: string,
  openFixture: () => Promise<SavedFixture>,
): void {
  const promise = (title: string, body: (saved: SavedSearches) => Promise<void>) =>
    test(`${name}: ${title}`, async () => {
      await using fixture = await openFixture()
      await using saved = await fixture.open()
      await body(saved)
    })
  const tea = { name: 'tea', request: '{"q":"tea"}', savedAt: 1000, seen: 5 }

  promise('a search is kept under its name until it is removed', async (saved) => {
    assert.equal(await saved.find('tea'), null)
    assert.equal(await saved.save({ ...tea, name: 'zebra' }), true)
    assert.equal(await saved.save(tea), true)
    assert.deepEqual(await saved.find('tea'), { ...tea, seenAt: null })
    assert.deepEqual(
      (await saved.list()).map((each) => each.name),
      ['tea', 'zebra'],
    )
    assert.equal(await saved.remove('tea'), true)
    assert.equal(await saved.remove('tea'), false)
    assert.equal(await saved.find('tea'), null)
  })

  promise('what was seen only grows, until the search is saved again', async (saved) => {
    await saved.save(tea)
    assert.equal(await saved.see('tea', 9, 2000), true)
    assert.equal(await saved.see('tea', 7, 3000), true)
    assert.deepEqual(await saved.find('tea'), { ...tea, seen: 9, seenAt: 3000 })
    assert.equal(await saved.see('nobody', 9, 2000), false)
    await saved.save({ ...tea, seen: 6 })
    assert.deepEqual(await saved.find('tea'), { ...tea, seen: 6, seenAt: null })
  })

  promise('there is an end to how many are kept', async (saved) => {
    for (let nth = 0; nth < MAX_SAVED; nth++) await saved.save({ ...tea, name: `tea ${nth}` })
    assert.equal(await saved.save(tea), false)
    assert.equal(await saved.save({ ...tea, name: 'tea 7', seen: 8 }), true)
  })
}
