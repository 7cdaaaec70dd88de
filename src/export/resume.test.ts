// Interrupted exports continue where they stopped, and the result is the same as without interruption.
import assert from 'node:assert/strict'
import { appendFile, mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { sample } from '../../test/contract/sample-page.ts'
import { ExportFixture, filesIn } from '../../test/support/export-fixture.ts'
import { seededRandom } from '../lib/seeded-random.ts'
import { atLeastWords } from './boilerplate.ts'
import { csv } from './csv.ts'
import { edges } from './edges.ts'
import { decodeState, newState } from './export-state.ts'
import type { ExportChoices, Exporter } from './exporter.ts'
import { ndjson } from './ndjson.ts'
import { openPartTarget, partPath } from './part-target.ts'
import { textCorpus } from './text-corpus.ts'

const PAGES = 60
/** Large enough that pieces are written between two checkpoints, which are then truncated. */
const noteEvery = { pages: 9, bytes: 1_000_000 }

const fixture = new ExportFixture()
after(() => fixture[Symbol.asyncDispose]())

before(async () => {
  const random = seededRandom(6)
  const pages = Array.from({ length: PAGES }, (_, nth) => {
    const links = Array.from({ length: 20 }, () => [
      `http://a.test/${Math.floor(random() * PAGES)}`,
    ])
    const contentText = `word ${nth} `.repeat(Math.floor(random() ** 3 * 20_000))
    const language = random() < 0.5 ? 'en' : 'id'
    const parts = { links: JSON.stringify(links) }
    return sample(`a.test/${nth}`, { contentText, language }, { parts })
  })
  await fixture.save(pages)
})

const EXPORTS: readonly (readonly [string, Exporter, Partial<ExportChoices>])[] = [
  ['JSON lines', ndjson, {}],
  ['JSON lines, compressed', ndjson, { gzip: true }],
  ['a file of each part', ndjson, { what: 'all' }],
  ['CSV', csv, {}],
  ['a text of each page', textCorpus, {}],
  ['a text of each language', textCorpus, { per: 'language', gzip: true }],
  ['links by URL', edges, { outside: true }],
  ['links by number', edges, { ids: true }],
]

for (const [title, exporter, choices] of EXPORTS) {
  test(`${title}: cut off anywhere, however often, it ends the same`, async () => {
    const random = seededRandom(title.length)
    const cutOffAfter = Array.from({ length: 5 }, () => Math.floor(random() * PAGES))
    cutOffAfter.sort((a, b) => a - b)
    const steps = exporter.steps.length > 0 ? [atLeastWords(5)] : []
    const options = { choices, steps, noteEvery }
    const [whole, note] = await fixture.run(exporter, { ...options, name: `${title}-1` })
    const [resumed, last] = await fixture.run(exporter, {
      ...{ ...options, cutOffAfter, name: `${title}-2` },
    })
    assert.deepEqual(last, note)
    const read = async (out: string) =>
      exporter.output({ ...CHOICES, ...choices }) === 'file'
        ? new Map([['', await readFile(out)]])
        : filesIn(out)
    assert.deepEqual(await read(resumed), await read(whole))
  })
}

const CHOICES: ExportChoices = {
  ...{ what: 'pages', gzip: false, per: 'page', ids: false, outside: false },
  ...{ formulaGuard: true, duplicates: false },
}

test('what an earlier run wrote beyond its last note is cut off', async () => {
  const out = join(fixture.dir, 'torn')
  await writeFile(partPath(out), 'one\ntwo\nthr')
  const files = { '': { bytes: 8, length: 8 } }
  await using target = await openPartTarget({ out, kind: 'file', gzip: false, files })
  const sink = await target.append('any')
  assert.equal(sink.length, 8)
  await sink.write('three\n')
  await target.complete()
  assert.equal(await readFile(out, 'utf8'), 'one\ntwo\nthree\n')
})

test('files that are shorter than they were noted are not gone on with', async () => {
  const out = join(fixture.dir, 'short')
  await writeFile(partPath(out), 'one\n')
  const files = { '': { bytes: 8, length: 8 } }
  const opening = openPartTarget({ out, kind: 'file', gzip: false, files })
  await assert.rejects(opening, { name: 'InvalidInput', message: /not as it was left; --fresh/ })
})

test('a link that stands where a file should go is not followed', async () => {
  const out = join(fixture.dir, 'linked')
  const victim = join(fixture.dir, 'victim')
  await writeFile(victim, 'untouched')
  await symlink(victim, partPath(out))
  await using target = await openPartTarget({ out, kind: 'file', gzip: false, files: {} })
  await assert.rejects(target.append(''), { name: 'InvalidInput', message: /cannot be written/ })
  assert.equal(await readFile(victim, 'utf8'), 'untouched')
})

test('files of an interrupted run that do not come again are gone at the end', async () => {
  const out = join(fixture.dir, 'leftovers')
  await using target = await openPartTarget({ out, kind: 'folder', gzip: false, files: {} })
  await appendFile(join(partPath(out), 'xx.txt'), 'left over')
  await mkdir(join(partPath(out), '000001'))
  await writeFile(join(partPath(out), '000001', '1001-b.txt'), 'left over')
  await (await target.append('en.txt')).write('text')
  await target.put('000001/1000-a.txt', 'kept')
  await target.sweep((name) => name.endsWith('1001-b.txt'))
  await target.complete()
  assert.deepEqual([...(await filesIn(out)).keys()], ['000001/1000-a.txt', 'en.txt'])
})

test('texts of a run that was cut off before its first note are gone, too', async () => {
  const out = join(fixture.dir, 'before-the-first')
  await mkdir(join(partPath(out), '000123'), { recursive: true })
  await writeFile(join(partPath(out), '000123', '123456-gone.txt'), 'left over')
  const [whole] = await fixture.run(textCorpus, { choices: {}, name: 'before-the-first' })
  assert.equal(whole, out)
  assert.equal((await filesIn(out)).has('000123/123456-gone.txt'), false)
})

test('what is kept of an unfinished export is read back, and anything else is nothing', async () => {
  const filter = { crawlIds: [1], host: 'a.test' }
  const state = newState({ asked: { format: 'csv' }, mark: 'm', filter, upTo: 7, begunAt: 5 })
  const json = JSON.stringify(state)
  assert.deepEqual(decodeState(json), state)
  const broken = ['', 'null', '[]', '{}', json.slice(1), json.replace('"upTo":7', '"upTo":-7')]
  for (const text of [...broken, json.replace('"version":1', '"version":2')]) {
    assert.equal(decodeState(text), null, text)
  }
  for (let cut = 0; cut < json.length; cut += 7) assert.equal(decodeState(json.slice(0, cut)), null)
})
