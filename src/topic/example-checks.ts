// Counts example pages, and refuses them if nothing can be learned from them.
import { InvalidInput } from '../core/errors.ts'
import { SCRIPTS, scriptOf } from '../text/language.ts'
import type { TermTable } from '../text/term-table.ts'
import type { TermReader } from '../text/terms.ts'
import type { CountedExamples } from './from-examples.ts'
import { countPage, MAX_TEXT } from './page-words.ts'
import type { PageText } from './topic.ts'

type GivenExamples = {
  readonly positive: readonly PageText[]
  readonly negative: readonly PageText[]
  readonly keywords: readonly string[]
}

/** Pages with fewer different words are empty, or error pages. */
const LEAST_TERMS = 5
/** Fewer pages do not show what they have in common: all pages look like them, or none. */
const LEAST_ON_TOPIC = 3

export function checkedExamples(given: GivenExamples, reader: TermReader): CountedExamples {
  const { positive, negative, keywords } = given
  if (positive.length === 0) {
    throw refused('there are only pages off topic; add some that are on topic')
  }
  const own = usable(positive, reader)
  const others = usable(negative, reader)
  if (own.length === 0) {
    throw refused(`none of the ${positive.length} pages on topic has text to learn from`)
  }
  if (own.length < LEAST_ON_TOPIC) {
    const given = own.length === 1 ? '1 page' : `${own.length} pages`
    throw refused(
      `${given} on topic with text to learn from: give at least ${LEAST_ON_TOPIC}, better 10 or ` +
        'more, or say with --topic or --keywords what the crawl is about',
    )
  }
  if (own.every(({ text }) => text === own[0]?.text)) {
    throw refused(`all ${own.length} pages on topic have the same text`)
  }
  const texts = new Set(own.map(({ text }) => text))
  const both = others.find(({ text }) => texts.has(text))
  if (both !== undefined) throw refused(`${both.url} is given both as on and off topic`)
  checkScripts(keywords, positive)
  return { positive: own.map(({ counts }) => counts), negative: others.map(({ counts }) => counts) }
}

type Usable = { readonly url: string; readonly text: string; readonly counts: TermTable }

function usable(pages: readonly PageText[], reader: TermReader): Usable[] {
  return pages
    .map((page) => ({ url: page.url, text: wholeOf(page), counts: countPage(reader, page) }))
    .filter(({ text, counts }) => text !== '' && counts.size >= LEAST_TERMS)
}

function wholeOf({ title, description, text, anchors }: PageText): string {
  return [title, description, text.slice(0, MAX_TEXT), ...anchors].join('\n').trim()
}

/** Refuses a keyword in a script that no example uses: most likely a mistake. */
function checkScripts(keywords: readonly string[], pages: readonly PageText[]): void {
  const known = new Set<number>()
  for (const page of pages) for (const script of scriptsIn(wholeOf(page))) known.add(script)
  for (const keyword of keywords) {
    for (const script of scriptsIn(keyword)) {
      if (known.has(script)) continue
      throw new InvalidInput(
        'keywords',
        `keyword "${keyword}" is in a script (${SCRIPTS[script]}) that none of the examples uses`,
      )
    }
  }
}

/** The scripts of a text's letters, as indexes in SCRIPTS. */
function scriptsIn(text: string): Set<number> {
  const found = new Set<number>()
  for (let at = 0; at < text.length; at++) {
    const script = scriptOf(text.charCodeAt(at))
    if (script !== 0) found.add(script)
  }
  return found
}

function refused(message: string): InvalidInput {
  return new InvalidInput('examples', message)
}
