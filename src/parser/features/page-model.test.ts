import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { createRandom } from '../../../test/html/mutate.ts'
import { mutant } from '../../../test/html/mutate-bytes.ts'
import { unpacked } from '../content/main-content.ts'
import { BLOCK_FOREST, HINT_SCORES, KIND_FORESTS, LEXICON_SCORES } from '../content/model.ts'
import { CLASSES } from '../content/page-kinds.ts'
import { decodeForest } from '../forest/forest.ts'
import { ForestScorer } from '../forest/forest-scorer.ts'
import { HtmlReader } from '../html/html-reader.ts'
import { FEATURES, PageColumns } from './block-features.ts'
import { PAGE_FEATURES, type PageSigns } from './page-facts.ts'
import { PageModel } from './page-model.ts'

const ROUNDS = Number(process.env.JELAJAH_FUZZ ?? 300)
const WORDS = { hints: unpacked(HINT_SCORES), lexicon: unpacked(LEXICON_SCORES) }
const SIGNS: PageSigns = {
  url: 'http://docs.example.test/forum/a_b-2024/index.html?x=1',
  openGraphType: 'article',
  jsonLdTypes: ['Product', 'WebPage'],
  generator: 'WordPress 6',
}

/** Both sides of the comparison, kept from page to page as a parser keeps its own. */
class Sides {
  readonly #reader = new HtmlReader()
  readonly #columns = new PageColumns(WORDS)
  readonly #kinds = KIND_FORESTS.map((forest) => new ForestScorer(decodeForest(forest)))
  readonly #blocks = new ForestScorer(decodeForest(BLOCK_FOREST))
  readonly #model = new PageModel(WORDS, {
    blocks: decodeForest(BLOCK_FOREST),
    kinds: KIND_FORESTS.map(decodeForest),
  })

  /** Names of the numbers that differ. */
  differences(page: Buffer, title: string): string[] {
    const reading = this.#reader.read(page, { isXml: false })
    this.#columns.read(reading, title, SIGNS)
    this.#model.read(reading, title, SIGNS)
    const { count } = this.#columns
    assert.equal(this.#model.count, count)
    const expected = this.#expected()
    const classes = new Float32Array(CLASSES.length)
    this.#model.scoreKinds(classes)
    const likely = new Float32Array(count)
    this.#model.scoreBlocks(classes, likely)
    return [
      ...[...FEATURES, ...CLASSES].filter((_, at) => {
        const column = this.#columns.blocks[at]?.subarray(0, count)
        return !isEqual(column, this.#model.column(at).subarray(0, count))
      }),
      ...PAGE_FEATURES.filter((_, at) => {
        return !isEqual(this.#columns.page[at], this.#model.page.subarray(at, at + 1))
      }),
      ...(isEqual(expected.classes, classes) ? [] : ['scores of kinds']),
      ...(isEqual(expected.likely, likely) ? [] : ['scores of blocks']),
    ]
  }

  #expected(): { readonly classes: Float32Array; readonly likely: Float32Array } {
    const classes = Float32Array.from(this.#kinds, (forest) => {
      const one = new Float32Array(1)
      forest.score(this.#columns.page, 1, one)
      return one[0] ?? 0
    })
    this.#columns.setClasses(classes)
    const likely = new Float32Array(this.#columns.count)
    this.#blocks.score(this.#columns.blocks, likely.length, likely)
    return { classes, likely }
  }
}

function isEqual(a: Float32Array | undefined, b: Float32Array): boolean {
  return a?.length === b.length && a.every((value, at) => Object.is(value, b[at]))
}

const folder = join(import.meta.dirname, '../../../test/html')
const pages = globSync('{pages,marked-pages}/*.html', { cwd: folder })
  .sort()
  .map((name) => readFileSync(join(folder, name)))

test('the WebAssembly module gives the numbers of the reference, on sound and on broken pages', () => {
  const sides = new Sides()
  for (const page of pages) assert.deepEqual(sides.differences(page, 'Harbour notes of 2026'), [])
  for (let round = 0; round < ROUNDS; round++) {
    const random = createRandom(round)
    const [page, other] = [pages[random(pages.length)]!, pages[random(pages.length)]!]
    const { body } = mutant(page, other, random)
    assert.deepEqual(sides.differences(body, 'A: B – ice & été'), [], `round ${round}`)
  }
})

test('a page with more blocks, containers or text than fit before gives them, too', () => {
  const sides = new Sides()
  const rows = (count: number): Buffer =>
    Buffer.from(
      `<h1>All</h1>${'<div class="row item"><p>One more line of words.</div>'.repeat(count)}`,
    )
  const long = Buffer.from(`<p>${'Ein Satz mit Wörtern. '.repeat(300_000)}</p><p>End</p>`)
  const pages = [rows(10), rows(1500), rows(20), long, rows(5), rows(40_000), Buffer.from('')]
  for (const [at, page] of pages.entries()) {
    assert.deepEqual(sides.differences(page, 'All'), [], `page ${at}`)
  }
})
