import assert from 'node:assert/strict'
import { test } from 'node:test'
import { urlOf } from '../../test/ordering/ordering-run.ts'
import { hubOf, PrefixTable, placesOf } from './prefix-table.ts'

test('a place has what was added to it', () => {
  const table = new PrefixTable(4)
  table.learn(7, 1, 0.5)
  table.learn(7, 0.75, 0.25)
  assert.equal(table.observed(7), 1.75)
  assert.equal(table.expected(7), 0.75)
  // ln((1.75 + 0.25) / (0.75 + 0.25)).
  assert.equal(table.logRatio(7, 0.25), Math.log(2))
})

test('a place where nothing was seen is neither good nor bad', () => {
  assert.equal(new PrefixTable(4).logRatio(7, 0.5), 0)
})

test('where too many places meet, the one that least is known of makes room', () => {
  const table = new PrefixTable(3)
  // All of these start at slot 1 of 8 and may use slots up to 4.
  const places = [1, 9, 17, 25]
  places.forEach((place, at) => {
    table.learn(place, 1, at === 2 ? 0.5 : 4)
  })
  table.learn(33, 1, 1)
  assert.equal(table.expected(17), 0)
  assert.equal(table.expected(33), 1)
  for (const place of [1, 9, 25]) assert.equal(table.expected(place), 4)
})

test('a place that was better than expected is known as well as one that was worse', () => {
  const table = new PrefixTable(3)
  table.learn(1, 5, 0.25)
  for (const place of [9, 17, 25]) table.learn(place, 0, 1)
  table.learn(33, 1, 1)
  assert.equal(table.observed(1), 5)
})

test('what is saved comes back, and bytes that were not saved do no harm', () => {
  const table = new PrefixTable(8)
  for (let place = 1; place < 100; place++) table.learn(place * 2_654_435, place / 4, 0.5)
  const again = new PrefixTable(8)
  again.load(table.save())
  for (let place = 1; place < 100; place++) {
    const at = place * 2_654_435
    assert.equal(again.observed(at), table.observed(at))
    assert.equal(again.logRatio(at, 0.5), table.logRatio(at, 0.5))
  }
  const odd = new PrefixTable(4)
  odd.load(new Uint8Array(40).fill(0xff))
  odd.load(new Uint8Array(5))
  assert.equal(odd.save().length, 0)
})

test('loading replaces what the table knew: loading twice equals loading once', () => {
  const table = new PrefixTable(4)
  for (const place of [3, 19, 8]) table.learn(place, place / 4, 0.5)
  const saved = table.save()
  const again = new PrefixTable(4)
  again.learn(5, 2, 1)
  again.load(saved)
  again.load(saved)
  assert.deepEqual(again.save(), saved)
  assert.equal(again.observed(3), 0.75)
  assert.equal(again.expected(5), 0)
  again.load(new Uint8Array(0))
  assert.equal(again.save().length, 0)
})

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
