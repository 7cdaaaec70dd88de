// Long parts of a page: folded until the reader opens them, and then not all at once.
import type { ComponentChildren, VNode } from 'preact'
import { useState } from 'preact/hooks'
import { Button } from '../components/button.tsx'
import { formatCount } from '../format.ts'
import { t } from '../i18n/i18n.ts'

/** A part with its title and how much is in it. What is inside is made when it is opened. */
export function Fold({
  title,
  count,
  open: openAtFirst = false,
  children,
}: {
  readonly title: string
  readonly count?: number
  readonly open?: boolean
  readonly children: () => ComponentChildren
}) {
  const [open, setOpen] = useState(openAtFirst)
  return (
    <details class="card fold" open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <h3>{title}</h3>
        {count !== undefined && <span class="muted number fold-count">{formatCount(count)}</span>}
      </summary>
      {open && <div class="fold-body">{children()}</div>}
    </details>
  )
}

/** The first ones, and a button that brings more. */
export function Shown<Row>({
  rows,
  first = 50,
  step = 200,
  children,
}: {
  readonly rows: readonly Row[]
  readonly first?: number
  readonly step?: number
  /** Draws the rows that are shown. */
  readonly children: (rows: readonly Row[]) => VNode
}) {
  const [most, setMost] = useState(first)
  const left = rows.length - most
  return (
    <>
      {children(rows.slice(0, most))}
      {left > 0 && (
        <p class="fold-more">
          <Button small onClick={() => setMost(most + step)}>
            {t('page.more', { n: Math.min(step, left) })}
          </Button>
        </p>
      )}
    </>
  )
}
