// Asks before something is done that cannot be undone. Escape and the first button leave all as it is.
import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'
import { t } from '../i18n/i18n.ts'
import { Button } from './button.tsx'

export function ConfirmDialog({
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
