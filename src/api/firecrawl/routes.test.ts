import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InvalidInput } from '../../core/errors.ts'
import { parseQuery } from '../../search/query.ts'
import { readBody } from './requests.ts'
import { sitesOf } from './routes.ts'

test('a page of any of the domains is found', () => {
  const { all } = parseQuery(`${sitesOf(['a.test', 'b.test'])} tea`)
  const sites = all.find((terms) => terms.some(({ fields }) => fields?.includes('host')))
  assert.equal(all.length, 2)
  assert.equal(sites?.length, 2)
  assert.equal(sitesOf(undefined), '')
})

test('a field that every object has is refused as any other', () => {
  for (const name of ['constructor', 'toString']) {
    assert.throws(() => readBody({ [name]: 1 }, []), /is not done here: there is nothing like it/)
  }
})

test('a domain is a name of a host, and no query', () => {
  assert.throws(() => sitesOf(['a.test OR b']), InvalidInput)
})
