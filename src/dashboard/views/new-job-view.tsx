// The form that starts a crawl.
import { useEffect, useRef, useState } from 'preact/hooks'
import { type Failure, type Problem, post } from '../api.ts'
import { Button } from '../components/button.tsx'
import { FailureNotice, failureText, Notice } from '../components/notice.tsx'
import { bodyOf, checkDraft, type Draft, errorsOf, fieldOf } from '../form/draft.ts'
import { FrontFields } from '../form/front-fields.tsx'
import type { KnownOptions } from '../form/known-options.ts'
import { fieldId, MoreOptions } from '../form/option-field.tsx'
import { type MessageKey, t } from '../i18n/i18n.ts'
import { optionWords, problemText } from '../i18n/option-words.ts'
import { goTo, hrefTo, useTitle, type ViewProps } from '../router.ts'
import { useAsked } from '../state/asked.ts'
import { visible } from '../web-text.ts'

/** The address may name seeds to begin with: nothing starts before the reader says so. */
export function NewJobView({ query }: Pick<ViewProps, 'query'>) {
  useTitle(t('form.title'))
  const { value: known, failure, again } = useAsked<KnownOptions>('/options')
  return (
    <>
      <div class="view-head">
        <div>
          <h1>{t('form.title')}</h1>
          <p>{t('form.intro')}</p>
        </div>
      </div>
      {failure && <FailureNotice failure={failure} onRetry={again} />}
      {known ? (
        <StartForm known={known} seeds={query.seeds ?? ''} />
      ) : (
        !failure && <p>{t('shell.loading')}</p>
      )}
    </>
  )
}

function inWords(problems: readonly Problem[]): readonly Problem[] {
  return problems.map(({ at, message }) => ({ at, message: problemText(message) }))
}

function StartForm({ known, seeds }: { readonly known: KnownOptions; readonly seeds: string }) {
  const [draft, setDraft] = useState<Draft>(seeds === '' ? {} : { seeds })
  const [wrong, setWrong] = useState<Wrong | null>(null)
  const [busy, setBusy] = useState(false)
  const keys = useRef(new OrderKeys())
  const refuse = (found: Omit<Wrong, 'attempt'>): void =>
    setWrong((before) => ({ ...found, attempt: (before?.attempt ?? 0) + 1 }))
  const start = async (): Promise<void> => {
    const problems = checkDraft(draft, known)
    if (problems.length > 0) return refuse({ problems, failure: null })
    setBusy(true)
    const body = bodyOf(draft, known)
    const key = keys.current.keyFor(body)
    const answer = await post<{ job_id: string }>('/crawl', body, { 'idempotency-key': key })
    setBusy(false)
    if (answer.ok) goTo(hrefTo('job', { jobId: answer.value.job_id }))
    else refuse({ problems: answer.failure.problems, failure: answer.failure })
  }
  const errors = errorsOf(inWords(wrong?.problems ?? []), (line) => t('form.line', { line }))
  const change = (name: string, value: string): void =>
    setDraft((before) => ({ ...before, [name]: value }))
  const standard = String(known.options.find(({ name }) => name === 'ordering')?.default ?? '')
  const shared = { known, draft, errors, standardOrdering: standard, onChange: change }
  return (
    <form
      class="stack start-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (!busy) void start()
      }}
    >
      {wrong && <ProblemSummary wrong={wrong} />}
      <FrontFields {...shared} />
      <MoreOptions {...shared} />
      <div class="row form-end">
        <Button submits look="primary" icon="running" disabled={busy}>
          {busy ? t('form.starting') : t('form.start')}
        </Button>
      </div>
    </form>
  )
}

// Idempotency keys: the same request sent again, because no answer came, is the same order; a changed
// one is another.
class OrderKeys {
  #sent = ''
  #key = ''

  keyFor(body: unknown): string {
    const text = JSON.stringify(body)
    if (text !== this.#sent || this.#key === '') {
      this.#sent = text
      this.#key = randomKey()
    }
    return this.#key
  }
}

// `crypto.randomUUID` is only there on localhost and over https.
function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

type Wrong = {
  /** Anew with every attempt: the summary is read out again. */
  readonly attempt: number
  readonly problems: readonly Problem[]
  /** Null when the form itself found them. */
  readonly failure: Failure | null
}

/** Opens what hides the field, and goes there. False when the form has no such field. */
function goToField(name: string): boolean {
  const field = document.getElementById(fieldId(name))
  if (field === null) return false
  for (let around = field.parentElement; around !== null; around = around.parentElement) {
    if (around instanceof HTMLDetailsElement) around.open = true
  }
  field.focus()
  return true
}

function ProblemSummary({ wrong }: { readonly wrong: Wrong }) {
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
