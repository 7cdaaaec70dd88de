import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { sample } from '../../test/contract/sample-page.ts'
import { aJob } from '../../test/support/registry-records.ts'
import { until } from '../../test/support/scripted-pair.ts'
import { openSqliteJobStore } from '../../test/support/stores.ts'
import { canonicalise } from '../core/url.ts'
import { ParserLink } from '../scouter/parser-link.ts'
import { openSqlitePageStore } from '../store/sqlite/sqlite-page-store.ts'
import { Connection, FRAME_TYPES } from '../wire/connection.ts'
import { encodeHandover, type HandoverHead } from '../wire/handover.ts'
import { decodeIds, decodeReceipt, encodeKept } from '../wire/receipt.ts'
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

const BODY = Buffer.from(
  '<!doctype html><title>Tea</title><p>Green tea is steeped in hot water.</p>',
)
const SUSPECTS = [1, 2, 3]

function suspect(id: number): HandoverHead {
  const url = canonicalise(`http://a.test/${id}`)
  assert.ok(url)
  return {
    ...{ kind: 'page', id, token: 1, url, depth: 0, status: 200, contentType: 'text/html' },
    ...{ contentEncoding: '', robotsTag: [], etag: '', lastModified: '', fetchedAt: 1, fetchMs: 1 },
    ...{ truncated: false, isSuspect: true },
  }
}

for (const savesInThreads of [true, false]) {
  const who = savesInThreads ? 'its thread' : 'the parser'
  test(`a page of a dead parser is begun when ${who} has saved the one before it`, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'jelajah-parser-'))
    await using stack = new AsyncDisposableStack()
    stack.defer(() => rmSync(folder, { recursive: true }))
    const path = join(folder, 'jelajah.db')
    const jobs = stack.use(await openSqliteJobStore(path))
    const { id: _, salt: __, ...wanted } = aJob(1)
    const job = await jobs.create(wanted)
    const store = stack.use(await openSqlitePageStore({ path, job }))
    const module = new URL('../workspace/folder/store-of-thread.ts', import.meta.url).href
    const pair = { nth: 0, of: 1 }
    const storeOfThreads = savesInThreads ? { module, options: { path, job, pair } } : null
    const pagesSocket = join(folder, 'pages.sock')
    const told: string[] = []
    const server = createServer((socket) => {
      const scouter = new Connection(socket, {
        onClose: () => {},
        onFrame: (type, payload) => {
          if (type === FRAME_TYPES.begun) told.push(`begun ${decodeIds(payload)}`)
          if (type === FRAME_TYPES.receipt) told.push(`saved ${decodeReceipt(payload).id}`)
          if (type !== FRAME_TYPES.ready) return
          for (const id of SUSPECTS) {
            scouter.send(FRAME_TYPES.handover, ...encodeHandover(suspect(id), [BODY]))
          }
        },
      })
    })
    const sockets: Socket[] = []
    server.on('connection', (socket) => sockets.push(socket))
    stack.defer(() => {
      server.close()
      for (const socket of sockets) socket.destroy()
    })
    await new Promise<void>((resolve) => server.listen(pagesSocket, resolve))
    const around = { storeOfThreads, onBroken: (error: unknown) => error }
    const parser = stack.use(new Parser({ job, store, pagesSocket, ...around }))
    const done = parser.run()
    await until(() => told.length === 2 * SUSPECTS.length, 'all are saved')
    assert.deepEqual(
      told,
      SUSPECTS.flatMap((id) => [`begun ${id}`, `saved ${id}`]),
    )
    await parser.close()
    await done
  })
}
