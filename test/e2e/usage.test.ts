// What a user's mistake gets: a clear line, an exit code of its own, and never a stack trace.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { jelajah, temporaryFolder } from './crawling.ts'

const MISTAKES: readonly {
  readonly args: readonly string[]
  readonly code: number
  readonly says: RegExp
}[] = [
  { args: [], code: 2, says: /crawl/ },
  { args: ['crwal', 'http://a.test'], code: 2, says: /did you mean 'jelajah crawl'/ },
  { args: ['crawl'], code: 2, says: /seed/ },
  { args: ['crawl', 'http://a.test', '--max-page', '3'], code: 2, says: /--max-pages/ },
  { args: ['crawl', 'http://a.test', '--max-pages', 'many'], code: 2, says: /max-pages/ },
  { args: ['crawl', 'http://a.test', '--delay=-1'], code: 2, says: /delay/ },
  { args: ['crawl', 'ftp://a.test/'], code: 2, says: /ftp:\/\/a.test/ },
  { args: ['crawl', 'http://a.test', '--ordering', 'best'], code: 2, says: /breadth-first/ },
  { args: ['crawl', 'http://a.test', '--connect-to', 'x'], code: 2, says: /PATTERN=ADDR:PORT/ },
  { args: ['crawl', 'http://a.test', '--topic', 'x'], code: 2, says: /not available/ },
  { args: ['crawl', 'http://a.test', '--data', '/proc/none'], code: 8, says: /\/proc\/none/ },
  { args: ['pages', '--data', '/nonexistent'], code: 2, says: /nonexistent/ },
  { args: ['parse'], code: 2, says: /a file, a URL/ },
  { args: ['parse', '-', '--parts', 'legs'], code: 2, says: /links, images/ },
  { args: ['explain', 'not a url', '--data', '/nonexistent'], code: 2, says: /not a url/ },
]

for (const { args, code, says } of MISTAKES) {
  test(`'jelajah ${args.join(' ')}' ends with ${code} and says what to do`, async () => {
    const { code: got, stderr } = await jelajah(args).ended
    assert.match(stderr, says)
    assert.equal(got, code)
    assert.doesNotMatch(stderr, /\n\s+at /, 'no stack trace')
  })
}

test('all bad options are reported at once', async () => {
  const args = ['crawl', 'http://a.test', '--delay', 'x', '--scope', 'moon', '--retries', '-2']
  const { code, stderr } = await jelajah(args).ended
  assert.equal(code, 2)
  for (const name of ['delay', 'scope', 'retries']) assert.match(stderr, new RegExp(name))
})

test('a file that is not ours is refused as a data folder', async () => {
  await using folder = await temporaryFolder()
  writeFileSync(
    join(folder.path, 'jelajah.db'),
    'this is no database, but it is long enough'.repeat(50),
  )
  const { code, stderr } = await jelajah(['crawl', 'http://a.localhost/', '--data', folder.path])
    .ended
  assert.notEqual(code, 0)
  assert.match(stderr, /damaged or not a database/)
  assert.doesNotMatch(stderr, /\n\s+at /)
})
