import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cachedStemmer, english, indonesian, stemmerFor } from './stem.ts'
import { MAX_WORD, type Stemmer } from './text.ts'

function check(stem: Stemmer, pairs: string): void {
  for (const pair of pairs.trim().split(/\s+/)) {
    const [word = '', expected = ''] = pair.split(':')
    assert.equal(stem(word), expected, word)
  }
}

test('the English stemmer takes endings off and knows the exceptions', () => {
  check(
    english,
    `generously:generous general:general communities:communiti news:news skies:sky dying:die
    vying:vie ties:tie cries:cri gas:gas this:this kiwis:kiwi added:add egging:egg inning:inning
    evening:evening succeeded:succeed university:universiti organization:organiz
    international:internat apologists:apolog internal:internal hoping:hope hopping:hop
    luxuriated:luxuri youth:youth boy's:boy boys':boy only:onli day:day by:by easily:easili
    rationally:ration past:past pasted:paste`,
  )
})

test('a language tag chooses the stemmer, and others leave words alone', () => {
  assert.equal(stemmerFor('en-US')('running'), 'run')
  assert.equal(stemmerFor('id')('kesehatan'), 'sehat')
  assert.equal(stemmerFor('in')('kesehatan'), 'sehat')
  assert.equal(stemmerFor('ms')('kebersihan'), 'bersih')
  assert.equal(stemmerFor('de')('Häuser'), 'Häuser')
  assert.equal(stemmerFor('')('running'), 'running')
})

test('no stemmer makes a word longer by more than a letter or throws on odd input', () => {
  const odd = [
    '',
    'y',
    'yy',
    "'",
    "'s'",
    's',
    'ing',
    'eed',
    'meny',
    'ke',
    '\0',
    '\ud800ing',
    'ñandúes',
  ]
  let seed = 3
  const parts = [
    'a',
    'y',
    'ing',
    'ed',
    'ies',
    'ation',
    'me',
    'ny',
    'ber',
    'kan',
    'i',
    'l',
    'll',
    "'s",
  ]
  for (let round = 0; round < 3000; round++) {
    let word = ''
    for (let left = 6; left > 0; left--) {
      seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
      word += parts[(seed >>> 8) % parts.length]
    }
    odd.push(word)
  }
  for (const word of odd) {
    for (const stem of [english, indonesian]) {
      assert.ok(stem(word).length <= word.length + 1, word)
      assert.equal(stem(word), stem(word))
    }
  }
})

test('a word is stemmed once, and answers are the stemmer’s', () => {
  let calls = 0
  const stem = cachedStemmer((word) => {
    calls++
    return word.slice(0, 3)
  })
  for (let round = 0; round < 3; round++) {
    assert.equal(stem('running'), 'run')
    assert.equal(stem('a-word-that-is-long'), 'a-w')
  }
  assert.equal(calls, 2)
})

test('words in use stay while thousands pass, and memory stays bounded', () => {
  let calls = 0
  const stem = cachedStemmer((word) => {
    calls++
    return word
  }, 100)
  stem('common')
  for (let at = 0; at < 10_000; at++) {
    stem(`rare${at}`)
    if (at % 20 === 0) stem('common')
  }
  assert.equal(calls, 10_001)
  stem('rare0')
  assert.equal(calls, 10_002)
})

test('a word past all words is left as it is and not remembered', () => {
  const long = 'x'.repeat(MAX_WORD + 1)
  assert.equal(cachedStemmer(() => 'no')(long), long)
})

test('an empty stem is an answer too', () => {
  let calls = 0
  const stem = cachedStemmer(() => {
    calls++
    return ''
  })
  assert.equal(stem('s') + stem('s'), '')
  assert.equal(calls, 1)
})
