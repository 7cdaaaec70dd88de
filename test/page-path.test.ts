// How long the way of a page through the sources is. A budget that only goes down.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { filesOfOnePage } from '../scripts/count-files.ts'

/** Files that one tiny page passes; `sh scripts/count-files` lists them and says what is counted. */
const MAX_FILES = 161

test('a tiny page passes no more files than it did', async (t) => {
  let files = await filesOfOnePage()
  // What timers do can look like a page's work on a busy machine, but not in two measurements alike.
  if (files.length > MAX_FILES) {
    const again = new Set(await filesOfOnePage())
    files = files.filter((file) => again.has(file))
  }
  // Fewer than this would mean that a process was not measured.
  for (const needed of [/^scouter\//, /^parser\//, /^frontier\//, /^store\//]) {
    assert.ok(
      files.some((file) => needed.test(file)),
      `no file of ${needed} was measured`,
    )
  }
  t.diagnostic(`a tiny page passes ${files.length} files, ${MAX_FILES} are allowed`)
  assert.ok(
    files.length <= MAX_FILES,
    `a tiny page passes ${files.length} files, more than the ${MAX_FILES} that are allowed. ` +
      'Compare `sh scripts/count-files` with and without your change, and keep what each page needs ' +
      'in the files that it passes already, or join a file of a few lines with its only importer. ' +
      'The number in test/page-path.test.ts only goes down: lower it when your change makes it smaller.',
  )
})
