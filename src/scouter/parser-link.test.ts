import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { canonicalise } from '../core/url.ts'
import type { Lease } from '../frontier/frontier.ts'
import { connectTo } from '../wire/connection.ts'
import { FRAME_TYPES } from '../wire/frame.ts'
import type { HandoverHead } from '../wire/handover.ts'
import { encodeIds, idAtParser } from '../wire/receipt.ts'
import { ParserLink } from './parser-link.ts'

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
  const link = new ParserLink({ onReceipt: () => {}, onReady: () => ready.resolve() })
  try {
    await link.listen(join(folder, 'socket'))
    const [page, sitemap] = [leaseOf('page'), leaseOf('sitemap')]
    link.handOver(page, headOf(page, 'page'), [])
    link.handOver(sitemap, headOf(sitemap, 'sitemap'), [])
    const dying = await connectTo(join(folder, 'socket'), { onFrame: () => {}, onClose: () => {} })
    dying.send(FRAME_TYPES.begun, encodeIds([idAtParser(sitemap)]))
    dying.send(FRAME_TYPES.ready)
    await ready.promise
    const asked: Lease['kind'][] = []
    const spared = (lease: Lease): boolean => {
      asked.push(lease.kind)
      return false
    }
    assert.deepEqual(link.handOverAgain(spared), [sitemap])
    assert.deepEqual(asked, ['sitemap'])
    dying.destroy()
  } finally {
    link.close()
    rmSync(folder, { recursive: true, force: true })
  }
})
