// A job's status as shape and word.
import type { JobGlance } from '../../reads/shapes/job.ts'
import { t } from '../i18n/i18n.ts'
import { Icon } from './icon.tsx'

export function StatusBadge({ status }: { readonly status: JobGlance['status'] }) {
  return (
    <span class={`status ${status}`}>
      <Icon name={status} />
      {t(`status.${status}`)}
    </span>
  )
}
