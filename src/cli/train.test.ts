import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { BadOptions } from '../options/bad-options.ts'
import { parseClassify } from './classify.ts'
import { parseTrain } from './train.ts'

const cwd = mkdtempSync(join(tmpdir(), 'jelajah-train-'))
after(() => rmSync(cwd, { recursive: true }))
writeFileSync(join(cwd, 'texts.jsonl'), '')
writeFileSync(join(cwd, 'model.json'), '')
mkdirSync(join(cwd, 'folder'))

const AROUND = { cwd, env: { JELAJAH_DATA: '/elsewhere' }, cores: 1 }
const train = (...argv: string[]) => parseTrain(argv, AROUND)
const classify = (...argv: string[]) => parseClassify(argv, AROUND)

async function refuses(parse: () => unknown, says: readonly RegExp[]): Promise<void> {
  await assert.rejects(
    async () => parse(),
    (error) => {
      assert.ok(error instanceof BadOptions && error.byFlag, String(error))
      for (const line of says) assert.match(error.message, line)
      return true
    },
  )
}

test('training takes a file or stdin, and has defaults', async () => {
  const { texts, out, folds, language, seed } = await train('texts.jsonl', '--out', 'new.json')
  assert.deepEqual(texts, { path: join(cwd, 'texts.jsonl'), name: 'texts.jsonl' })
  assert.deepEqual([out, folds, language, seed], [join(cwd, 'new.json'), 5, null, 1])
  assert.deepEqual((await train('-', '--out', 'new.json')).texts, { path: null, name: 'stdin' })
})

test('a language is a tag, or none', async () => {
  const languageOf = async (tag: string) =>
    (await train('-', '--out', 'x', '--language', tag)).language
  const tags = ['id', 'en-GB', 'none']
  assert.deepEqual(await Promise.all(tags.map(languageOf)), ['id', 'en-GB', ''])
  await refuses(() => languageOf('indonesian language'), [/needs one of .*, or none/])
})

test('stop words come from a file', async () => {
  writeFileSync(join(cwd, 'stop.txt'), '# mine\nGratis\n')
  const { stopWords } = await train('-', '--out', 'x', '--stop-words', 'stop.txt')
  assert.deepEqual(stopWords, ['Gratis'])
  await refuses(() => train('-', '--out', 'x', '--stop-words', 'none'), [/none does not exist/])
})

test('a file that is there is only replaced by force', async () => {
  await refuses(() => train('-', '--out', 'model.json'), [/there already; --force/])
  const { out } = await train('-', '--out', 'model.json', '--force')
  assert.equal(out, join(cwd, 'model.json'))
})

test('what training cannot do is refused, all of it at once', async () => {
  await refuses(() => train(), [/give a file with lines/, /--out FILE/])
  await refuses(() => train('missing.jsonl', '--out', 'no/where/x'), [/no such file/, /no folder/])
  await refuses(
    () => train('folder', '--out', 'folder'),
    [/is a folder; give a file/, /is a folder; name a file$/m],
  )
  await refuses(() => train('-', 'more', '--out', 'x', '--folds', '1'), [/too many/, /--folds/])
})

test('what is classified is a file, stdin, a text or a crawl', () => {
  const sourceOf = (...argv: string[]) => classify(...argv, '--model', 'model.json').source
  const path = join(cwd, 'texts.jsonl')
  assert.deepEqual(sourceOf('texts.jsonl'), { kind: 'file', path, name: 'texts.jsonl' })
  assert.deepEqual(sourceOf('-'), { kind: 'file', path: null, name: 'stdin' })
  assert.deepEqual(sourceOf('a text'), { kind: 'text', text: 'a text' })
  assert.deepEqual(sourceOf('two', 'words'), { kind: 'text', text: 'two words' })
  assert.deepEqual(sourceOf('--data', 'folder', '--host', 'a.test'), {
    kind: 'crawl',
    dataDir: join(cwd, 'folder'),
    crawl: null,
    host: 'a.test',
  })
})

test('a word that is no file is refused with how it is classified as a text', async () => {
  await refuses(
    () => classify('vaksin', '--model', 'model.json'),
    [/vaksin: there is no such file; one word is taken for a file; .* add a space: 'vaksin '$/m],
  )
  const { source } = classify('vaksin ', '--model', 'model.json')
  assert.deepEqual(source, { kind: 'text', text: 'vaksin ' })
})

test('what classify cannot do is refused, all of it at once', async () => {
  const nothing = () => parseClassify([], { ...AROUND, env: {} })
  await refuses(nothing, [/give a file, a text/])
  await refuses(() => classify('gone.jsonl', '--model', 'gone.json'), [/gone.jsonl/, /gone.json:/])
  await refuses(() => classify('-', '--model', 'model.json', '--crawl', '1'), [/is for --data/])
  await refuses(() => classify('x y', '--data', 'folder', '--model', 'model.json'), [/not both/])
  await refuses(() => classify('-', '--model', 'model.json', '--method', 'guess'), [/naive-bayes/])
  await refuses(() => classify('--data', 'model.json', '--model', 'model.json'), [/not a folder/])
})
