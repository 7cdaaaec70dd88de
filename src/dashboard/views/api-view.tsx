// The HTTP API to read: every operation with what it takes, what it answers, and a command to try.
import { useState } from 'preact/hooks'
import { type Described, type Operation, operationsOf } from '../api-doc/operations.ts'
import { Button } from '../components/button.tsx'
import { FailureNotice } from '../components/notice.tsx'
import { t } from '../i18n/i18n.ts'
import { useTitle } from '../router.ts'
import { useAsked } from '../state/asked.ts'
import { visible } from '../web-text.ts'

export function ApiView() {
  useTitle(t('api.title'))
  const { value, failure, again } = useAsked<unknown>('/openapi.json')
  const operations = value === null ? [] : operationsOf(value, location.origin)
  const tags = [...new Set(operations.map(({ tag }) => tag))]
  return (
    <>
      <div class="view-head">
        <div>
          <h1>{t('api.title')}</h1>
          <p>
            {t('api.intro')} <a href="./openapi.json">openapi.json</a>
          </p>
        </div>
      </div>
      {failure && <FailureNotice failure={failure} onRetry={again} />}
      {value === null && !failure && <p class="view-loading">{t('shell.loading')}</p>}
      <div class="stack">
        {tags.map((tag) => (
          <section class="card operations" key={tag} aria-labelledby={`tag-${tag}`}>
            <h2 id={`tag-${tag}`}>{tagName(tag)}</h2>
            {operations
              .filter((operation) => operation.tag === tag)
              .map((operation) => (
                <OperationEntry key={operation.id} operation={operation} />
              ))}
          </section>
        ))}
      </div>
    </>
  )
}

const TAGS = [
  ...['jobs', 'pages', 'urls', 'graph', 'search', 'events', 'workers', 'server', 'other'],
] as const

/** Also a tag that this dashboard has not heard of yet. */
function tagName(tag: string): string {
  const known = TAGS.find((name) => name === tag)
  return known === undefined ? visible(tag, 40) : t(`api.tag.${known}`)
}

function OperationEntry({ operation }: { readonly operation: Operation }) {
  const [open, setOpen] = useState(false)
  const { method, path, summary } = operation
  return (
    <details class="operation" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <span class={`method ${method.toLowerCase()}`}>{method}</span>
        <code>{path}</code>
        <span class="muted operation-summary">{summary}</span>
      </summary>
      {open && <OperationInFull operation={operation} />}
    </details>
  )
}

function OperationInFull({ operation }: { readonly operation: Operation }) {
  const { description, parameters, body, answers, curl } = operation
  return (
    <div class="stack operation-body">
      {description !== '' && <p>{description}</p>}
      <Command text={curl} />
      {parameters.length > 0 && <FieldTable title={t('api.parameters')} fields={parameters} />}
      {body.length > 0 && <FieldTable title={t('api.body')} fields={body} />}
      {answers.map(({ status, about, fields }) => (
        <details key={status}>
          <summary>
            {t('api.answer', { status })} <span class="muted">{visible(about, 120)}</span>
          </summary>
          {fields.length > 0 && <FieldTable title={t('api.fields')} fields={fields} />}
        </details>
      ))}
    </div>
  )
}

function Command({ text }: { readonly text: string }) {
  const [copied, setCopied] = useState(false)
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text)
      setCopied(true)
    } catch {
      // Without the right to, the text can still be marked by hand.
      setCopied(false)
    }
  }
  return (
    <div class="command">
      <pre class="code">{text}</pre>
      <Button small onClick={() => void copy()}>
        {copied ? t('action.copied') : t('action.copy')}
      </Button>
    </div>
  )
}

function FieldTable({
  title,
  fields,
}: {
  readonly title: string
  readonly fields: readonly Described[]
}) {
  return (
    <div class="table-scroll">
      <table class="table field-table">
        <caption>{title}</caption>
        <thead>
          <tr>
            <th scope="col">{t('api.name')}</th>
            <th scope="col">{t('api.type')}</th>
            <th scope="col">{t('api.about')}</th>
          </tr>
        </thead>
        <tbody>
          {fields.map(({ name, type, about, needed }) => (
            <tr key={name}>
              <td>
                <code>{name}</code>
                {needed && <span class="small muted"> {t('api.needed')}</span>}
              </td>
              <td class="field-type">
                <code>{visible(type, 400)}</code>
              </td>
              <td>{about}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
