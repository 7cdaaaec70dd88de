// What of a draft is asked about before it is sent: the fields of `POST /topic`.
import { bodyOf, type Draft } from './draft.ts'
import type { KnownOptions } from './known-options.ts'

const FIELDS = ['topic', 'keywords', 'language', 'stop_words']

/** Empty where no words are given, or where examples or a model decide. */
export function questionOf(draft: Draft, known: KnownOptions): Record<string, unknown> {
  const body = bodyOf(draft, known)
  const isInWords = body.topic !== undefined || body.keywords !== undefined
  if (!isInWords || body.examples !== undefined || body.classifier !== undefined) return {}
  return Object.fromEntries(Object.entries(body).filter(([name]) => FIELDS.includes(name)))
}
