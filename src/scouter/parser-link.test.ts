import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { canonicalise } from '../core/url.ts'
import type { Lease } from '../frontier/frontier.ts'
import { connectTo, FRAME_TYPES } from '../wire/connection.ts'
import type { HandoverHead } from '../wire/handover.ts'
import { encodeIds, encodeReceipt, idAtParser, type Receipt } from '../wire/receipt.ts'
import { CrashSuspects, ParserLink } from './parser-link.ts'

function leaseOf(kind: 'page' | 'sitemap'): Lease {
  const url = canonicalise(`http://a.test/${kind}`)!
  const place = { url, host: 'a.test', depth: 0, hops: 0 }
  const host = { hostFailures: 0, hostDownMs: 0, hostAnswered: false, delayMs: 0 }
  return { kind, id: 7, token: 1, tries: 1, ...host, ...place }
}

function headOf({ id, token, url, depth }: Lease, kind: 'page' | 'sitemap'): HandoverHead {
  return {
    ...{ kind, id, token, url, depth, status: 200, contentType: '', contentEncoding: '' },
    ...{ robotsTag: [], etag: '', lastModified: '', fetchedAt: 0, fetchMs: 0, truncated: false },
  }
}

test('a sitemap that a parser died of is told from the page of the same id', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'link-'))
  const ready = Promise.withResolvers<void>()
  let onReady = ready.resolve
  const link = new ParserLink({ onReceipt: () => {}, onReady: () => onReady() })
  try {
    await link.listen(join(folder, 'socket'))
    const [page, sitemap] = [leaseOf('page'), leaseOf('sitemap')]
    link.handOver(page, headOf(page, 'page'), [])
    link.handOver(sitemap, headOf(sitemap, 'sitemap'), [])
    const dying = await connectTo(join(folder, 'socket'), { onFrame: () => {}, onClose: () => {} })
    dying.send(FRAME_TYPES.begun, encodeIds([idAtParser(sitemap)]))
    dying.send(FRAME_TYPES.ready)
    await ready.promise
    link.parserDied(false)
    assert.deepEqual(link.handOverAgain(), [], 'one death is nobody’s fault yet')
    dying.send(FRAME_TYPES.begun, encodeIds([idAtParser(sitemap)]))
    const begun = Promise.withResolvers<void>()
    onReady = begun.resolve
    dying.send(FRAME_TYPES.ready)
    await begun.promise
    assert.deepEqual(link.handOverAgain(), [sitemap])
    dying.destroy()
  } finally {
    link.close()
    rmSync(folder, { recursive: true, force: true })
  }
})

test('a receipt of an earlier lease of a page does not answer the present one', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'link-'))
  const heard: (number | null)[] = []
  const waits = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const link = new ParserLink({
    onReady: () => {},
    onReceipt: ({ token }: Receipt) => waits[heard.push(token) - 1]?.resolve(),
  })
  try {
    await link.listen(join(folder, 'socket'))
    const parser = await connectTo(join(folder, 'socket'), {
      onFrame: () => {},
      onClose: () => {},
    })
    const [first, second] = [leaseOf('page'), { ...leaseOf('page'), token: 2 }]
    const body = [new Uint8Array(20 * 1024 * 1024)]
    link.handOver(first, headOf(first, 'page'), body)
    // Its partition was lost and came back.
    link.handOver(second, headOf(second, 'page'), body)
    assert.equal(link.backlog.isFull, false, 'one body waits, not two')
    const { id, url } = first
    const answer = (token: number): void => {
      const head = { kind: 'page', id, token, url, outcome: 'refused', reason: '' } as const
      parser.send(
        FRAME_TYPES.receipt,
        ...encodeReceipt({ ...head, likeness: 0, judged: null, sitemaps: [] }, new Uint8Array(0)),
      )
    }
    answer(1)
    await waits[0]?.promise
    assert.deepEqual(link.giveBack(), [second])
    link.handOver(second, headOf(second, 'page'), body)
    answer(2)
    await waits[1]?.promise
    assert.deepEqual([link.giveBack(), heard], [[], [1, 2]])
    parser.destroy()
  } finally {
    link.close()
    rmSync(folder, { recursive: true, force: true })
  }
})

test('a page that the parser died on twice by itself is guilty', () => {
  const suspects = new CrashSuspects()
  suspects.parserDied(false)
  assert.equal(suspects.isGuilty('page 1'), false)
  assert.equal(suspects.isGuilty('page 1'), true)
})

test('a kill from outside is weaker evidence: it takes three', () => {
  const suspects = new CrashSuspects()
  suspects.parserDied(true)
  const guilty = [1, 2, 3].map(() => suspects.isGuilty('page 1'))
  assert.deepEqual(guilty, [false, false, true])
})

test('a page that was stored after all is no suspect any more', () => {
  const suspects = new CrashSuspects()
  suspects.parserDied(false)
  suspects.isGuilty('page 1')
  suspects.clear('page 1')
  assert.equal(suspects.isGuilty('page 1'), false)
})
