// A crawl that ended at its limit of pages goes on with a larger one: asks which.
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import type { JobGlance } from '../../reads/shapes/job.ts'
import { Button } from '../components/button.tsx'
import { TextField } from '../components/field.tsx'
import { t } from '../i18n/i18n.ts'

export function GoOnDialog({
  job,
  onGoOn,
  onClose,
}: {
  readonly job: JobGlance
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
export function readLimit(text: string, before: number): number | null {
  const value = Number(text.trim())
  return Number.isSafeInteger(value) && value > before ? value : null
}
