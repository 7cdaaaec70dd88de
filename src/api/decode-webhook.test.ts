import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Webhook } from '../core/job.ts'
import { BadOptions, Problems } from '../options/bad-options.ts'
import { decodeWebhook } from './decode-webhook.ts'

const SECRET = 'sixteen-or-more-of-them'
const URL_GIVEN = 'https://hooks.example/in?key=1'

function decode(raw: unknown): { webhook: Webhook | null; said: string[] } {
  const problems = new Problems()
  const webhook = decodeWebhook(raw, problems, { source: 'flag', at: 'webhook' })
  try {
    problems.throwIfAny()
    return { webhook, said: [] }
  } catch (error) {
    if (!(error instanceof BadOptions)) throw error
    return { webhook, said: error.problems.map(({ at, message }) => `${at}: ${message}`) }
  }
}

test('no webhook is asked for when there is none', () => {
  for (const raw of [undefined, null]) assert.deepEqual(decode(raw), { webhook: null, said: [] })
})

test('a webhook is told of the end of its job unless it names other events', () => {
  const { webhook } = decode({ url: URL_GIVEN, secret: SECRET })
  const events = ['completed', 'incomplete', 'stopped', 'failed']
  assert.deepEqual(webhook, { url: URL_GIVEN, secret: SECRET, events })
  const named = decode({ url: URL_GIVEN, secret: SECRET, events: ['page', 'failed', 'page'] })
  assert.deepEqual(named.webhook?.events, ['failed', 'page'])
})

const WRONG: readonly [raw: unknown, ...says: RegExp[]][] = [
  ['https://a.test/', /^webhook: needs an object/],
  [[], /^webhook: needs an object/],
  [7, /^webhook: needs an object/],
  [{}, /^webhook\.url: /, /^webhook\.secret: /],
  [{ url: 'ftp://a.test', secret: SECRET }, /^webhook\.url: needs an http/],
  [{ url: 'javascript:alert(1)', secret: SECRET }, /^webhook\.url: needs an http/],
  [{ url: 'not a url', secret: SECRET }, /^webhook\.url: /],
  [{ url: `https://a.test/${'x'.repeat(5000)}`, secret: SECRET }, /^webhook\.url: .{1,200}$/],
  [{ url: 'https://me:pw@a.test/', secret: SECRET }, /^webhook\.url: must not carry a user/],
  [{ url: URL_GIVEN, secret: 'short' }, /^webhook\.secret: needs a text of 16 to 256/],
  [{ url: URL_GIVEN, secret: 'x'.repeat(257) }, /^webhook\.secret: /],
  [{ url: URL_GIVEN, secret: SECRET, events: [] }, /^webhook\.events: .*not \[\]/],
  [{ url: URL_GIVEN, secret: SECRET, events: 'page' }, /^webhook\.events: /],
  [{ url: URL_GIVEN, secret: SECRET, events: ['page', 'done'] }, /^webhook\.events: .*not "done"/],
  [{ url: URL_GIVEN, secret: SECRET, event: [] }, /^webhook\.event: .*did you mean events/],
  [
    JSON.parse(`{"url": "${URL_GIVEN}", "secret": "${SECRET}", "__proto__": {"x": 1}}`),
    /^webhook\.__proto__: there is no such field/,
  ],
  [
    { url: 1, secret: 2, events: 3, more: 4 },
    /^webhook\.more: /,
    /^webhook\.url: /,
    /^webhook\.secret: /,
    /^webhook\.events: /,
  ],
]

for (const [raw, ...says] of WRONG) {
  test(`a webhook such as ${JSON.stringify(raw).slice(0, 80)} is refused with every reason`, () => {
    const { said } = decode(raw)
    assert.equal(said.length, says.length, said.join('\n'))
    for (const [nth, pattern] of says.entries()) assert.match(said[nth] ?? '', pattern)
  })
}

test('a secret is not repeated where it is refused', () => {
  assert.doesNotMatch(decode({ url: 'x', secret: 'hunter2' }).said.join(), /hunter2/)
  assert.doesNotMatch(decode({ url: 'https://me:pw@a.test/', secret: SECRET }).said.join(), /pw/)
})
