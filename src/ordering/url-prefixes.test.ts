import assert from 'node:assert/strict'
import { test } from 'node:test'
import { urlOf } from '../../test/ordering/steer-crawl.ts'
import { hubOf, placesOf } from './url-prefixes.ts'

test('pages of one directory share its place, and all pages of a host that of the host', () => {
  const [host, directory, subdirectory] = placesOf(urlOf('http://a.test/one/two/x.html'))
  assert.deepEqual(placesOf(urlOf('http://a.test/one/two/y?z=/three/')), [
    host,
    directory,
    subdirectory,
  ])
  const sibling = placesOf(urlOf('http://a.test/one/other/x.html'))
  assert.deepEqual(sibling.slice(0, 2), [host, directory])
  assert.notEqual(sibling[2], subdirectory)
  assert.notEqual(placesOf(urlOf('http://b.test/one/two/x.html'))[0], host)
})

test('the places of a page above all directories are three different ones', () => {
  const places = placesOf(urlOf('http://a.test/'))
  assert.equal(new Set(places).size, 3)
  assert.deepEqual(placesOf(urlOf('http://a.test/x?q=/a/b/')), places)
})

test('a directory is not taken for another whose name starts like it', () => {
  const [, one] = placesOf(urlOf('http://a.test/one/x'))
  const [, ones] = placesOf(urlOf('http://a.test/ones/x'))
  assert.notEqual(one, ones)
})

test('places are 32-bit numbers and never 0', () => {
  for (let id = 0; id < 2000; id++) {
    for (const place of [hubOf(id), ...placesOf(urlOf(`http://${id}.test/${id}/${id}/`))]) {
      assert.ok(Number.isInteger(place) && place > 0 && place < 2 ** 32)
    }
  }
})
