// What the form itself can say is wrong, in the reader's language, before anything is sent. The server
// checks everything again, and more.
import type { Problem } from '../api.ts'
import { t } from '../i18n/i18n.ts'
import { type Draft, lines } from './draft.ts'
import type { KnownOption, KnownOptions } from './known-options.ts'

export function checkDraft(draft: Draft, known: KnownOptions): readonly Problem[] {
  const problems: Problem[] = []
  if (lines(draft.seeds ?? '').length === 0)
    problems.push({ at: 'seeds', message: t('form.noSeeds') })
  const missing = topicMissing(draft, known)
  if (missing) problems.push({ at: 'topic', message: t('form.noTopic', { ordering: missing }) })
  for (const option of known.options) {
    const message = wrongNumber(option, (draft[option.name] ?? '').trim())
    if (message !== null) problems.push({ at: option.name, message })
  }
  return problems
}

/** The ordering that wants a topic and has none; null: all is well. */
function topicMissing(draft: Draft, { orderings }: KnownOptions): string | null {
  const chosen = orderings.find(({ name }) => name === draft.ordering)
  const given = ['topic', 'keywords', 'examples', 'classifier'].some(
    (name) => (draft[name] ?? '').trim() !== '',
  )
  return chosen?.focused === true && !given ? chosen.name : null
}

function wrongNumber({ kind, min, max }: KnownOption, text: string): string | null {
  if (kind !== 'number' || text === '') return null
  const value = Number(text.replace(/ ?%$/, ''))
  if (!Number.isFinite(value)) return t('form.notNumber')
  if (min !== null && value < min) return t('form.tooSmall', { min })
  if (max !== null && value > max) return t('form.tooLarge', { max })
  return null
}
