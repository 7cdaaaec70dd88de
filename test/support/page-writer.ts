// A process that writes pages of one crawl into a store, as fast as it can: for tests in which several
// do so at once. Prints how many it has written.
import { openSqlitePageStore } from '../../src/store/sqlite/sqlite-page-store.ts'
import { sample } from '../contract/sample-page.ts'
import { openSqliteJobStore } from './stores.ts'

const BATCH = 20
const [path = '', id = '', batches = ''] = process.argv.slice(2)
await using jobs = await openSqliteJobStore(path)
const job = await jobs.get(Number(id))
if (job === null) throw new Error(`there is no crawl ${id}`)
await using store = await openSqlitePageStore({ path, job })
for (let batch = 0; batch < Number(batches); batch++) {
  const pages = Array.from({ length: BATCH }, (_, nth) => {
    const number = batch * BATCH + nth
    return sample(`h${number % 3}.test/${number}`, { contentText: 'word '.repeat(500) })
  })
  await store.save(pages)
  store.acknowledge(pages.map(({ page }) => page.fields.url))
}
console.log(Number(batches) * BATCH)
