import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seededRandom } from '../lib/seeded-random.ts'
import {
  isServerUrl,
  leaseIn,
  leaseMsOf,
  partitionsOf,
  shownWorkspace,
  withoutParameters,
  withoutPassword,
  wrongParameter,
} from './workspace-url.ts'

test('a URL of a server is told from a folder', () => {
  for (const url of ['postgres://a/b', 'redis+cluster://a,b', 'POSTGRESQL://x']) {
    assert.equal(isServerUrl(url), true, url)
  }
  for (const folder of ['./jelajah-data', '/srv/a', 'C:\\crawls', 'postgres:/a']) {
    assert.equal(isServerUrl(folder), false, folder)
  }
})

test('a password is never shown, however it is written', () => {
  const shown = {
    'postgres://ana:rahasia@db:5432/jelajah': 'postgres://ana:***@db:5432/jelajah',
    'postgres://ana:ra@hasia@db/jelajah': 'postgres://ana:***@db/jelajah',
    'redis://:rahasia@cache:6379/0?prefix=a': 'redis://:***@cache:6379/0?prefix=a',
    'redis://rahasia@cache:6379': 'redis://***@cache:6379',
    'redis://:ra?hasia@cache': 'redis://:***@cache',
    'postgres://ana:ra/hasia@db/x': 'postgres://ana:***@db/x',
    'postgres://ana:ra#hasia@db/x': 'postgres://ana:***@db/x',
    'postgres://ana@db/x?password=rahasia&a=b': 'postgres://***@db/x?password=***&a=b',
    'postgres://db/x?PGPASS=ra#hasia': 'postgres://db/x?PGPASS=***',
    'postgres://ana:ra?password=hasia@db/x': 'postgres://***',
    'postgres://db/x?password=ra@hasia': 'postgres://***',
    'postgres://db/x': 'postgres://db/x',
    'redis://cache/0?prefix=a': 'redis://cache/0?prefix=a',
  }
  for (const [url, expected] of Object.entries(shown)) assert.equal(withoutPassword(url), expected)
})

test('of a password of any signs nothing is shown, whoever reads the address', () => {
  const random = seededRandom(7)
  const signs = '@:/?#&=%[]\\ +,;\n~日q7'
  for (let round = 0; round < 2000; round++) {
    const length = 1 + Math.floor(random() * 12)
    const drawn = Array.from({ length }, () => signs[Math.floor(random() * signs.length)])
    const password = drawn.join('')
    for (const before of ['postgres://ana:', 'redis://:', 'rediss+cluster://ana:']) {
      const shown = withoutPassword(`${before}${password}@db:1/x?a=b`)
      assert.equal(shown, `${before}***@db:1/x?a=b`, password)
    }
    const named = withoutPassword(`postgres://db/x?password=${encodeURIComponent(password)}&a=b`)
    assert.equal(named, 'postgres://db/x?password=***&a=b')
  }
})

test('a folder is called by its path', () => {
  assert.equal(shownWorkspace({ data: '/srv/a:b@c' }), '/srv/a:b@c')
})

test('the lease is read from the URL of either server, the frontier’s first, and hidden from the driver', () => {
  const lease = (data: string, frontier: string | null = null) => leaseMsOf({ data, frontier })
  assert.equal(lease('postgres://a/b'), 15_000)
  assert.equal(lease('postgres://a/b?lease=2.5'), 2500)
  assert.equal(lease('postgres://a/b?lease=2', 'redis://c'), 2000)
  assert.equal(lease('postgres://a/b?lease=2', 'redis://c?prefix=x&lease=3'), 3000)
  for (const wrong of ['0', '', 'soon', '601']) {
    assert.equal(leaseIn(`postgres://a/b?lease=${wrong}`), Number.NaN, wrong)
  }
  assert.equal(withoutParameters('postgres://a/b?lease=2'), 'postgres://a/b')
  assert.equal(withoutParameters('postgres://a/b?lease=2&x=1'), 'postgres://a/b?x=1')
  assert.equal(withoutParameters('postgres://a/b?x=1&lease=2'), 'postgres://a/b?x=1')
})

test('the number of partitions is read from either URL, by its name or its former one', () => {
  const number = (data: string, frontier: string | null = null) => partitionsOf({ data, frontier })
  assert.equal(number('postgres://a/b'), null)
  assert.equal(number('postgres://a/b?partitions=4'), 4)
  assert.equal(number('postgres://a/b?partitions=4', 'redis://c?shards=8'), 8)
  assert.equal(number('postgres://a/b?partitions=4', 'redis://c?lease=3'), 4)
  for (const wrong of ['0', '', '1.5', '1025']) {
    assert.match(
      wrongParameter(`postgres://a/b?partitions=${wrong}`) ?? '',
      /^partitions is/,
      wrong,
    )
  }
  const url = 'postgres://a/b?lease=2&partitions=4&x=1&shards=3'
  assert.equal(withoutParameters(url), 'postgres://a/b?x=1')
  assert.equal(withoutParameters('postgres://a/b?partitions=4&lease=2'), 'postgres://a/b')
})
