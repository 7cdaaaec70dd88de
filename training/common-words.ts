// Counts which words most pages of the web have, whatever they are about, and writes them as the
// table that topics are held against (src/topic/common-words.ts). Run it like train.ts, on the same
// folder: sh scripts/node training/common-words.ts DATA
import { writeFileSync } from 'node:fs'
import { readSets, type Truth } from '../bench/extraction/data.ts'
import { InvalidInput } from '../src/core/errors.ts'
import { shown } from '../src/parser/html/text-sink.ts'
import { detectLanguage } from '../src/text/language.ts'
import { tokens } from '../src/text/tokens.ts'
import { readPage } from './labelled-page.ts'

const TABLE = new URL('../src/topic/common-words.ts', import.meta.url)
/** Pages of other languages are too few to count. */
const LANGUAGES = ['en']
/** A word of fewer pages than this may be one site's own. */
const LEAST_PAGES = 5
const LEAST_SHARE = 1 / 64
const MAX_LENGTH = 30_000
const WIDTH = 96
const WORD = /^[\p{Script=Latin}\p{M}']{2,24}$/u

type Counted = { pages: number; readonly words: Map<string, number> }

function main([folder]: readonly string[]): void {
  if (folder === undefined) throw new InvalidInput('DATA', 'no folder is given')
  const counted = new Map<string, Counted>(
    LANGUAGES.map((language) => [language, { pages: 0, words: new Map() }]),
  )
  for (const { pages } of readSets(folder, null)) {
    for (const truth of pages) count(counted, textOf(truth))
  }
  writeFileSync(TABLE, source(counted))
  for (const [language, { pages, words }] of counted) {
    console.log(`${language}: ${words.size} words on ${pages} pages`)
  }
}

function textOf(truth: Truth): string {
  const { text, outline } = readPage(truth).reading
  const { count, textFrom, textTo } = outline.blocks
  return shown(text.slice(textFrom[0] ?? 0, textTo[count - 1] ?? 0))
}

function count(counted: ReadonlyMap<string, Counted>, text: string): void {
  const own = counted.get(detectLanguage(text).language)
  if (own === undefined) return
  own.pages++
  for (const word of new Set(tokens(text.slice(0, MAX_LENGTH)))) {
    if (WORD.test(word)) own.words.set(word, (own.words.get(word) ?? 0) + 1)
  }
}

function source(counted: ReadonlyMap<string, Counted>): string {
  const tables = [...counted].map(([language, own]) => `  ${language}: [\n${bandsOf(own)}  ],\n`)
  return `// Made by training/common-words.ts; see training/README.md for what it counted. Not by hand.

/**
 * Words that pages have whatever they are about, by language. The first list holds what every
 * second page has or more, the next what every fourth has, and so on, halving each time.
 */
export const COMMON_WORDS: Readonly<Record<string, readonly string[]>> = {
${tables.join('')}}
`
}

function bandsOf({ pages, words }: Counted): string {
  const bands: string[][] = []
  for (const [word, count] of [...words].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const share = count / pages
    if (count < LEAST_PAGES || share < LEAST_SHARE) continue
    const band = Math.max(0, Math.ceil(-Math.log2(share)) - 1)
    while (bands.length <= band) bands.push([])
    bands[band]?.push(word)
  }
  return bands.map((band) => `    \`\n${wrapped(band)}\`,\n`).join('')
}

function wrapped(words: readonly string[]): string {
  const lines: string[] = []
  let line = ''
  for (const word of words) {
    if (line.length + word.length + 1 > WIDTH) {
      lines.push(line)
      line = ''
    }
    line += line === '' ? word : ` ${word}`
  }
  return [...lines, line].join('\n')
}

main(process.argv.slice(2))
