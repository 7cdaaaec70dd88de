import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { sample, sampleJob } from '../../../test/contract/sample-page.ts'
import { temporaryFolder } from '../../../test/e2e/crawling.ts'
import { runHere } from '../../../test/e2e/in-process.ts'
import { openSqliteJobStore } from '../../../test/support/stores.ts'
import { readTopicTexts } from '../../../training/topics/read-texts.ts'
import { openSqlitePageStore } from '../../store/sqlite/sqlite-page-store.ts'
import { storePath } from '../../workspace/folder/paths.ts'
import { workspaceOf } from '../../workspace/open-workspace.ts'
import { reportOf } from './cluster-report.ts'

test('labelled texts of a file are grouped, and the labels say how well', async () => {
  await using folder = await temporaryFolder()
  const file = join(folder.path, 'texts.jsonl')
  const texts = readTopicTexts(['en']).filter(({ label }) => /^(?:food|sport)$/.test(label))
  writeFileSync(file, texts.map((line) => `${JSON.stringify(line)}\n`).join(''))
  const { stdout } = await runHere(['cluster', file, '--k', '2', '--json', '--quiet'])
  const { clusters, agreement } = JSON.parse(stdout)
  assert.equal(clusters.length, 2)
  assert.equal(agreement.texts, 76)
  assert.ok(agreement.purity > 0.9, stdout)
  const refused = await runHere(['cluster', file, '--crawl', '1', '--kept'])
  assert.match(refused.stderr, /--crawl: is for the pages of a crawl/)
  const report = join(folder.path, 'report.md')
  const ignored = await runHere(['cluster', '--data', folder.path, '--kept', '--out', report])
  assert.match(ignored.stderr, /--out: needs typical pages, which are not kept/)
})

test('two at a time do not cluster the same pages', async () => {
  await using folder = await temporaryFolder()
  const path = storePath(folder.path)
  {
    await using jobs = await openSqliteJobStore(path)
    const job = await jobs.create({ ...sampleJob(), name: 'tea\x1b]0;title\x07 and\u009b2J cars' })
    await using pages = await openSqlitePageStore({ path, job })
    const texts = ['green tea leaves', 'black tea leaves', 'fast red cars', 'slow red cars']
    await pages.save(
      texts.map((contentText, nth) => {
        const title = nth === 0 ? 'a\u009bb' : ''
        return sample(`a.test/${nth}`, { contentText, title, contentHash: contentText })
      }),
    )
  }
  const args = ['cluster', '--data', folder.path, '--k', '2', '--json', '--quiet']
  {
    await using workspace = workspaceOf({ dataDir: folder.path })
    await using _held = await workspace.lock('cluster-1')
    const { stderr } = await runHere(args)
    assert.match(stderr, /is being clustered by another process/)
  }
  const { stdout } = await runHere(args)
  assert.equal(JSON.parse(stdout).pages, 4)
  assert.ok(stdout.includes('"a\\u009bb"'), stdout)
  // Nor does the name of a crawl move the cursor of a terminal.
  const { stderr } = await runHere(args.slice(0, -2))
  assert.match(stderr, /4 pages of tea and2J cars in 2 clusters\n$/)
})

test('what pages say is no markup in a report', () => {
  const typical = [{ url: 'http://a.test/`x`', title: '<b>[x](y)</b>\n# |', score: 0.5 }]
  const cluster = {
    id: 0,
    terms: ['a|b', '*c*'],
    size: 1,
    cohesion: 1,
    typical,
    languages: { en: 1 },
  }
  const report = reportOf({ id: 1, name: '# news' }, [cluster])
  assert.match(report, /^# Clusters of \\# news\n/)
  assert.match(report, /a\\\|b, \\\*c\\\*/)
  assert.match(
    report,
    /- 0\.50 \\<b\\>\\\[x\\\]\\\(y\\\)\\<\/b\\> \\# \\\| `http:\/\/a\.test\/%60x%60`\n/,
  )
})
