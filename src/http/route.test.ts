import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openOwnListeners } from './own-listeners.ts'
import { Resolver } from './resolver.ts'
import { hostMatcher, isPublicAddress, Router, type RouterOptions } from './route.ts'

const NAMES: Readonly<Record<string, readonly string[]>> = {
  'open.test': ['93.184.216.34'],
  'both.test': ['93.184.216.34', '2606:2800:220:1::1'],
  'inside.test': ['10.0.0.1'],
  'mixed.test': ['93.184.216.34', '192.168.1.1'],
  'mixed6.test': ['93.184.216.34', 'fd00::1'],
  'meta.test': ['169.254.169.254'],
  'mapped.test': ['::ffff:127.0.0.1'],
}

function routerOf(options: Partial<RouterOptions>): Router {
  const lookup = async (name: string) => {
    const found = NAMES[name]
    if (found === undefined) throw Object.assign(new Error(name), { code: 'ENOTFOUND' })
    return { addresses: found }
  }
  return new Router({
    resolver: new Resolver({ lookup }),
    trustedHosts: new Set(),
    allowPrivate: false,
    connectTo: [],
    proxied: false,
    ...options,
  })
}

async function route(href: string, options: Partial<RouterOptions> = {}): Promise<string> {
  const found = await routerOf(options).route(new URL(href))
  if (found.kind === 'open') return `${found.addresses.join(' ')} ${found.port}`
  return found.kind === 'refused' ? found.reason : found.fault.reason
}

test('what resolves to public addresses is open, and nothing else', async () => {
  const cases: Readonly<Record<string, string>> = {
    'http://open.test/': '93.184.216.34 80',
    'https://open.test/': '93.184.216.34 443',
    'https://both.test:8443/': '93.184.216.34 2606:2800:220:1::1 8443',
    'http://inside.test/': 'private-address: 10.0.0.1',
    'http://mixed.test/': 'private-address: 192.168.1.1',
    'http://mixed6.test/': 'private-address: fd00::1',
    'http://meta.test/latest/meta-data/': 'private-address: 169.254.169.254',
    'http://mapped.test/': 'private-address: ::ffff:127.0.0.1',
    'http://localhost/': 'private-address: 127.0.0.1',
    'http://a.localhost:3000/': 'private-address: 127.0.0.1',
    'http://2130706433/': 'private-address: 127.0.0.1',
    'http://[::1]/': 'private-address: ::1',
    'http://[fd00:ec2::254]/': 'private-address: fd00:ec2::254',
    'http://no.test/': 'dns: ENOTFOUND',
  }
  for (const [href, expected] of Object.entries(cases)) {
    assert.equal(await route(href), expected, href)
  }
})

test('ports of databases and the like are refused before any name is asked for', async () => {
  for (const port of [0, 22, 25, 2375, 3306, 5432, 6379, 9200, 11211, 27017]) {
    assert.equal(await route(`http://no.test:${port}/`), `port: ${port}`)
  }
  for (const port of [80, 81, 443, 3000, 8000, 8080, 8443, 9000, 65_535]) {
    assert.equal(await route(`http://open.test:${port}/`), `93.184.216.34 ${port}`)
  }
})

test('an address or localhost that the user typed is trusted with its port, and only that one', async () => {
  const trustedHosts = new Set(['a.localhost:3000', '127.0.0.1:6379', '[fd00::5]'])
  const options = { trustedHosts }
  assert.equal(await route('http://a.localhost:3000/', options), '127.0.0.1 ::1 3000')
  assert.equal(await route('http://127.0.0.1:6379/', options), '127.0.0.1 6379')
  assert.equal(await route('http://[fd00::5]/', options), 'fd00::5 80')
  for (const href of [
    'http://b.localhost:3000/',
    'http://localhost:3000/',
    'http://a.localhost:3001/',
    'http://x.a.localhost:3000/',
    'http://127.0.0.1:3000/',
  ]) {
    assert.equal(await route(href, options), 'private-address: 127.0.0.1', href)
  }
})

test('any other name is judged by its addresses, whoever typed it', async () => {
  const hosts = new Set(['inside.test', 'meta.test', 'mixed.test', 'open.test:6379'])
  const options = { trustedHosts: hosts, seedHosts: hosts }
  assert.equal(await route('http://inside.test/', options), 'private-address: 10.0.0.1')
  assert.equal(await route('http://meta.test/', options), 'private-address: 169.254.169.254')
  assert.equal(await route('http://mixed.test/', options), 'private-address: 192.168.1.1')
  const proxied = { ...options, proxied: true }
  assert.equal(await route('http://meta.test/', proxied), 'private-address: 169.254.169.254')
  assert.equal(await route('http://open.test:6379/', options), '93.184.216.34 6379')
})

test('hosts and networks that were allowed are open, at their port, and no others', async () => {
  const allowPrivate = ['inside.test', '192.168.0.0/16', 'fd00::1', '127.0.0.1:6379']
  const cases: Readonly<Record<string, string>> = {
    'http://inside.test/': '10.0.0.1 80',
    'http://10.0.0.1/': 'private-address: 10.0.0.1',
    'http://mixed.test/': '93.184.216.34 192.168.1.1 80',
    'http://192.168.3.4:8080/': '192.168.3.4 8080',
    'http://192.168.3.4:6379/': 'port: 6379',
    'http://127.0.0.1:6379/': '127.0.0.1 6379',
    'http://127.0.0.1/': 'private-address: 127.0.0.1',
    'http://open.test:6379/': 'port: 6379',
    'http://mixed6.test/': '93.184.216.34 fd00::1 80',
    'http://meta.test/': 'private-address: 169.254.169.254',
  }
  for (const [href, expected] of Object.entries(cases)) {
    assert.equal(await route(href, { allowPrivate }), expected, href)
  }
})

test('nothing leads to our own server and databases, at a public address either', async () => {
  const resolve = async (name: string) => NAMES[name] ?? []
  const ownListeners = await openOwnListeners(
    [
      { host: '0.0.0.0', port: 8088 },
      { host: 'open.test', port: 5432 },
      { host: 'nowhere.test', port: 1 },
    ],
    resolve,
  )
  const refused = 'private-address: a server of Jelajah itself'
  const options = { ownListeners, allowPrivate: true, trustedHosts: new Set(['open.test:5432']) }
  for (const href of [
    'http://127.0.0.1:8088/',
    'http://127.9.9.9:8088/',
    'http://localhost:8088/',
    'http://0.0.0.0:8088/',
    'http://mapped.test:8088/',
    'http://open.test:5432/',
  ]) {
    assert.equal(await route(href, options), refused, href)
  }
  assert.equal(await route('http://127.0.0.1:8089/', options), '127.0.0.1 8089')
  assert.equal(await route('http://open.test/', options), '93.184.216.34 80')
})

test('with private addresses allowed the ports still count', async () => {
  assert.equal(await route('http://inside.test/', { allowPrivate: true }), '10.0.0.1 80')
  assert.equal(await route('http://inside.test:6379/', { allowPrivate: true }), 'port: 6379')
})

test('a detour leads where the user said, without a question', async () => {
  const connectTo = [
    { pattern: '*.web.test', address: '127.0.0.1', port: 8080 },
    { pattern: 'six.test:81', address: '[::1]', port: 6379 },
  ]
  assert.equal(await route('http://a.web.test/', { connectTo }), '127.0.0.1 8080')
  assert.equal(await route('https://a.b.web.test:22/', { connectTo }), '127.0.0.1 8080')
  assert.equal(await route('http://six.test:81/', { connectTo }), '::1 6379')
  assert.equal(await route('http://six.test/', { connectTo }), 'dns: ENOTFOUND')
  assert.equal(await route('http://inside.test/', { connectTo }), 'private-address: 10.0.0.1')
})

test('a proxy does not lift the guard, but saves the look-up of what is trusted', async () => {
  const proxied = { proxied: true }
  assert.equal(await route('http://inside.test/', proxied), 'private-address: 10.0.0.1')
  assert.equal(await route('http://no.test/', proxied), 'dns: ENOTFOUND')
  assert.equal(await route('http://no.test/', { ...proxied, allowPrivate: true }), 'no.test 80')
})

test('a proxy is not asked for a server of Jelajah itself either', async () => {
  const own = [{ host: '127.0.0.1', port: 8088 }]
  const ownListeners = await openOwnListeners(own, async () => [])
  const options = { proxied: true, allowPrivate: true, ownListeners }
  for (const host of ['127.0.0.1', 'localhost', 'a.localhost', '[::1]', '[::ffff:127.0.0.1]']) {
    assert.match(await route(`http://${host}:8088/`, options), /^private-address: a server/, host)
  }
  assert.equal(await route('http://127.0.0.1:8089/', options), '127.0.0.1 8089')
})

test('only what needs an address of ours is looked up beforehand', () => {
  const nameFor = (href: string, options: Partial<RouterOptions>) =>
    routerOf(options).nameFor(new URL(href))
  const connectTo = [{ pattern: '*.web.test', address: 'way.test', port: 8080 }]
  assert.equal(nameFor('http://a.web.test/', { connectTo }), 'way.test')
  assert.equal(nameFor('http://open.test/', { connectTo }), 'open.test')
  const proxied = { proxied: true, connectTo }
  assert.equal(nameFor('http://open.test/', proxied), 'open.test')
  assert.equal(nameFor('http://open.test/', { ...proxied, allowPrivate: ['open.test'] }), null)
  assert.equal(nameFor('http://open.test/', { ...proxied, allowPrivate: true }), null)
  assert.equal(nameFor('http://a.web.test/', proxied), null)
})

test('a pattern with stars matches whole names', () => {
  const cases: readonly [string, string, boolean][] = [
    ['*', 'anything.test', true],
    ['*.test', 'a.test', true],
    ['*.test', 'test', false],
    ['*.test', 'a.test.com', false],
    ['a.*.b', 'a.b', false],
    ['a.*.b', 'a.x.b', true],
    ['a*a', 'a', false],
    ['www.*.*', 'www.x.y', true],
    ['EXAMPLE.test', 'example.test', true],
    ['example.test', 'www.example.test', false],
  ]
  for (const [pattern, host, expected] of cases) {
    assert.equal(hostMatcher(pattern)(host), expected, `${pattern} ${host}`)
  }
})

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
