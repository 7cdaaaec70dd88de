import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inWords } from './reason-words.ts'

test('a reason is told with what it means, or as it is', () => {
  const cases: Readonly<Record<string, RegExp>> = {
    'dns: ENOTFOUND': /^dns: ENOTFOUND: there is no such host; check the spelling$/,
    'dns: EAI_AGAIN': /^dns: EAI_AGAIN: the name of the host/,
    'connect: ECONNREFUSED': /^connect: ECONNREFUSED: nothing listens there$/,
    'timeout-headers: 10 ms': /in time$/,
    'tls: CERT_HAS_EXPIRED': /^tls: CERT_HAS_EXPIRED: .*certificate/,
    'http-503': /^http-503: its server is in trouble$/,
    'private-address: 10.0.0.1': /^private-address: 10\.0\.0\.1: .*--allow-private$/,
    robots: /^robots: its robots\.txt forbids it$/,
    'type: image/png': /^type: image\/png$/,
  }
  for (const [reason, words] of Object.entries(cases)) assert.match(inWords(reason), words)
})
