import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allowedEntry, isGranted, isNetworkText, PrivateAccess } from './private-access.ts'

test('hosts, addresses and networks are brought to one form each', () => {
  const forms: Readonly<Record<string, string>> = {
    'Intranet.Test': 'intranet.test',
    'intranet.test.': 'intranet.test',
    'intranet:8080': 'intranet:8080',
    'bücher.test': 'xn--bcher-kva.test',
    '10.0.0.0/8': '10.0.0.0/8',
    '10.0.0.0/8:8080': '10.0.0.0/8:8080',
    '10.0.0.5/32': '10.0.0.5',
    '10.0.0.5:80': '10.0.0.5:80',
    '::1': '::1',
    '[::1]': '::1',
    '[::1]:8080': '[::1]:8080',
    'FD00::/8': 'fd00::/8',
    '[fd00::/8]:443': '[fd00::/8]:443',
  }
  for (const [written, form] of Object.entries(forms)) {
    assert.equal(allowedEntry(written), form)
    assert.equal(allowedEntry(form), form, 'its own form')
  }
})

test('what names no host and no network is refused', () => {
  const wrong = [
    '',
    'http://a.test',
    'a.test/x',
    '10.0.0.0/33',
    '::/129',
    '10.0.0',
    '0x7f.1',
    'a b',
  ]
  for (const text of [...wrong, '*.test', 'a:0', 'a:70000', 'fe80::1%eth0', '10.0.0.0/8/9', '-a']) {
    assert.throws(() => allowedEntry(text), /needs a host/, text)
  }
})

test('only a network can be told from a seed', () => {
  for (const text of ['10.0.0.0/8', 'fd00::/8', '10.0.0.0/8:80', '[fd00::/8]:80']) {
    assert.equal(isNetworkText(text), true, text)
  }
  for (const text of ['10.0.0.5', 'a.test', 'a.test/8', 'http://10.0.0.0/8', '10.0.0.0/x', '::1']) {
    assert.equal(isNetworkText(text), false, text)
  }
})

test('an entry admits its host, its addresses and its port, and nothing beside', () => {
  const access = new PrivateAccess(['intranet.test', 'b.test:81', '10.1.0.0/16', '[fd00::/8]:443'])
  assert.equal(access.admitsHost('intranet.test', 80), true)
  assert.equal(access.admitsHost('intranet.test.', 80), true)
  assert.equal(access.admitsHost('x.intranet.test', 80), false)
  assert.deepEqual(
    [81, 80].map((port) => access.admitsHost('b.test', port)),
    [true, false],
  )
  const addresses = ['10.1.2.3', '::ffff:10.1.2.3', '10.2.0.0', 'fd12::1', '127.0.0.1']
  assert.deepEqual(
    addresses.map((address) => access.admitsAddress(address, 443)),
    [true, true, false, true, false],
  )
  assert.equal(access.admitsAddress('fd12::1', 80), false)
  assert.equal(new PrivateAccess(true).admitsAddress('169.254.169.254', 80), true)
  assert.equal(new PrivateAccess(false).admitsAddress('169.254.169.254', 80), false)
})

test('nobody is granted more than was granted', () => {
  const granted = ['10.0.0.0/8', 'a.test', 'b.test:81']
  const inside = [['10.2.0.0/16'], ['10.1.1.1:80'], ['a.test:5'], ['b.test:81'], [], false] as const
  for (const wanted of inside) assert.equal(isGranted(wanted, granted), true, String(wanted))
  const beyond = [['0.0.0.0/0'], ['10.0.0.0/7'], ['b.test'], ['c.test'], ['::/0'], true] as const
  for (const wanted of beyond) assert.equal(isGranted(wanted, granted), false, String(wanted))
  assert.equal(isGranted(true, true), true)
  assert.equal(isGranted(['a.test'], false), false)
})
