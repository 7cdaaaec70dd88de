// Pause, resume, stop, go on with more pages, look again, remove. What cannot be undone asks first.
import { useState } from 'preact/hooks'
import type { JobGlance } from '../../reads/shapes/job.ts'
import { type Answer, type Failure, post, remove } from '../api.ts'
import { Button } from '../components/button.tsx'
import { ConfirmDialog } from '../components/dialog.tsx'
import type { IconName } from '../components/icon.tsx'
import { FailureNotice } from '../components/notice.tsx'
import { t } from '../i18n/i18n.ts'
import { goTo, hrefTo } from '../router.ts'
import { visible } from '../web-text.ts'
import { GoOnDialog } from './go-on-dialog.tsx'
import { actionsFor, canGoOn } from './job-words.ts'

type Order = 'pause' | 'resume' | 'stop' | 'remove' | 'goOn' | 'refresh'

export function JobActions({
  job,
  onDone,
  small = false,
}: {
  readonly job: JobGlance
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
