// Shapes of 16 by 16. Each stands beside a word, so none of them is read out.
import type { JobSummary } from '../../reads/shapes/job.ts'
import { t } from '../i18n/i18n.ts'

const SHAPES = {
  running: 'M4 3v10l9-5z',
  paused: 'M4 3h3v10H4zm5 0h3v10H9z',
  stopped: 'M4 4h8v8H4z',
  completed: 'M6.5 12.200 2.800 8.500l1.200-1.200 2.500 2.500 5.500-5.500 1.200 1.200z',
  incomplete: 'M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2m0 1.500a4.500 4.500 0 0 1 0 9z',
  failed:
    'm8 6.800 3.100-3.100 1.200 1.200L9.200 8l3.100 3.100-1.200 1.200L8 9.200l-3.100 3.100-1.200-1.200L6.800 8 3.700 4.900l1.200-1.200z',
  started:
    'M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2m0 1.500a4.500 4.500 0 1 1 0 9 4.500 4.500 0 0 1 0-9m-.7 1.800v3.200l2.500 1.500.7-1.200L8.700 7.700V5.300z',
  warning: 'M8 1.500 15 14H1zm-.7 4.500v4h1.400V6zm0 5v1.500h1.400V11z',
  note: 'M8 1.500a6.500 6.500 0 1 0 0 13 6.500 6.500 0 0 0 0-13M7.300 4.500h1.400V6H7.300zm0 2.700h1.400v4.300H7.300z',
  add: 'M7.200 2.500h1.600v4.700h4.700v1.600H8.800v4.700H7.200V8.800H2.500V7.200h4.700z',
  remove: 'M6 2h4l.6 1H14v1.500H2V3h3.400zM3.500 5.500h9L12 14H4z',
  again:
    'M8 2.500a5.500 5.500 0 1 0 5.200 7.300l-1.500-.5A4 4 0 1 1 8 4c1.100 0 2.100.4 2.800 1.200L9 7h5V2l-2.100 2.100A5.500 5.500 0 0 0 8 2.500',
  outside:
    'M9.500 2H14v4.500h-1.500V4.600L7.600 9.500 6.500 8.400l4.900-4.900H9.500zM3 4h4v1.500H4.500v6h6V9H12v4H3z',
} as const
export type IconName = keyof typeof SHAPES

export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <path d={SHAPES[name]} fill-rule="evenodd" />
    </svg>
  )
}

/** A job's status as shape and word. */
export function StatusBadge({ status }: { readonly status: JobSummary['status'] }) {
  return (
    <span class={`status ${status}`}>
      <Icon name={status} />
      {t(`status.${status}`)}
    </span>
  )
}
