import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type CanonicalUrl, canonicalise } from '../../core/url.ts'
import { surt } from './page-records.ts'

/** Keys as web archive tools spell them. */
const KNOWN: readonly (readonly [url: string, key: string])[] = [
  ['http://www.archive.org/', 'org,archive)/'],
  ['http://archive.org/', 'org,archive)/'],
  ['http://archive.org/goo/', 'org,archive)/goo'],
  ['http://archive.org/goo/?', 'org,archive)/goo'],
  ['http://archive.org/goo/?b&a', 'org,archive)/goo?a&b'],
  ['http://archive.org/goo/?a=2&b&a=1', 'org,archive)/goo?a=1&a=2&b'],
  ['http://www34.archive.org/index.html?b=a&b=b&a=b', 'org,archive)/index.html?a=b&b=a&b=b'],
  ['http://www2foo.com/', 'com,www2foo)/'],
  ['https://www.archive.org:443/', 'org,archive)/'],
  ['http://www.archive.org:443/', 'org,archive:443)/'],
  ['http://host.test:8080/a', 'test,host:8080)/a'],
  ['http://192.168.1.254/info/', '254,1,168,192)/info'],
  ['http://[::1]:8080/A', '[::1]:8080)/a'],
  ['http://bücher.ch/', 'ch,xn--bcher-kva)/'],
  ['http://example.com/Foo?X=Y', 'com,example)/foo?x=y'],
  ['http://host/%25%32%35', 'host)/%25'],
  ['http://host/%2525252525252525', 'host)/%25'],
  ['http://host/%%%25%32%35asd%%', 'host)/%25%25%25asd%25%25'],
  ['http://host/ab%23cd', 'host)/ab%23cd'],
  ['http://host/a%2Fb//c/%252e%252e/d', 'host)/a/b/d'],
  ['http://host/caf%C3%A9?q=%C3%A9', 'host)/caf%c3%a9?q=%c3%a9'],
  [
    'http://archive.org/index.php?PHPSESSID=0123456789abcdefghijklemopqrstuv&action=profile;u=4221',
    'org,archive)/index.php?action=profile;u=4221',
  ],
  [
    'http://visit.webhosting.yahoo.com/visit.gif?&r=http%3A//web.archive.org/&b=Netscape%205.0%20%28Windows%3B%20en-US%29',
    'com,yahoo,webhosting,visit)/visit.gif?&b=netscape%205.0%20(windows;%20en-us)&r=http://web.archive.org/',
  ],
]

for (const [url, key] of KNOWN) {
  test(`${url} has the key ${key}`, () => {
    assert.equal(surt(canonical(url)), key)
  })
}

test('a key is one word of plain characters, whatever stands in the URL', () => {
  const odd = canonical(`http://a.test/${'%250a%0D%00 \u{1f600}%E2%80%AE'.repeat(50)}?%0a=%20`)
  assert.match(surt(odd), /^[\x21-\x7e]+$/)
})

test('escapes within escapes take no longer than other characters', () => {
  assert.equal(surt(canonical(`http://a.test/%${'25'.repeat(4000)}`)), 'test,a)/%25')
})

function canonical(url: string): CanonicalUrl {
  const made = canonicalise(url)
  assert.ok(made !== null, url)
  return made
}
