// What every store of importance promises.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type {
  ImportanceReader,
  ImportanceStore,
  PageImportance,
} from '../../src/store/importance-store.ts'

export interface ImportancePlace extends AsyncDisposable {
  store(): Promise<ImportanceStore>
  reader(): Promise<ImportanceReader>
}

export function importanceStoreContract(
  name: string,
  openPlace: () => Promise<ImportancePlace>,
): void {
  const promise = (
    title: string,
    body: (store: ImportanceStore, reader: ImportanceReader) => Promise<void>,
  ) =>
    test(`${name}: ${title}`, async () => {
      await using place = await openPlace()
      await using store = await place.store()
      await using reader = await place.reader()
      await body(store, reader)
    })

  promise('what was kept is read back as it was', async (store, reader) => {
    const pages = [page(7, 1 / 3), { ...page(8, 0), similarity: null, pagerank: 1e-12 }]
    assert.equal(await store.replace(1, pages), 2)
    assert.deepEqual(await reader.get(7), pages[0])
    assert.deepEqual(await reader.get(8), pages[1])
    assert.equal(await reader.get(9), null)
  })

  promise('the best pages come first, equal ones by id', async (store, reader) => {
    await store.replace(1, [page(1, 0.2), page(2, 0.9), page(4, 0.5), page(3, 0.5)])
    assert.deepEqual(await idsOf(reader, 1, 10), [2, 3, 4, 1])
    assert.deepEqual(await idsOf(reader, 1, 2), [2, 3])
  })

  promise('a crawl has what was computed last, and nothing of before', async (store, reader) => {
    await store.replace(1, [page(1, 0.2), page(2, 0.9)])
    await store.replace(2, [page(3, 0.3)])
    assert.equal(await store.replace(1, [page(2, 0.1)]), 1)
    assert.deepEqual(await idsOf(reader, 1, 10), [2])
    assert.deepEqual(await idsOf(reader, 2, 10), [3])
    assert.equal(await store.replace(1, []), 0)
    assert.equal(await reader.get(2), null)
  })

  promise('when it cannot be finished, all is as it was', async (store, reader) => {
    await store.replace(1, [page(1, 0.2)])
    function* broken() {
      yield page(2, 0.9)
      throw new Error('no more')
    }
    await assert.rejects(store.replace(1, broken()), /no more/)
    assert.deepEqual(await idsOf(reader, 1, 10), [1])
    assert.equal(await store.replace(1, [page(3, 0.4)]), 1)
  })
}

function page(pageId: number, importance: number): PageImportance {
  return { pageId, similarity: 0.25, backlinks: 12, pagerank: 0.001, location: 0.5, importance }
}

async function idsOf(reader: ImportanceReader, crawlId: number, limit: number): Promise<number[]> {
  return (await reader.best(crawlId, limit)).map(({ pageId }) => pageId)
}
