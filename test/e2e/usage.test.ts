// What a user's mistake gets: a clear line, an exit code of its own, and never a stack trace.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { jelajah, temporaryFolder } from './crawling.ts'
import { runHere } from './in-process.ts'

const MISTAKES: readonly {
  readonly args: readonly string[]
  readonly code: number
  readonly says: RegExp
}[] = [
  { args: [], code: 2, says: /crawl/ },
  { args: ['crwal', 'http://a.test'], code: 2, says: /did you mean 'jelajah crawl'/ },
  { args: ['--data', 'x', 'crawl'], code: 2, says: /--data: the command comes first/ },
  { args: ['crawl'], code: 2, says: /seed/ },
  { args: ['crawl', 'http://a.test', '--max-page', '3'], code: 2, says: /--max-pages/ },
  {
    args: ['crawl', 'http://a.test', '—max-pages', '3'],
    code: 2,
    says: /did you mean --max-pages/,
  },
  { args: ['crawl', 'http://a.test', '--max-pages', 'many'], code: 2, says: /max-pages/ },
  { args: ['crawl', 'http://a.test', '--delay=-1'], code: 2, says: /delay/ },
  {
    args: ['crawl', 'http://a.test', '--max-pages', '99999999999999999999'],
    code: 2,
    says: /from 1 to 9007199254740991/,
  },
  { args: ['crawl', 'ftp://a.test/'], code: 2, says: /ftp:\/\/a.test/ },
  { args: ['crawl', 'http://a.test', '--ordering', 'best'], code: 2, says: /breadth-first/ },
  { args: ['crawl', 'http://a.test', '--connect-to', 'x'], code: 2, says: /PATTERN=ADDR:PORT/ },
  { args: ['crawl', '--refresh', '--data', '/nonexistent'], code: 2, says: /no folder \/nonex/ },
  { args: ['crawl', 'http://a.test', '--topic', 'the and of'], code: 2, says: /only stop words/ },
  { args: ['crawl', 'http://a.test', '--keywords', '...'], code: 2, says: /no letters or digits/ },
  { args: ['crawl', 'http://a.test', '--keywords', '太'], code: 2, says: /without spaces/ },
  { args: ['crawl', 'http://a.test', '--min-relevance', '0.5'], code: 2, says: /needs a topic/ },
  { args: ['crawl', 'http://a.test', '--max-hot', '5'], code: 2, says: /--importance/ },
  { args: ['crawl', 'http://a.test', '--harvest-floor', '5'], code: 2, says: /needs a topic/ },
  { args: ['crawl', 'http://a.test', '--examples', '/none.txt'], code: 2, says: /does not exist/ },
  {
    args: ['crawl', 'http://a.test', '--classifier', '/none.json'],
    code: 2,
    says: /does not exist/,
  },
  { args: ['crawl', 'http://a.test', '--importance', 'beauty'], code: 2, says: /pagerank/ },
  {
    args: ['crawl', 'http://a.test', '--ordering-option', 'x=1'],
    code: 2,
    says: /breadth-first has no option "x"/,
  },
  { args: ['pages', '--min-relevance', '7', '--data', '/none'], code: 2, says: /from 0 to 1/ },
  { args: ['crawl', 'http://a.test', '--data', '/proc/none'], code: 8, says: /\/proc\/none/ },
  { args: ['pages', '--data', '/nonexistent'], code: 2, says: /nonexistent/ },
  { args: ['parse'], code: 2, says: /a file, a URL/ },
  { args: ['parse', '-', '--parts', 'legs'], code: 2, says: /links, images/ },
  { args: ['explain', 'not a url', '--data', '/nonexistent'], code: 2, says: /not a url/ },
]

for (const { args, code, says } of MISTAKES) {
  test(`'jelajah ${args.join(' ')}' ends with ${code} and says what to do`, async () => {
    const { code: got, stderr } = await runHere(args)
    assert.match(stderr, says)
    assert.equal(got, code)
    assert.doesNotMatch(stderr, /\n\s+at /, 'no stack trace')
  })
}

test('a mistake ends the process with its exit code, and stdout stays empty', async () => {
  const { code, stdout, stderr } = await jelajah(['crawl', 'http://a.test', '--max-page', '3'])
    .ended
  assert.deepEqual([code, stdout], [2, ''])
  assert.match(stderr, /^jelajah: --max-page: .*--max-pages\?\n$/)
})

test('a temporary folder that is not there is said in one line', async () => {
  await using folder = await temporaryFolder()
  const args = ['crawl', 'http://127.0.0.1:1/', '--data', folder.path]
  const { code, stderr } = await jelajah(args, { env: { TMPDIR: join(folder.path, 'none') } }).ended
  assert.equal(code, 8)
  assert.match(
    stderr,
    /^jelajah: no folder can be created in .*none \(ENOENT\): set TMPDIR to .*\n$/,
  )
})

test('all bad options are reported at once', async () => {
  const args = ['crawl', 'http://a.test', '--delay', 'x', '--scope', 'moon', '--retries', '-2']
  const { code, stderr } = await runHere(args)
  assert.equal(code, 2)
  for (const name of ['delay', 'scope', 'retries']) assert.match(stderr, new RegExp(name))
})

test('a model that is none, is of another version, or has labels to choose from is refused', async () => {
  await using folder = await temporaryFolder()
  const file = join(folder.path, 'model.json')
  const args = ['crawl', 'http://a.test', '--classifier', file, '--data', folder.path]
  const says = async (json: string, ...more: string[]) => {
    writeFileSync(file, json)
    const { code, stderr } = await runHere([...args, ...more])
    assert.equal(code, 2)
    assert.doesNotMatch(stderr, /\n\s+at /)
    return stderr
  }
  assert.match(await says('no json'), /is not JSON/)
  assert.match(await says('{"labels": []}'), /is not a model/)
  assert.match(await says('{"format": "jelajah-model", "version": 99}'), /version 99/)
  const labels = ['cats', 'dogs', 'owls'].map((label) => ({ label, texts: 5, bias: 0 }))
  const reading = { language: 'en', stop_words: 'dropped', word_parts: false }
  const terms = [['whisker', 4, [4, 1, 0], [1, -1, 0]]]
  const head = { format: 'jelajah-model', version: 1, smoothing: 1, pruned_terms: 0 }
  const model = JSON.stringify({ ...head, reading, labels, terms })
  assert.match(await says(model), /tells these apart: cats, dogs, owls; say which with --topic/)
  assert.match(await says(model, '--topic', 'fish'), /not "fish".*has: cats, dogs, owls/)
  assert.match(await says(model, '--topic', 'cats,dogs,owls'), /all labels/)
  assert.match(
    await says(model, '--topic', 'cats', '--keywords', 'a'),
    /--keywords: cannot be used/,
  )
})

test('a file that is not ours is refused as a data folder', async () => {
  await using folder = await temporaryFolder()
  writeFileSync(
    join(folder.path, 'jelajah.db'),
    'this is no database, but it is long enough'.repeat(50),
  )
  const { code, stderr } = await runHere(['crawl', 'http://a.localhost/', '--data', folder.path])
  assert.notEqual(code, 0)
  assert.match(stderr, /jelajah\.db is damaged \(file is not a database\)\. Put back a copy/)
  assert.doesNotMatch(stderr, /\n\s+at /)
})
