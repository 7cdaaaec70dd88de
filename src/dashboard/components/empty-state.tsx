// Nothing is here yet: says why, and what to do.
import type { ComponentChildren } from 'preact'

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
