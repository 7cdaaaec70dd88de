// A file of topics, to compare orderings on all of them at once: a JSON array of objects, or one object.
//
//   id            its name in tables and in the truth; default `name`
//   description   the topic in words                keywords      words and phrases
//   seeds         URLs to start from                examples_pos  URLs of pages on topic (or `positive`)
//                                                   examples_neg  URLs of pages off topic (or `negative`)
//
// Other fields are ignored. Errors of form are reported together, each with its path. An invalid URL, or one
// of another scheme, is only left out: one of many must not stop the others.
import { InvalidInput, shown } from '../core/errors.ts'
import { type CanonicalUrl, canonicalise } from '../core/url.ts'
import { isObject } from '../lib/present.ts'

export type TopicEntry = {
  readonly id: string
  readonly description: string
  readonly keywords: readonly string[]
  /** Empty: those of the crawl. */
  readonly seeds: readonly CanonicalUrl[]
  readonly positive: readonly CanonicalUrl[]
  readonly negative: readonly CanonicalUrl[]
  /** Invalid URLs, each with its path. */
  readonly bad: readonly BadUrl[]
}

type BadUrl = { readonly field: string; readonly given: unknown }

const PROBLEMS_SHOWN = 5

export function readTopics(file: string, name: string): TopicEntry[] {
  const problems: string[] = []
  const json = parsed(file, problems)
  const entries: readonly unknown[] = Array.isArray(json) ? json : [json]
  const topics = problems.length > 0 ? [] : entries.map((entry, at) => topicOf(entry, at, problems))
  if (problems.length === 0 && topics.length === 0) problems.push('has no topic')
  for (const [at, { id }] of topics.entries()) {
    if (topics.findIndex((topic) => topic.id === id) < at)
      problems.push(`topics[${at}].id: ${shown(id)} is there twice`)
  }
  if (problems.length === 0) return topics
  const more = problems.length - PROBLEMS_SHOWN
  const lines = problems.slice(0, PROBLEMS_SHOWN).map((problem) => `${name}: ${problem}`)
  if (more > 0) lines.push(`${name}: ${more} more fields are wrong`)
  throw new InvalidInput('--topics', lines.join('\n--topics: '))
}

function parsed(file: string, problems: string[]): unknown {
  try {
    return JSON.parse(file.replace(/^\ufeff/, ''))
  } catch (error) {
    problems.push(`is not valid JSON: ${error instanceof Error ? error.message : error}`)
    return []
  }
}

function topicOf(entry: unknown, at: number, problems: string[]): TopicEntry {
  const isTopic = isObject(entry)
  if (!isTopic) problems.push(`topics[${at}]: needs an object, not ${shown(entry)}`)
  const bad: BadUrl[] = []
  const reader = new FieldReader(isTopic ? { ...entry } : {}, {
    at: `topics[${at}]`,
    problems,
    bad,
  })
  const topic = {
    id: reader.text('id') || reader.text('name'),
    description: reader.text('description'),
    keywords: reader.texts('keywords'),
    seeds: reader.urls('seeds'),
    positive: [...reader.urls('examples_pos'), ...reader.urls('positive')],
    negative: [...reader.urls('examples_neg'), ...reader.urls('negative')],
    bad,
  }
  if (isTopic && topic.id === '') problems.push(`topics[${at}].id: is missing`)
  return topic
}

class FieldReader {
  readonly #fields: Readonly<Record<string, unknown>>
  readonly #at: string
  readonly #problems: string[]
  readonly #bad: BadUrl[]

  constructor(
    fields: Readonly<Record<string, unknown>>,
    found: { readonly at: string; readonly problems: string[]; readonly bad: BadUrl[] },
  ) {
    this.#fields = fields
    this.#at = found.at
    this.#problems = found.problems
    this.#bad = found.bad
  }

  text(field: string): string {
    const value = this.#fields[field] ?? ''
    if (typeof value === 'string') return value.trim()
    this.#problems.push(`${this.#at}.${field}: needs a text, not ${shown(value)}`)
    return ''
  }

  texts(field: string): string[] {
    return this.#entries(field).flatMap((entry, at) => {
      if (typeof entry === 'string') return entry.trim() === '' ? [] : [entry.trim()]
      this.#problems.push(`${this.#at}.${field}[${at}]: needs a text, not ${shown(entry)}`)
      return []
    })
  }

  urls(field: string): CanonicalUrl[] {
    return this.#entries(field).flatMap((entry) => {
      const url = typeof entry === 'string' ? canonicalise(entry.trim()) : null
      if (url === null) this.#bad.push({ field, given: entry })
      return url ?? []
    })
  }

  #entries(field: string): readonly unknown[] {
    const value = this.#fields[field] ?? []
    if (Array.isArray(value)) return value
    this.#problems.push(`${this.#at}.${field}: needs an array of texts, not ${shown(value)}`)
    return []
  }
}
