import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FAILURES } from '../core/visit.ts'
import { inWords, refusalText } from './refusal-text.ts'

const say = (reason: string): string => refusalText({ at: 'x', reason, redirects: [] })

test('a reason is reported in a sentence, with what can be done about it', () => {
  assert.equal(say('http-404'), 'x: the server answered 404 Not Found')
  assert.equal(say('http-799'), 'x: the server answered 799')
  assert.match(say('robots'), /robots.txt asks crawlers to stay out; --ignore-robots/)
  assert.match(say('crawl-delay: robots.txt asks for 99 s'), /a Crawl-delay of 99 s; --max-crawl/)
  assert.match(say('private-address: 10.0.0.1'), /10.0.0.1.*--allow-private/)
  assert.match(say('private-address: fd00::1'), /--allow-private=fd00::1 lets it in/)
  const own = say('private-address: a server of Jelajah itself')
  assert.match(own, /leads to a server of Jelajah itself, where no crawl goes/)
  assert.match(say('type: image/png'), /is image\/png, which/)
  assert.match(say('timeout-headers: 20 s'), /in time \(20 s\)/)
  assert.equal(say('something: new'), 'x: something: new')
})

test('the way of redirects is shown', () => {
  const redirects = [{ url: 'a', status: 301 }]
  assert.equal(
    refusalText({ at: 'b', reason: 'http-500', redirects }),
    'a → b: the server answered 500 Internal Server Error',
  )
})

test('no failure of a fetch is left as a code', () => {
  const ofParser = ['parser-crash', 'parse-timeout', 'parse-memory', 'http']
  for (const code of FAILURES.filter((code) => !ofParser.includes(code))) {
    assert.doesNotMatch(say(`${code}: why`), new RegExp(`x: ${code}: why`))
  }
})

test('a reason is reported with what it means, or as it is', () => {
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
