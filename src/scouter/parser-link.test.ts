import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { canonicalise } from '../core/url.ts'
import type { Lease } from '../frontier/frontier.ts'
import { connectTo, FRAME_TYPES } from '../wire/connection.ts'
import type { HandoverHead } from '../wire/handover.ts'
import { encodeIds, idAtParser } from '../wire/receipt.ts'
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
