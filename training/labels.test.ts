import assert from 'node:assert/strict'
import { test } from 'node:test'
import { wordsOf } from '../bench/extraction/words.ts'
import { labelsOfSnippets, labelsOfText } from './labels.ts'
import { seededRandom } from './random.ts'

const FIRST = 'The harbour opened again on Monday after the storm had blocked it for nine days.'
const SECOND =
  'Fishermen said that the news came late, but that their boats had never been in danger.'
const THIRD = 'Prices on the market are expected to fall before the end of the week.'

test('the blocks of the truth are found and the rest is not', () => {
  const page = ['Home News Contact', FIRST, SECOND, 'All rights reserved', THIRD]
  assert.deepEqual(sharesOf(page, [FIRST, SECOND, THIRD]), [0, 1, 1, 0, 1])
})

test('a menu that uses words of the text is not content', () => {
  const page = [
    'News',
    'Market',
    'Prices',
    'The week',
    'Boats',
    FIRST,
    SECOND,
    THIRD,
    'News',
    'Market',
  ]
  assert.deepEqual(sharesOf(page, [FIRST, SECOND, THIRD]), [0, 0, 0, 0, 0, 1, 1, 1, 0, 0])
})

test('parts told in another order are found all the same', () => {
  const page = ['Menu', FIRST, 'Advertisement', SECOND, THIRD, 'Footer']
  assert.deepEqual(sharesOf(page, [THIRD, FIRST, SECOND]), [0, 1, 0, 1, 1, 0])
})

test('a teaser that repeats a sentence loses it to the article', () => {
  const teaser = FIRST.split(' ').slice(0, 8).join(' ')
  const page = [teaser, 'Menu', FIRST, SECOND, THIRD, teaser]
  assert.deepEqual(sharesOf(page, [FIRST, SECOND, THIRD]), [0, 0, 1, 1, 1, 0])
})

test('a paragraph that is twice in the page and once in the truth is found once', () => {
  const page = [FIRST, SECOND, 'Menu', SECOND, THIRD]
  assert.equal(total(sharesOf(page, [FIRST, SECOND, THIRD])), 3)
  assert.deepEqual(sharesOf([FIRST, SECOND, SECOND], [FIRST, SECOND, SECOND]), [1, 1, 1])
})

test('a short heading between found paragraphs is found, its twin in the menu is not', () => {
  const page = ['Prices', 'Boats', FIRST, 'Boats', SECOND, 'Prices', THIRD]
  assert.deepEqual(sharesOf(page, [FIRST, 'Boats', SECOND, 'Prices', THIRD]), [0, 0, 1, 1, 1, 1, 1])
})

test('a heading at the very beginning and a line at the very end are found', () => {
  const page = ['Menu', 'Harbour open', FIRST, SECOND, 'See you', 'Imprint']
  assert.deepEqual(sharesOf(page, ['Harbour open', FIRST, SECOND, 'See you']), [0, 1, 1, 1, 1, 0])
})

test('an advertisement between paragraphs does not live on the small words of a gap', () => {
  const advertisement = 'Buy the best of all the boats in the world from a shop on the hill'
  const changed = SECOND.replace('the news came late', 'nobody on the quay of the town was told')
  const shares = sharesOf([FIRST, advertisement, SECOND, THIRD], [FIRST, changed, THIRD])
  assert.equal(shares[1], 0)
  assert.ok(shares[2]! > 0.7 && shares[2]! < 1)
})

test('a block that is content in part has a share between', () => {
  const [share] = sharesOf(
    [`${FIRST} Share this on all the networks that you are on today now`],
    [FIRST],
  )
  assert.ok(share! > 0.5 && share! < 0.7)
})

test('short items of a list are found by what stands around them', () => {
  const items = ['Red lamp', '12 euro', 'Green lamp', '14 euro', 'Blue chair', '90 euro']
  const page = ['Lamp', 'Chair', 'Basket', ...items, 'Lamp', 'Help']
  assert.deepEqual(sharesOf(page, items), [0, 0, 0, 1, 1, 1, 1, 1, 1, 0, 0])
})

test('a truth of a few words is found where the page has it', () => {
  assert.deepEqual(sharesOf(['Menu', 'Not found', 'Help'], ['Not found']), [0, 1, 0])
})

test('no word of the truth is used twice', () => {
  const random = seededRandom(11)
  const vocabulary = ['a', 'b', 'c', 'd', 'e', 'f']
  const text = (length: number) =>
    Array.from({ length }, () => vocabulary[Math.floor(random() * vocabulary.length)]!)
  for (let round = 0; round < 50; round++) {
    const blocks = Array.from({ length: 12 }, () => text(Math.floor(random() * 9)))
    const truth = text(20)
    const { shares, words } = labelsOfText(blocks, truth)
    const found = shares.reduce((sum, share, i) => sum + Math.round(share * words[i]!), 0)
    assert.ok(found <= truth.length)
    assert.ok(shares.every((share) => share >= 0 && share <= 1))
  }
})

test('scripts without spaces are matched by character', () => {
  const text = '台風の後、港は月曜日に再び開かれた。'
  assert.deepEqual(sharesOf(['ニュース', text, '会社概要'], [text]), [0, 1, 0])
})

test('nothing in, nothing out', () => {
  assert.deepEqual(sharesOf([], [FIRST]), [])
  assert.deepEqual(sharesOf(['', FIRST], []), [0, 0])
})

test('pages that repeat themselves without end are aligned in bounded steps', () => {
  const same = Array.from({ length: 30_000 }, () => 'tick')
  const turns = Array.from({ length: 30_000 }, (_, i) => ['tick', 'tack', 'tock'][i % 3]!)
  for (const words of [same, turns]) {
    const { shares } = labelsOfText([words, words.slice(0, 100)], words)
    assert.ok(shares.every((share) => share >= 0 && share <= 1))
  }
})

test('snippets label the blocks they are in and leave the others open', () => {
  const blocks = ['Menu', FIRST, SECOND, 'Share this', THIRD]
  const labels = labelsOfSnippets(blocks, { with: ['blocked it  for'], without: ['Share this'] })
  assert.deepEqual([...labels], [NaN, 1, NaN, 0, NaN])
})

test('a snippet over several blocks labels each of them', () => {
  const blocks = ['Boats', 'in', 'danger again', 'Menu']
  const labels = labelsOfSnippets(blocks, { with: ['Boats in danger'], without: [] })
  assert.deepEqual([...labels], [1, 1, 1, NaN])
})

test('of the places of a wanted snippet the longest block counts, of an unwanted one all', () => {
  const blocks = ['The storm', 'The storm had blocked it', 'Share', 'Share']
  const labels = labelsOfSnippets(blocks, { with: ['The storm'], without: ['Share'] })
  assert.deepEqual([...labels], [NaN, 1, 0, 0])
})

test('a block that is claimed both ways stays open', () => {
  const labels = labelsOfSnippets([FIRST], { with: ['The harbour'], without: ['nine days'] })
  assert.deepEqual([...labels], [NaN])
})

test('words are letters, digits and the underscore, in any script', () => {
  assert.deepEqual(wordsOf("It's 3.5 km_h, né?"), ['It', 's', '3', '5', 'km_h', 'né'])
  assert.deepEqual(wordsOf('港x1は 開'), ['港', 'x1', 'は', '開'])
  assert.deepEqual(wordsOf('港x1は', false), ['港x1は'])
})

function sharesOf(blocks: readonly string[], truth: readonly string[]): number[] {
  const words = (text: string) => wordsOf(text.toLowerCase())
  return [...labelsOfText(blocks.map(words), truth.flatMap(words)).shares]
}

function total(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0)
}
