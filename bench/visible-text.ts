// How much of the text that a browser shows our scanner loses: its words beside those of a full HTML
// parser (parse5), on real pages as they are and on the same pages after accidents.
//
//   sh scripts/node bench/visible-text.ts FOLDER [--pages N] [--mutants N] [--seed N] [--show N]
//
// FOLDER holds pages (`*.html`, any depth). --show prints the pages that lose most.
import { parseArgs } from 'node:util'
import { toUtf8 } from '../src/lib/decode.ts'
import { HtmlReader } from '../src/parser/html/html-reader.ts'
import { createRandom, mutate } from '../test/html/mutate.ts'
import { referenceWords, wordsOf } from '../test/html/reference.ts'
import { samplePages } from './page-files.ts'
import { markdownTable } from './table.ts'

type Page = { readonly file: string; readonly html: string }
type Loss = { readonly file: string; readonly share: number; readonly first: string }

const reader = new HtmlReader()
/** Shares of a page's words. */
const LIMITS = [0.01, 0.05, 0.5]
/** A page of fewer words says nothing in shares. */
const MIN_WORDS = 20

function lossOf({ file, html }: Page): Loss {
  const own = new Map<string, number>()
  const read = reader.read(Buffer.from(html), { isXml: false })
  for (const word of wordsOf(read.text.text())) own.set(word, (own.get(word) ?? 0) + 1)
  const expected = referenceWords(html)
  const missed: string[] = []
  for (const word of expected) {
    const left = own.get(word) ?? 0
    if (left === 0) missed.push(word)
    else own.set(word, left - 1)
  }
  const share = missed.length / Math.max(MIN_WORDS, expected.length)
  return { file, share, first: missed.slice(0, 12).join(' ') }
}

function* mutants(pages: readonly Page[], each: number, seed: number): Generator<Page> {
  const random = createRandom(seed)
  for (const { file, html } of pages) {
    for (let copy = 1; copy <= each; copy++) yield { file, html: mutate(html, random) }
  }
}

function rowOf(name: string, losses: readonly Loss[]): string[] {
  const shares = LIMITS.map((limit) => {
    const count = losses.filter(({ share }) => share > limit).length
    return `${count} (${((100 * count) / losses.length).toFixed(2)} %)`
  })
  const mean = losses.reduce((sum, { share }) => sum + share, 0) / losses.length
  return [name, ...shares, `${(100 * mean).toFixed(3)} %`]
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    pages: { type: 'string', default: '10000' },
    mutants: { type: 'string', default: '1' },
    seed: { type: 'string', default: '1' },
    show: { type: 'string', default: '0' },
  },
})
const [folder] = positionals
if (folder === undefined) throw new Error('name a folder of pages')
const sample = samplePages(folder, { limit: Number(values.pages) })
const pages = sample.map(({ file, bytes }) => ({ file, html: toUtf8(bytes, '').utf8.toString() }))
const plain = pages.map(lossOf)
const broken = [...mutants(pages, Number(values.mutants), Number(values.seed))].map(lossOf)
const head = ['pages that lose', ...LIMITS.map((limit) => `> ${100 * limit} %`), 'words lost']
const rows = [
  rowOf(`${plain.length} pages as they are`, plain),
  ...(broken.length === 0 ? [] : [rowOf(`${broken.length} pages with accidents`, broken)]),
]
process.stdout.write(`${markdownTable(head, rows)}\n`)
for (const losses of [plain, broken]) {
  const worst = losses
    .toSorted((one, other) => other.share - one.share)
    .slice(0, Number(values.show))
  for (const { file, share, first } of worst) {
    process.stdout.write(`${(100 * share).toFixed(1)} % ${file}: ${first}\n`)
  }
}
