import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type CommonWord, CommonWords, mayBeCommon, newlyCommon } from './common-words.ts'

const NEVER = Number.POSITIVE_INFINITY

/** As an index does, when so many of all pages have these words. */
function found(common: CommonWords, pages: Readonly<Record<string, number>>, all: number) {
  const counted = Object.entries(pages).map(([word, pages]) => ({ word, pages }))
  const words = newlyCommon(common, counted, { pages: all, next: all })
  for (const word of words) common.add(word)
  return words
}

test('two words are a pair if about one page in sixteen would have both', () => {
  const common = new CommonWords()
  found(common, { coffee: 990, house: 500, roast: 260, cup: 130, bean: 70, husk: 40 }, 1000)
  const pairs = (word: string) =>
    ['coffee', 'house', 'roast', 'cup', 'bean', 'husk'].filter(
      (other) => common.pairedFrom(word, other) < NEVER,
    )
  assert.deepEqual(pairs('coffee'), ['coffee', 'house', 'roast', 'cup', 'bean'])
  assert.deepEqual(pairs('house'), ['coffee', 'house', 'roast', 'cup'])
  assert.deepEqual(pairs('roast'), ['coffee', 'house', 'roast'])
  assert.deepEqual(pairs('bean'), ['coffee'])
  assert.deepEqual(pairs('husk'), [])
})

test('a pair is a term from the page on at which both words were common enough', () => {
  const common = new CommonWords()
  found(common, { coffee: 400, house: 90 }, 1000)
  assert.equal(common.pairedFrom('coffee', 'house'), NEVER, 'too rare together')
  found(common, { coffee: 1900, house: 180 }, 2000)
  assert.equal(common.pairedFrom('coffee', 'house'), 2000)
  assert.equal(common.pairedFrom('coffee', 'coffee'), 1000, 'it was common enough for itself')
  found(common, { coffee: 1900, house: 3000 }, 4000)
  assert.equal(common.pairedFrom('house', 'coffee'), 2000, 'no pair becomes rare again')
  assert.equal(common.pairedFrom('of', 'the'), 0, 'stop words are pairs in any index')
})

test('a list that is read again is the same', () => {
  const [common, rows]: [CommonWords, CommonWord[]] = [new CommonWords(), []]
  rows.push(...found(common, { leaf: 100, bowl: 400 }, 1000))
  rows.push(...found(common, { leaf: 900, bowl: 2000, cover: 1000 }, 2000))
  const again = new CommonWords(rows.toReversed())
  for (const one of ['leaf', 'bowl', 'cover']) {
    for (const other of ['leaf', 'bowl', 'cover']) {
      assert.equal(again.pairedFrom(one, other), common.pairedFrom(one, other), `${one} ${other}`)
    }
    assert.equal(again.levelOf(one), common.levelOf(one))
  }
})

test('a list has a few hundred words, the most common ones', () => {
  const common = new CommonWords()
  const words = Array.from({ length: 2000 }, (_, nth) => [`word${nth}`, 2000 + nth] as const)
  found(common, Object.fromEntries(words), 4000)
  assert.equal(common.size, 500)
  assert.ok(common.has('word1999') && !common.has('word0'))
  assert.deepEqual(found(common, { word0: 5000 }, 5000), [], 'none leaves')
  found(common, { word1999: 5000 }, 5000)
  assert.equal(common.levelOf('word1999'), 0, 'those that are there may become more common')
})

test('only words of a batch are looked up that may have become common', () => {
  const common = new CommonWords([{ word: 'leaf', level: 0, since: 10 }])
  const counted = [
    { word: 'husk', pages: 1 },
    { word: 'cover', pages: 20 },
    { word: 'leaf', pages: 99 },
    { word: 'bowl', pages: 30 },
  ]
  const asked = mayBeCommon(common, counted, 100).map(({ word }) => word)
  assert.deepEqual(asked, ['bowl', 'cover'])
})

test('a full list has room again when the index has doubled', () => {
  const common = new CommonWords()
  const rubbish = Array.from({ length: 600 }, (_, nth) => [`rubbish${nth}`, 9000] as const)
  found(common, Object.fromEntries(rubbish), 9000)
  assert.equal(common.size, 500)
  assert.deepEqual(found(common, { leaf: 16_000 }, 16_000), [])
  const words = Array.from({ length: 200 }, (_, nth) => [`word${nth}`, 17_000 - nth] as const)
  assert.equal(found(common, Object.fromEntries(words), 17_000).length, 100)
})

test('pages that went make no word rarer', () => {
  const counted = [{ word: 'leaf', pages: 900 }]
  const [leaf] = newlyCommon(new CommonWords(), counted, { pages: 1000, next: 9000 })
  assert.deepEqual(leaf, { word: 'leaf', level: 0, since: 9000 })
})

test('the list is looked at each time an index has grown by a sixteenth, once it has some thousand pages', () => {
  const common = new CommonWords([{ word: 'leaf', level: 0, since: 10 }])
  assert.ok(!common.isDue(8000, 8100))
  assert.ok(common.isDue(8000, 8500))
  assert.ok(common.isDue(0, 100_000))
  assert.ok(!common.isDue(8192, 8193))
  let times = 0
  for (let pages = 0; pages < 1_000_000; pages += 100)
    times += Number(common.isDue(pages, pages + 100))
  assert.ok(times > 70 && times < 90, `${times} times`)
})

test('an index that has grown large without a list gets one with its next pages', () => {
  assert.ok(new CommonWords().isDue(100_000, 100_001))
  assert.ok(!new CommonWords().isDue(8000, 8100))
})
