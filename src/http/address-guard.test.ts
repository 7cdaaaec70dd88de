import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isPublicAddress } from './address-guard.ts'

/** First and last address of each closed block; neighbours just outside are tested if they are open. */
const CLOSED_V4 = [
  '0.0.0.0 0.255.255.255',
  '10.0.0.0 10.255.255.255',
  '100.64.0.0 100.127.255.255',
  '127.0.0.0 127.0.0.1 127.255.255.255',
  '169.254.0.0 169.254.169.254 169.254.255.255',
  '172.16.0.0 172.31.255.255',
  '192.0.0.0 192.0.0.255',
  '192.0.2.0 192.0.2.255',
  '192.88.99.0 192.88.99.255',
  '192.168.0.0 192.168.255.255',
  '198.18.0.0 198.19.255.255',
  '198.51.100.0 198.51.100.255',
  '203.0.113.0 203.0.113.255',
  '224.0.0.0 239.255.255.255',
  '240.0.0.0 255.255.255.255',
]
const OPEN_V4 = [
  '1.0.0.0 9.255.255.255 11.0.0.0',
  '100.63.255.255 100.128.0.0',
  '126.255.255.255 128.0.0.0',
  '169.253.255.255 169.255.0.0',
  '172.15.255.255 172.32.0.0',
  '191.255.255.255 192.0.1.0 192.0.3.0',
  '192.88.98.255 192.88.100.0',
  '192.167.255.255 192.169.0.0',
  '198.17.255.255 198.20.0.0',
  '198.51.99.255 198.51.101.0',
  '203.0.112.255 203.0.114.0',
  '223.255.255.255',
]
const CLOSED_V6 = [
  '::1 ::',
  '::ffff:7f00:1 ::ffff:10.0.0.1 ::ffff:169.254.169.254',
  '::127.0.0.1 ::8.8.8.8',
  '64:ff9b::7f00:1 64:ff9b::10.0.0.1 64:ff9b:1:: 64:ff9b:1::808:808',
  '2002:7f00:1:: 2002:a00:1::1 2002:c0a8:101::',
  '2001:: 2001:0:4136:e378:8000:63bf:3fff:fdd2 2001:10:: 2001:1ff:ffff::',
  'fe80:: fe80::1 febf:ffff::',
  'fc00:: fd00:ec2::254 fdff::',
  'fec0:: ff00:: ff02::1',
  '2001:db8:: 2001:db8:ffff:ffff:ffff:ffff:ffff:ffff 3fff:: 3fff:fff::',
  '100:: 5f00:: 1fff:: 4000::',
  '2606:4700::5efe:10.0.0.1 2606:4700::200:5efe:127.0.0.1',
]
const OPEN_V6 = [
  '2000:: 2606:4700:4700::1111 2a00:1450:4001:82b::200e',
  '2001:200:: 2001:db7:ffff:: 2001:db9:: 3fff:1000:: 3ffe:ffff::',
  '::ffff:8.8.8.8 ::ffff:808:808 64:ff9b::8.8.8.8 2002:808:808::1',
]
const NONSENSE = ['', 'localhost', '127.1', '0x7f000001', 'fe80::1%eth0', '8.8.8.8 ', '[::1]']

test('addresses of closed blocks are not public, their edges included', () => {
  for (const row of [...CLOSED_V4, ...CLOSED_V6]) {
    for (const ip of row.split(' ')) assert.equal(isPublicAddress(ip), false, ip)
  }
})

test('the neighbours of closed blocks are public', () => {
  for (const row of [...OPEN_V4, ...OPEN_V6]) {
    for (const ip of row.split(' ')) assert.equal(isPublicAddress(ip), true, ip)
  }
})

test('what is not plainly an address is not public', () => {
  for (const text of NONSENSE) assert.equal(isPublicAddress(text), false, text)
})

test('every spelling of a host that the URL parser turns into an address is judged as that address', () => {
  const spellings = [
    'http://2130706433/',
    'http://0x7f000001/',
    'http://0177.0.0.1/',
    'http://127.1/',
    'http://0/',
    'http://169.254.43518/',
    'http://１２７.0.0.1/',
    'http://127。0。0。1/',
    'http://good@127.0.0.1/',
    'http://127.0.0.1#@good/',
  ]
  for (const href of spellings) assert.equal(isPublicAddress(new URL(href).hostname), false, href)
})
