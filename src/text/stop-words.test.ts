import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import {
  allStopWords,
  isStopWord,
  loadStopWords,
  parseStopWords,
  stopWordsFor,
} from './stop-words.ts'
import { tokens } from './tokens.ts'

const bytes = (text: string) => Buffer.from(text)

test('English and Indonesian have lists, by any form of their tag', () => {
  assert.ok(stopWordsFor('en-GB').has('the'))
  assert.ok(stopWordsFor('id').has('yang'))
  assert.ok(stopWordsFor('in_ID').has('yang'))
  assert.equal(stopWordsFor('de').size, 0)
  assert.equal(stopWordsFor('').size, 0)
})

test('function words of both languages are stop words at once, and the user may add some', () => {
  for (const word of ['dan', 'the', 'apakah', 'itulah', 'adanya', 'walaupun', 'furthermore']) {
    assert.ok(isStopWord(word), word)
  }
  for (const word of ['makalah', 'pengguna', 'vaksin', 'vaccine'])
    assert.ok(!isStopWord(word), word)
  const words = allStopWords(['vaksin'])
  assert.ok(words.has('vaksin') && words.has('dan') && words.has('the'))
  assert.ok(!allStopWords().has('vaksin'))
})

test('every listed word is one that the tokeniser gives', () => {
  for (const language of ['en', 'id']) {
    for (const word of stopWordsFor(language)) assert.deepEqual(tokens(word), [word])
  }
})

test('topics are no stop words', () => {
  for (const word of ['health', 'news', 'time', 'people', 'world']) {
    assert.ok(!stopWordsFor('en').has(word), word)
  }
  for (const word of ['kesehatan', 'berita', 'tahun', 'orang', 'rumah']) {
    assert.ok(!stopWordsFor('id').has(word), word)
  }
})

test('a file has a word per line and remarks', () => {
  const words = parseStopWords(bytes('# mine\nThe\r\n  Und # German\n\n# end'), 'list.txt')
  assert.deepEqual([...words], ['the', 'und'])
})

test('what is no text is refused with its line', () => {
  const broken = Buffer.from([0x61, 0x0a, 0xff, 0xfe, 0x0a])
  assert.throws(() => parseStopWords(broken, 'list.txt'), {
    message: /list\.txt line 2: not UTF-8/,
  })
  assert.throws(() => parseStopWords(bytes('a\nb\nc\0'), 'list.txt'), {
    message: /line 3: not a text/,
  })
})

test('files are loaded, and refused by name when they are missing or huge', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'stop-words-'))
  t.after(() => rm(folder, { recursive: true }))
  const [good, huge] = [join(folder, 'good'), join(folder, 'huge')]
  await writeFile(good, 'kata\nwort\n')
  await writeFile(huge, 'a\n'.repeat(600_000))
  assert.deepEqual([...(await loadStopWords(good))], ['kata', 'wort'])
  await assert.rejects(loadStopWords(huge), { name: 'InvalidInput', at: huge, message: /1 MiB/ })
  await assert.rejects(loadStopWords(join(folder, 'none')), {
    name: 'InvalidInput',
    message: /none/,
  })
  await assert.rejects(loadStopWords(folder), { name: 'InvalidInput' })
})
