import assert from 'node:assert/strict'
import { test } from 'node:test'
import { urlOf } from '../../../test/contract/frontier/rig.ts'
import { createUrlHasher } from '../../lib/url-hash.ts'
import { decodeFound, encodeFound } from '../../wire/receipt.ts'
import type { FrontierUpdate } from '../frontier.ts'
import { decodeMail, encodeMail } from './mail.ts'

const hashUrl = createUrlHasher(1)

test('the links of a result arrive with it, though a scouter has them as views of bytes', () => {
  const links = ['a.test/1', 'b.test/2'].map((name, at) => {
    const url = urlOf(name)
    return {
      url,
      hash: hashUrl(url),
      nofollow: at === 1,
      refresh: at === 1,
      signals: at ? [2] : null,
    }
  })
  const update: FrontierUpdate = {
    lease: { kind: 'page', id: 1, token: null, url: urlOf('c.test/'), depth: 1 },
    ...{ outcome: 'stored', found: decodeFound(encodeFound(links)), judged: [1, 2], likeness: 3 },
  }
  const read = decodeMail(encodeMail({ kind: 'settled', update }), hashUrl)
  assert.deepEqual(read, { kind: 'settled', update: { ...update, found: links } })
})

test('a result that an earlier version sent is read', () => {
  const lease = { kind: 'page', id: 1, token: null, url: urlOf('c.test/') } as const
  const update = { lease, outcome: 'unchanged' } as const
  const body = Buffer.from(`\x02${JSON.stringify({ kind: 'settled', settlement: update })}`)
  assert.deepEqual(decodeMail(body, hashUrl), { kind: 'settled', update })
  assert.deepEqual(Buffer.from(encodeMail({ kind: 'settled', update })), body)
})
