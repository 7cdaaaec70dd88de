import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inHalves, knownItems, type NamedLink } from './known-items.ts'

async function* linksOf(
  rows: readonly (readonly [anchor: string, target: string, elsewhere?: boolean])[],
): AsyncGenerator<NamedLink> {
  for (const [anchor, target, fromElsewhere = true] of rows) yield { anchor, target, fromElsewhere }
}

async function textsOf(...rows: readonly (readonly [string, string, boolean?])[]) {
  return (await knownItems(linksOf(rows))).map(({ text }) => text)
}

test('the texts of links from other hosts are queries for the pages they lead to', async () => {
  const items = await knownItems(
    linksOf([
      ['Green  Tea', 'b'],
      ['green tea!', 'a'],
      ['Coffee', 'c', false],
    ]),
  )
  assert.deepEqual(items, [{ text: 'Green Tea', targets: ['a', 'b'] }])
})

test('addresses, texts that say nothing and texts without a word are none', async () => {
  const rows = [
    'http://a.test/',
    'www.a.test',
    'a@b.test',
    'docs.python.org/3',
    'Here',
    'click here!',
  ]
  const none = [...rows, 'the manual', '', '→', '7', 'x', 'a '.repeat(30), 'word '.repeat(13)]
  assert.deepEqual(await textsOf(...none.map((text): [string, string] => [text, 'a'])), [])
  assert.deepEqual(await textsOf(['pg_notify()', 'a'], ['os.path', 'b']), [
    'pg_notify()',
    'os.path',
  ])
})

test('a text that leads to many pages singles out none of them', async () => {
  const many = (count: number, elsewhere: boolean) =>
    Array.from({ length: count }, (_, nth): [string, string, boolean] => [
      'Start',
      `${nth}`,
      elsewhere,
    ])
  assert.deepEqual(await textsOf(...many(3, true)), ['Start'])
  assert.deepEqual(await textsOf(...many(4, true)), [])
  assert.deepEqual(await textsOf(['Start', 'a'], ...many(19, false)), ['Start'])
  assert.deepEqual(await textsOf(['Start', 'a'], ...many(21, false)), [])
})

test('halves are the same for the same seed, share no page, and are as large as asked for', () => {
  const items = Array.from({ length: 400 }, (_, nth) => ({
    text: `query ${nth}`,
    targets: [`page ${nth % 50}`],
  }))
  const { tune, report } = inHalves(items, { seed: 3, most: 300 })
  assert.equal(tune.length + report.length, 300)
  assert.ok(tune.length > 90 && report.length > 90)
  const pages = new Set(tune.flatMap(({ targets }) => targets))
  assert.ok(report.every(({ targets }) => targets.every((target) => !pages.has(target))))
  assert.deepEqual(inHalves(items, { seed: 3, most: 300 }), { tune, report })
  assert.notDeepEqual(inHalves(items, { seed: 4, most: 300 }), { tune, report })
})
