import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DEFAULT_SETTINGS } from '../options/settings.ts'
import { maskProxies, refuseMasked, unmaskProxies } from './proxy-secrets.ts'

const GIVEN = ['http://ann:s3cret@p:1', 'http://plain:2', 'https://token@p:3']
const MASKED = ['http://ann:***@p:1', 'http://plain:2', 'https://***@p:3']

test('settings keep proxies without passwords, and are equal whatever those are', () => {
  const { proxies } = maskProxies({ ...DEFAULT_SETTINGS, proxies: GIVEN })
  assert.deepEqual(proxies, MASKED)
  assert.deepEqual(maskProxies({ ...DEFAULT_SETTINGS, proxies: MASKED }).proxies, MASKED)
})

test('a proxy gets its password back from those that are known, and only its own', () => {
  assert.deepEqual(unmaskProxies(MASKED, GIVEN), GIVEN)
  assert.deepEqual(unmaskProxies(MASKED, ['http://bob:s3cret@p:1']), MASKED)
  assert.deepEqual(unmaskProxies(['http://ann:own@p:1'], GIVEN), ['http://ann:own@p:1'])
})

test('a proxy without its password is refused by name', () => {
  refuseMasked({ proxies: GIVEN })
  assert.throws(() => refuseMasked({ proxies: MASKED }), {
    at: '--proxy',
    message: /the password of http:\/\/ann:\*\*\*@p:1 and https:\/\/\*\*\*@p:3 is not kept/,
  })
})
