// Pause, resume, stop, go on with more pages, look again, remove. What cannot be undone asks first.
import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import type { JobSummary } from '../../reads/shapes/job.ts'
import { type Answer, type Failure, post, remove } from '../api.ts'
import { Button } from '../components/button.tsx'
import { TextField } from '../components/field.tsx'
import type { IconName } from '../components/icon.tsx'
import { FailureNotice } from '../components/notice.tsx'
import { t } from '../i18n/i18n.ts'
import { goTo, hrefTo } from '../router.ts'
import { visible } from '../web-text.ts'
import { actionsFor, canGoOn } from './job-words.ts'

type Order = 'pause' | 'resume' | 'stop' | 'remove' | 'goOn' | 'refresh'

export function JobActions({
  job,
  onDone,
  small = false,
}: {
  readonly job: JobSummary
  readonly onDone: () => void
  /** In a row of a table: shapes only, with names for the pointer and for screen readers. */
  readonly small?: boolean
}) {
  const [busy, setBusy] = useState<Order | null>(null)
  const [asks, setAsks] = useState<Order | null>(null)
  const [failure, setFailure] = useState<Failure | null>(null)
  const can = actionsFor(job)
  const give = async (order: Order, body?: unknown): Promise<void> => {
    setBusy(order)
    const answer = await carryOut(job.id, order, body)
    setBusy(null)
    setFailure(answer.ok ? null : answer.failure)
    if (answer.ok && order === 'remove') goTo(hrefTo('jobs'))
    onDone()
  }
  const button = (order: Order, icon: IconName, ask: boolean) => (
    <Button
      small={small}
      icon={icon}
      look={small ? 'bare' : order === 'remove' ? 'danger' : 'plain'}
      disabled={busy !== null}
      label={`${t(`action.${order}`)}: ${visible(job.name, 80)} (${job.id})`}
      onClick={() => (ask ? setAsks(order) : void give(order))}
    >
      <span class={small ? 'narrow-only' : undefined}>
        {busy === order ? t('action.busy') : t(`action.${order}`)}
      </span>
    </Button>
  )
  return (
    <div class="job-actions">
      <div class="row">
        {can.pause && button('pause', 'paused', false)}
        {can.resume && button('resume', 'running', false)}
        {canGoOn(job) && button('goOn', 'running', true)}
        {can.refresh && button('refresh', 'again', false)}
        {can.stop && button('stop', 'stopped', true)}
        {can.remove && button('remove', 'remove', true)}
        {job.elsewhere && !small && <span class="muted small">{t('job.elsewhere')}</span>}
      </div>
      {failure && <FailureNotice failure={failure} />}
      {asks === 'goOn' && (
        <GoOnDialog
          job={job}
          onGoOn={(most) => void give('goOn', { max_pages: most })}
          onClose={() => setAsks(null)}
        />
      )}
      {(asks === 'stop' || asks === 'remove') && (
        <ConfirmDialog
          title={t(asks === 'stop' ? 'confirm.stop' : 'confirm.remove', { id: job.id })}
          confirm={t(asks === 'stop' ? 'action.stop' : 'action.remove')}
          onConfirm={() => void give(asks)}
          onClose={() => setAsks(null)}
        >
          {t(asks === 'stop' ? 'confirm.stopText' : 'confirm.removeText', { n: job.stored })}
        </ConfirmDialog>
      )}
    </div>
  )
}

function carryOut(jobId: string, order: Order, body?: unknown): Promise<Answer<unknown>> {
  if (order === 'remove') return remove(`/crawl/${jobId}`)
  return post(`/crawl/${jobId}/${order === 'goOn' ? 'resume' : order}`, body)
}

/** Asks before something is done that cannot be undone. Escape and the first button leave all as it is. */
function ConfirmDialog({
  title,
  children,
  confirm,
  onConfirm,
  onClose,
}: {
  readonly title: string
  readonly children: ComponentChildren
  /** What the button says that does it. */
  readonly confirm: string
  readonly onConfirm: () => void
  readonly onClose: () => void
}) {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  // The browser keeps the focus inside, and gives it back to where it was.
  useEffect(() => dialog.current?.showModal(), [])
  return (
    <dialog
      ref={dialog}
      class="dialog"
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-text`}
      onClose={onClose}
    >
      <h2 id={`${id}-title`}>{title}</h2>
      <p id={`${id}-text`}>{children}</p>
      <div class="row">
        <Button onClick={() => dialog.current?.close()}>{t('action.cancel')}</Button>
        <Button
          look="danger"
          onClick={() => {
            dialog.current?.close()
            onConfirm()
          }}
        >
          {confirm}
        </Button>
      </div>
    </dialog>
  )
}

/** A crawl that ended at its limit of pages goes on with a larger one: asks which. */
function GoOnDialog({
  job,
  onGoOn,
  onClose,
}: {
  readonly job: JobSummary
  readonly onGoOn: (maxPages: number) => void
  readonly onClose: () => void
}) {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  const [text, setText] = useState(String(job.max_pages * 2))
  const [tried, setTried] = useState(false)
  const most = readLimit(text, job.max_pages)
  useEffect(() => dialog.current?.showModal(), [])
  const goOn = (): void => {
    setTried(true)
    if (most === null) return
    dialog.current?.close()
    onGoOn(most)
  }
  return (
    <dialog ref={dialog} class="dialog" aria-labelledby={`${id}-title`} onClose={onClose}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          goOn()
        }}
      >
        <h2 id={`${id}-title`}>{t('confirm.goOn', { id: job.id })}</h2>
        <p>{t('confirm.goOnText', { stored: job.stored, n: job.queued })}</p>
        <TextField
          id={`${id}-most`}
          label={t('form.maxPages')}
          inputMode="numeric"
          value={text}
          error={
            tried && most === null ? t('form.tooSmall', { min: job.max_pages + 1 }) : undefined
          }
          onChange={setText}
        />
        <div class="row dialog-end">
          <Button onClick={() => dialog.current?.close()}>{t('action.cancel')}</Button>
          <Button look="primary" submits>
            {t('action.goOn')}
          </Button>
        </div>
      </form>
    </dialog>
  )
}

/** A limit above the one it ended at; null when it is none. */
function readLimit(text: string, before: number): number | null {
  const value = Number(text.trim())
  return Number.isSafeInteger(value) && value > before ? value : null
}
