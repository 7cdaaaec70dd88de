// Something the reader should know, and what can be done about it.
import type { ComponentChildren } from 'preact'
import type { Failure } from '../api.ts'
import { t } from '../i18n/i18n.ts'
import { problemText } from '../i18n/option-words.ts'
import { visible } from '../web-text.ts'
import { Button } from './button.tsx'
import { Icon } from './icon.tsx'

type Tone = 'note' | 'success' | 'warning' | 'error'

export function Notice({
  tone = 'note',
  title,
  urgent = false,
  children,
}: {
  readonly tone?: Tone
  readonly title?: string
  /** Read out at once when it appears. */
  readonly urgent?: boolean
  readonly children?: ComponentChildren
}) {
  const icon = tone === 'note' ? 'note' : tone === 'success' ? 'completed' : 'warning'
  return (
    <div class={`notice ${tone}`} role={urgent ? 'alert' : undefined}>
      <Icon name={icon} />
      <div class="notice-body">
        {title && <strong>{title}</strong>}
        {children}
      </div>
    </div>
  )
}

/** A failure in words. The server's own words are shown as they are: they name what is wrong. */
export function failureText({ status, message }: Failure): string {
  if (status === 0) return t('failure.offline')
  if (message !== '') return visible(message, 500)
  return t('failure.unexpected', { status: String(status) })
}

export function FailureNotice({
  failure,
  onRetry,
}: {
  readonly failure: Failure
  readonly onRetry?: () => void
}) {
  return (
    <Notice tone="error" urgent title={failureText(failure)}>
      {failure.problems.length > 0 && (
        <ul>
          {failure.problems.slice(0, 20).map(({ at, message }) => (
            <li key={`${at} ${message}`}>
              <code>{visible(at, 80)}</code> {visible(problemText(message))}
            </li>
          ))}
        </ul>
      )}
      {onRetry && (
        <p>
          <Button small look="quiet" onClick={onRetry}>
            {t('action.retry')}
          </Button>
        </p>
      )}
    </Notice>
  )
}

/** Nothing is here yet: says why, and what to do. */
export function EmptyState({
  title,
  children,
}: {
  readonly title: string
  readonly children?: ComponentChildren
}) {
  return (
    <div class="empty">
      <h2>{title}</h2>
      {children}
    </div>
  )
}
