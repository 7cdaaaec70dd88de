import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { sample } from '../../test/contract/sample-page.ts'
import { aJob } from '../../test/support/registry-records.ts'
import { until } from '../../test/support/scripted-pair.ts'
import { ParserLink } from '../scouter/parser-link.ts'
import { openSqlitePageStore } from '../store/sqlite/sqlite-page-store.ts'
import { openSqliteJobStore } from '../store/sqlite/sqlite-store.ts'
import { encodeKept } from '../wire/receipt.ts'
import { Parser } from './parser.ts'

const NOTHING = { likeness: 0, judged: null, foundBlock: new Uint8Array(0) }
const LOOK_MS = 10

test('receipts of a dead remote parser are delivered once while this one works', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'jelajah-parser-'))
  await using stack = new AsyncDisposableStack()
  stack.defer(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'jelajah.db')
  const jobs = stack.use(await openSqliteJobStore(path))
  const { id: _, salt: __, ...wanted } = aJob(1)
  const job = await jobs.create(wanted)
  const store = stack.use(await openSqlitePageStore({ path, job }))
  const elsewhere = stack.use(await openSqlitePageStore({ path, job }))
  const pagesSocket = join(folder, 'pages.sock')
  const delivered: number[] = []
  let isReady = false
  const link = new ParserLink({
    onReceipt: ({ id }) => delivered.push(id),
    onReady: () => {
      isReady = true
    },
  })
  stack.defer(() => link.close())
  await link.listen(pagesSocket)
  const around = { storeIsShared: true, orphanedMs: LOOK_MS, onBroken: (error: unknown) => error }
  const parser = stack.use(new Parser({ job, store, pagesSocket, ...around }))
  const done = parser.run()
  await until(() => isReady, 'the parser is there')
  const left = { ...sample('a.test/1'), receipt: encodeKept(NOTHING) }
  await elsewhere.save([left])
  await until(() => delivered.length > 0, 'the receipt is delivered')
  const looks = 5
  await wait(looks * LOOK_MS)
  assert.deepEqual(delivered, [left.urlId])
  parser.leave()
  await parser.close()
  await done
})
