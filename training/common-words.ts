// Counts which words most pages of the web have, whatever they are about, and writes them as the
// table that topics are held against (src/topic/common-words.json). Run it like train.ts, on the same
// folder: sh scripts/node training/common-words.ts DATA [LANGUAGE]
import { writeFileSync } from 'node:fs'
import { readSets, type Truth } from '../bench/extraction/data.ts'
import { InvalidInput } from '../src/core/errors.ts'
import { visibleText } from '../src/parser/html/text-sink.ts'
import { detectLanguage } from '../src/text/language.ts'
import { tokens } from '../src/text/tokens.ts'
import commonWords from '../src/topic/common-words.json' with { type: 'json' }
import { readPage } from './labelled-page.ts'

const TABLE = new URL('../src/topic/common-words.json', import.meta.url)
/** Pages of other languages are too few to count. */
const LANGUAGES = ['en', 'id']
/** A set of fewer pages of the language says nothing about it. */
const LEAST_SET_PAGES = 10
/** A word of fewer pages than this may be one site's own. */
const LEAST_PAGES = 5
const LEAST_SHARE = 1 / 64
const MAX_LENGTH = 30_000
const WIDTH = 90
const WORD = /^[\p{Script=Latin}\p{M}']{2,24}$/u

/** In how many pages of one set each word stands. */
type Counted = { pages: number; readonly words: Map<string, number> }

function main([folder, language = 'en']: readonly string[]): void {
  if (folder === undefined) throw new InvalidInput('DATA', 'no folder is given')
  if (!LANGUAGES.includes(language)) {
    throw new InvalidInput('LANGUAGE', `only ${LANGUAGES.join(' and ')} can be counted`)
  }
  const sets = readSets(folder, null).map(({ pages }) => countedIn(pages, language))
  // English has sets of all kinds, counted as one. Elsewhere the few sets have each a subject of its
  // own: a word is as common as it is in the set that has it least.
  const counted = language === 'en' ? [together(sets)] : sets
  const shares = sharesIn(counted.filter(({ pages }) => pages >= LEAST_SET_PAGES))
  const tables = { ...commonWords, [language]: bandsOf(shares) }
  writeFileSync(TABLE, `${JSON.stringify(tables, null, 2)}\n`)
  console.log(`${language}: ${shares.size} words on ${together(sets).pages} pages`)
}

function countedIn(pages: readonly Truth[], language: string): Counted {
  const counted: Counted = { pages: 0, words: new Map() }
  for (const truth of pages) {
    const text = textOf(truth)
    if (detectLanguage(text).language === language) count(counted, text)
  }
  return counted
}

function textOf(truth: Truth): string {
  const { text, outline } = readPage(truth).reading
  const { count, textFrom, textTo } = outline.blocks
  return visibleText(text.slice(textFrom[0] ?? 0, textTo[count - 1] ?? 0))
}

function count(counted: Counted, text: string): void {
  counted.pages++
  for (const word of new Set(tokens(text.slice(0, MAX_LENGTH)))) {
    if (WORD.test(word)) counted.words.set(word, (counted.words.get(word) ?? 0) + 1)
  }
}

function together(sets: readonly Counted[]): Counted {
  const all: Counted = { pages: 0, words: new Map() }
  for (const { pages, words } of sets) {
    all.pages += pages
    for (const [word, count] of words) all.words.set(word, (all.words.get(word) ?? 0) + count)
  }
  return all
}

/** Word → share of the pages that have it, in the set that has it least. */
function sharesIn(sets: readonly Counted[]): Map<string, number> {
  const shares = new Map<string, number>()
  for (const [word, count] of together(sets).words) {
    if (count < LEAST_PAGES) continue
    const bySet = sets.map(({ pages, words }) => (words.get(word) ?? 0) / pages)
    const least = Math.min(...bySet)
    if (least >= LEAST_SHARE) shares.set(word, least)
  }
  return shares
}

/** The lines of each band. */
function bandsOf(shares: ReadonlyMap<string, number>): string[][] {
  const bands: string[][] = []
  for (const [word, share] of [...shares].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const band = Math.max(0, Math.ceil(-Math.log2(share)) - 1)
    while (bands.length <= band) bands.push([])
    bands[band]?.push(word)
  }
  return bands.map(wrapped)
}

function wrapped(words: readonly string[]): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of words) {
    if (line.length + word.length + 1 > WIDTH) {
      lines.push(line)
      line = ''
    }
    line += line === '' ? word : ` ${word}`
  }
  return [...lines, line]
}

main(process.argv.slice(2))
