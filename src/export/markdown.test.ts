import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { sample } from '../../test/contract/sample-page.ts'
import { ExportFixture, filesIn } from '../../test/support/export-fixture.ts'
import { markdown } from './markdown.ts'

const HOSTILE = ['---', '"a": b\n---\nx: y', '\u2028\u202e', '- [x]', '💡', '{{ 7 }}', '\uffff', '']

test('each page is a file with front matter that nothing of a page can leave, and a line of JSON', async () => {
  await using fixture = new ExportFixture()
  await fixture.save([
    ...HOSTILE.map((title, nth) => sample(`a.test/${nth}`, { title, markdown: `# Head ${nth}` })),
    sample('a.test/none', { markdown: '' }),
  ])
  const [out, note] = await fixture.run(markdown)
  const lines = readFileSync(join(out, 'pages.ndjson'), 'utf8').trimEnd().split('\n')
  assert.equal(lines.length, HOSTILE.length)
  assert.equal(note.counts.without_markdown, 1)
  for (const [nth, line] of lines.entries()) {
    const row = JSON.parse(line)
    assert.deepEqual([row.title, row.markdown], [HOSTILE[nth], `# Head ${nth}`])
    const [, front = '', text = ''] =
      /^---\n([\s\S]*?)\n---\n\n([\s\S]*)$/.exec(readFileSync(join(out, row.file), 'utf8')) ?? []
    const facts = new Map(
      front.split('\n').map((one) => one.split(/: (.*)/, 2) as [string, string]),
    )
    const title = facts.get('title')
    // YAML has no such characters.
    assert.doesNotMatch(title ?? '', /[\p{Cc}\ufffe\uffff]/u)
    assert.equal(title === undefined ? '' : JSON.parse(title), HOSTILE[nth])
    assert.equal(JSON.parse(facts.get('url') ?? ''), `http://a.test/${nth}`)
    assert.equal(text, `# Head ${nth}\n`)
  }
})

test('an export that was cut off has the same files in the end', async () => {
  await using fixture = new ExportFixture()
  const pages = Array.from({ length: 9 }, (_, n) => sample(`a.test/${n}`, { markdown: `# ${n}` }))
  await fixture.save(pages)
  const [whole] = await fixture.run(markdown, { name: 'whole' })
  const noteEvery = { pages: 2, bytes: 1e6 }
  const [cut] = await fixture.run(markdown, { name: 'cut', noteEvery, cutOffAfter: [3, 5, 1] })
  assert.deepEqual(await filesIn(cut), await filesIn(whole))
})

test('a crawl without Markdown is refused with what to do', async () => {
  await using fixture = new ExportFixture()
  await fixture.save([sample('a.test/')])
  await assert.rejects(fixture.run(markdown), /crawl again with --keep markdown --fresh/)
})
