// A process with nothing but a dispatcher in it, for tests that kill it:
//   node dispatching.ts DATA ORDERS    ORDERS: a JSON array of {seeds, settings}
// Prints a line when it is open, and ends when nothing runs or waits any more.
import { setTimeout as wait } from 'node:timers/promises'
import { DEFAULT_SETTINGS } from '../../src/core/settings.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { openDispatcher } from '../../src/main/open-dispatcher.ts'
import { placeOf } from '../../src/main/place/open-place.ts'
import { storePath } from '../../src/main/places.ts'
import { openSqliteJobJournal } from '../../src/store/sqlite/sqlite-job-journal.ts'
import { openSqliteJobStore } from '../../src/store/sqlite/sqlite-job-store.ts'
import { urlFor } from '../contract/sample-page.ts'

const [dataDir = '', orders = '[]'] = process.argv.slice(2)
await using jobs = await openSqliteJobStore(storePath(dataDir))
await using journal = await openSqliteJobJournal(storePath(dataDir))
await using dispatcher = await openDispatcher({
  ...{ place: placeOf({ dataDir }), jobs, journal, clock: systemClock },
  ...{ maxRunning: 3, maxConnections: 128, maxRssBytes: 4e9 },
})
for (const { seeds, settings } of JSON.parse(orders)) {
  await dispatcher.submit({
    name: seeds.join(' '),
    seeds: seeds.map(urlFor),
    settings: { ...DEFAULT_SETTINGS, ...settings },
    ...{ topicRequest: null, webhook: null, key: null, fingerprint: '' },
  })
}
console.log('open')
while (dispatcher.load().running + dispatcher.load().waiting > 0) await wait(50)
