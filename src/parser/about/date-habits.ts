// Whether the month or the day comes first where a page writes dates in numbers.
import { type DateHabits, showsMonthFirst } from './written-date.ts'

type Lines = { readonly lines: readonly { readonly text: string }[] }

const MAX_LINES = 120

/** What the page shows of its own habit counts before what its language and country do. */
export class PageHabits implements DateHabits {
  readonly #usual: boolean
  readonly #places: { readonly near: Lines; readonly far: Lines }
  #monthFirst: boolean | null = null

  constructor(usual: boolean, places: { readonly near: Lines; readonly far: Lines }) {
    this.#usual = usual
    this.#places = places
  }

  get monthFirst(): boolean {
    this.#monthFirst ??= this.#shown() ?? this.#usual
    return this.#monthFirst
  }

  #shown(): boolean | null {
    const { near, far } = this.#places
    for (const line of [...near.lines, ...far.lines].slice(0, MAX_LINES)) {
      const shown = showsMonthFirst(line.text)
      if (shown !== null) return shown
    }
    return null
  }
}

const DAY_FIRST_LANDS = new Set(
  'uk au nz ie in za sg my ke ng gh pk bd lk hk mt cy eu ae il'.split(' '),
)
const DAY_FIRST_REGIONS = new Set('gb au nz ie in za sg my ke ng gh pk bd lk hk mt'.split(' '))

/** Americans alone put the month first; English without a region is theirs unless its host is not. */
export function isMonthFirst(language: string, host: string): boolean {
  const [base = '', region = ''] = language.split('-')
  if (base !== 'en' && base !== '') return false
  if (DAY_FIRST_REGIONS.has(region)) return false
  if (region === 'us') return true
  const land = host.slice(host.lastIndexOf('.') + 1)
  return !(DAY_FIRST_LANDS.has(land) || (base === '' && land.length === 2))
}
