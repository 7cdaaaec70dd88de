// What became of a text, for people: each word with its stem, what falls together, what a topic of it
// would look for.
import { showNumber } from '../lib/format.ts'
import { type Column, table } from './table.ts'
import { wrap } from './wrap.ts'

export type PrintedWord = {
  readonly word: string
  readonly stem: string
  readonly count: number
  readonly stopWord: string
}

export type PrintedText = {
  readonly language: string
  readonly stems: string
  readonly words: readonly PrintedWord[]
  readonly families: readonly { readonly stem: string; readonly words: readonly string[] }[]
  readonly topic: readonly { readonly stem: string; readonly weight: number }[]
  readonly languages: readonly string[]
  readonly problem: string
}

/** Rows of words, and of a topic, that a person reads; --json has all of them. */
const SHOWN_WORDS = 200
const SHOWN_TOPIC = 30
const WIDTH = 96

const COLUMNS: readonly Column<PrintedWord>[] = [
  { title: 'WORD', of: ({ word }) => word },
  { title: 'STEM', of: ({ stem, stopWord }) => (stopWord === '' ? stem : '–') },
  { title: 'TIMES', align: 'right', of: ({ count }) => String(count) },
  { title: '', of: ({ stopWord }) => stopNote(stopWord) },
]

export function printWords(read: PrintedText): string {
  const { words, families } = read
  return [
    `${languageLine(read)}\n\n`,
    table(COLUMNS, words.slice(0, SHOWN_WORDS)),
    words.length > SHOWN_WORDS ? `… and ${words.length - SHOWN_WORDS} more\n` : '',
    ...(families.length > 0 ? ['\nTogether:\n'] : []),
    ...families.slice(0, SHOWN_WORDS).map((one) => `  ${one.stem}: ${one.words.join(', ')}\n`),
    topicText(read),
  ].join('')
}

function languageLine({ language, stems, words }: PrintedText): string {
  const stopped = words.filter(({ stopWord }) => stopWord !== '').length
  const counts = `${showNumber(words.length, 'different word')}, ${showNumber(stopped, 'stop word')}`
  const told = language === '' ? 'language not clear' : `language ${language}`
  return `${told}, stems of ${stems}; ${counts}`
}

function stopNote(stopWord: string): string {
  if (stopWord === '') return ''
  return stopWord === 'own' ? 'stop word of yours' : `stop word (${stopWord})`
}

function topicText({ topic, languages, problem }: PrintedText): string {
  if (problem !== '') return `\nNo topic can be made of it: ${problem}\n`
  if (languages.length > 0) return `\nA topic of it wants pages in ${languages.join(', ')}\n`
  const shown = topic.slice(0, SHOWN_TOPIC).map(({ stem, weight }) => `${stem} ${weight}`)
  const more = topic.length > SHOWN_TOPIC ? [`… and ${topic.length - SHOWN_TOPIC} more`] : []
  const lines = wrap([...shown, ...more].join(', '), WIDTH - 2).map((line) => `  ${line}\n`)
  return ['\nA topic of it looks for, with weights:\n', ...lines].join('')
}
