import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { type TestContext, test } from 'node:test'
import { BadOptions } from '../options/bad-options.ts'
import { parseWords, runWords } from './words.ts'

async function folder(t: TestContext): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'words-'))
  t.after(() => rm(path, { recursive: true }))
  return path
}

async function words(argv: readonly string[], { cwd = '/', stdin = '' } = {}): Promise<string> {
  const around = { cwd, env: {}, cores: 1, isTerminal: stdin === '' }
  const options = await parseWords(argv, around)
  const printed: string[] = []
  const out = { write: async (text: string) => void printed.push(text), warn: () => {} }
  await runWords(options, out, () => Readable.from([Buffer.from(stdin)]))
  return printed.join('')
}

test('a text is shown as words with stems, stop words, families and what a topic looks for', async () => {
  const printed = await words(['penulis', 'menulis dan the ditulis vaksin'])
  assert.match(printed, /^language id, stems of id; 6 different words, 2 stop words$/m)
  assert.match(printed, /^menulis +tulis +1$/m)
  assert.match(printed, /^dan +– +1 +stop word \(id\)$/m)
  assert.match(printed, /^the +– +1 +stop word \(en\)$/m)
  assert.match(printed, /^ {2}tulis: penulis, menulis, ditulis$/m)
  assert.match(printed, /looks for, with weights:\n.*\btulis \d/)
})

test('a text comes from stdin or a file, too, and stop words from a file', async (t) => {
  const cwd = await folder(t)
  await writeFile(join(cwd, 'text.txt'), 'Running runs')
  await writeFile(join(cwd, 'stop.txt'), '# mine\nVaksin\n')
  const file = JSON.parse(await words(['--file', 'text.txt', '--json'], { cwd }))
  assert.deepEqual(file.families, [{ stem: 'run', words: ['running', 'runs'] }])
  const flags = ['--json', '--stop-words', 'stop.txt']
  for (const argv of [flags, ['-', ...flags]]) {
    const read = JSON.parse(await words(argv, { cwd, stdin: 'vaksin imun' }))
    assert.equal(read.words[0].stop_word, 'own')
    assert.deepEqual(
      read.topic.map(({ stem }: { stem: string }) => stem),
      ['imun'],
    )
  }
  assert.match(await words(['vaksin', '--stop-words', 'stop.txt'], { cwd }), /No topic can be made/)
})

test('a text that is too long for a topic of a crawl is no topic here either', async () => {
  const printed = await words(['-'], { stdin: 'vaksin imun '.repeat(1000) })
  assert.match(printed, /^imun +imun +1,?000$/m)
  assert.match(printed, /No topic can be made of it: --topic takes at most 10000 characters/)
})

test('the language decides the stems, and may be named', async () => {
  const stemOf = async (argv: readonly string[]) =>
    JSON.parse(await words([...argv, '--json'])).words[0].stem
  assert.equal(await stemOf(['penelitian', '--language', 'id']), 'teliti')
  assert.equal(await stemOf(['penelitian', '--language', 'en']), 'penelitian')
})

test('a text without words is said to be one, and shown as no table', async () => {
  await assert.rejects(words(['']), /words: the text is empty/)
  await assert.rejects(words([' ', '']), /words: the text is empty/)
  for (const stdin of ['', ' \n', '!?']) {
    assert.equal(await words(['-'], { stdin }), 'there is no word in this text\n')
  }
  assert.deepEqual(JSON.parse(await words(['-', '--json'], { stdin: '' })).words, [])
})

test('what cannot be read is refused, all at once', async (t) => {
  const cwd = await folder(t)
  await assert.rejects(words([]), /give a text/)
  await assert.rejects(words(['a', '--file', 'b'], { cwd }), /not both/)
  const wrong = ['--file', 'none', '--language', 'xx', '--stop-words', 'none']
  await assert.rejects(words(wrong, { cwd }), (error) => {
    assert.ok(error instanceof BadOptions)
    assert.equal(error.problems.length, 3)
    return true
  })
  await writeFile(join(cwd, 'huge'), 'a '.repeat(600_000))
  await assert.rejects(words(['--file', 'huge'], { cwd }), /longer than 1 MiB/)
})
