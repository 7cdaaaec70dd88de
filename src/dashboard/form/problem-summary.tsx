// All that is wrong, at the top of the form; each leads to its field.
import { useEffect, useRef } from 'preact/hooks'
import type { Failure, Problem } from '../api.ts'
import { failureText, Notice } from '../components/notice.tsx'
import { type MessageKey, t } from '../i18n/i18n.ts'
import { optionWords, problemText } from '../i18n/option-words.ts'
import { visible } from '../web-text.ts'
import { fieldOf } from './draft.ts'
import { fieldId } from './option-field.tsx'

export type Wrong = {
  /** Anew with every attempt: the summary is read out again. */
  readonly attempt: number
  readonly problems: readonly Problem[]
  /** Null when the form itself found them. */
  readonly failure: Failure | null
}

/** Opens what hides the field, and goes there. False when the form has no such field. */
export function goToField(name: string): boolean {
  const field = document.getElementById(fieldId(name))
  if (field === null) return false
  for (let around = field.parentElement; around !== null; around = around.parentElement) {
    if (around instanceof HTMLDetailsElement) around.open = true
  }
  field.focus()
  return true
}

export function ProblemSummary({ wrong }: { readonly wrong: Wrong }) {
  const { problems, failure, attempt } = wrong
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!goToFirst(problems)) place.current?.focus()
  }, [attempt])
  const title =
    problems.length > 0 ? t('form.wrong', { n: problems.length }) : failure && failureText(failure)
  return (
    <div ref={place} tabIndex={-1}>
      <Notice tone="error" urgent title={title ?? ''}>
        <ul>
          {problems.slice(0, 50).map(({ at, message }) => (
            <li key={`${at} ${message}`}>
              <button type="button" class="link" onClick={() => goToField(fieldOf(at))}>
                {fieldLabel(fieldOf(at))}
              </button>{' '}
              {visible(problemText(message))}
            </li>
          ))}
        </ul>
      </Notice>
    </div>
  )
}

/** The first wrong field as the form shows them, not as the server named them. */
function goToFirst(problems: readonly Problem[]): boolean {
  const ids = new Set(problems.map(({ at }) => fieldId(fieldOf(at))))
  const all = [...document.querySelectorAll<HTMLElement>('form [id^="field-"]')]
  const first = all.find(({ id }) => ids.has(id))
  return first !== undefined && goToField(first.id.slice('field-'.length))
}

const FRONT: Readonly<Record<string, MessageKey>> = {
  seeds: 'form.seeds',
  topic: 'form.topic',
  keywords: 'form.keywords',
  ordering: 'form.ordering',
  max_pages: 'form.maxPages',
  max_depth: 'form.maxDepth',
  scope: 'form.scope',
  name: 'form.name',
}

/** The label of a field of the form. */
function fieldLabel(name: string): string {
  const key = Object.hasOwn(FRONT, name) ? FRONT[name] : undefined
  return key === undefined ? visible(optionWords({ name, help: '' }).label, 60) : t(key)
}
