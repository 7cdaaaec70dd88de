// There is nothing to draw: not yet, or never.
import { EmptyState } from '../components/empty-state.tsx'
import { t } from '../i18n/i18n.ts'
import { hasEnded } from '../job/job-words.ts'
import type { LiveJob } from '../state/live-job.ts'

/** While it is not known how many pages each host has. */
export const NO_HOSTS: Readonly<Record<string, number>> = {}

export function NoMap({ live }: { readonly live: LiveJob }) {
  const job = live.job.value
  const isOver = job !== null && hasEnded(job)
  const text = !isOver ? 'map.noneText' : job.stored === 0 ? 'map.noneEver' : 'map.noneHere'
  return (
    <EmptyState title={t(isOver ? 'map.nothing' : 'map.none')}>
      <p>{t(text)}</p>
    </EmptyState>
  )
}
