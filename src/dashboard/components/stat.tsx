// A figure with its name; several of them stand in `Stats`.
import type { ComponentChildren } from 'preact'

export function Stats({ children }: { readonly children: ComponentChildren }) {
  return <dl class="stats">{children}</dl>
}

export function Stat({
  name,
  value,
  more,
}: {
  readonly name: string
  readonly value: ComponentChildren
  /** A second, smaller line. */
  readonly more?: ComponentChildren
}) {
  return (
    <div class="stat">
      <dt>{name}</dt>
      <dd>
        {value}
        {more && <span class="stat-more">{more}</span>}
      </dd>
    </div>
  )
}

/** How much of a whole; what it means must stand beside it in words. */
export function Bar({ share }: { readonly share: number }) {
  const percent = Math.min(100, Math.max(0, share * 100))
  return (
    <div class="bar" aria-hidden="true">
      <span style={{ width: `${percent}%` }} />
    </div>
  )
}
