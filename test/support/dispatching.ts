// A process with nothing but a dispatcher in it, for tests that kill it:
//   node dispatching.ts DATA ORDERS    ORDERS: a JSON array of {seeds, settings}
// Prints a line when it is open, and ends when nothing runs or waits any more.
import { setTimeout as wait } from 'node:timers/promises'
import { openDispatcher } from '../../src/jobs/open-dispatcher.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { DEFAULT_SETTINGS } from '../../src/options/settings.ts'
import { storePath } from '../../src/workspace/folder/paths.ts'
import { workspaceOf } from '../../src/workspace/open-workspace.ts'
import { urlFor } from '../contract/sample-page.ts'
import { openSqliteJobJournal, openSqliteJobStore } from './stores.ts'

const [dataDir = '', orders = '[]'] = process.argv.slice(2)
await using jobs = await openSqliteJobStore(storePath(dataDir))
await using journal = await openSqliteJobJournal(storePath(dataDir))
await using dispatcher = await openDispatcher({
  ...{ workspace: workspaceOf({ dataDir }), jobs, journal, clock: systemClock },
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
