// A row of the table of pages; a grey bar while it is on its way.
import { memo } from 'preact/compat'
import type { PageRow } from '../../reads/shapes/page.ts'
import { Bar } from '../components/stat.tsx'
import { WebText } from '../components/web-text.tsx'
import { formatBytes, formatCount, formatRate } from '../format.ts'
import { t } from '../i18n/i18n.ts'
import { goTo } from '../router.ts'
import { visible } from '../web-text.ts'
import { PageMarks } from './page-facts.tsx'
import type { RowState } from './row-blocks.ts'
import { kindName } from './words.ts'

type PageTableRowProps = {
  readonly id: string
  readonly at: number
  readonly top: number
  readonly pageId: number
  readonly page: RowState<PageRow>
  readonly active: boolean
  readonly focused: boolean
  readonly hrefOf: (id: number) => string
  readonly onPick: (at: number) => void
}

// A scroll changes a few rows of many: the others need no second look.
export const PageTableRow = memo(
  Row,
  (before, after) =>
    before.page === after.page &&
    before.top === after.top &&
    before.active === after.active &&
    before.focused === after.focused &&
    before.pageId === after.pageId,
)

function Row({ id, at, top, pageId, page, active, focused, hrefOf, onPick }: PageTableRowProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a table element cannot leave rows out
    // biome-ignore lint/a11y/useKeyWithClickEvents: the grid takes the keys
    // biome-ignore lint/a11y/useFocusableInteractive: the grid has the focus
    <div
      id={id}
      class={active ? 'page-row active' : 'page-row'}
      role="row"
      aria-rowindex={at + 2}
      aria-selected={active}
      style={{ top: `${top}px` }}
      onClick={() => onPick(at)}
      onDblClick={() => goTo(hrefOf(pageId))}
    >
      {page ? (
        <Cells page={page} focused={focused} href={hrefOf(pageId)} />
      ) : (
        <Blank gone={page === null} />
      )}
    </div>
  )
}

function Cells({
  page,
  focused,
  href,
}: {
  readonly page: PageRow
  readonly focused: boolean
  readonly href: string
}) {
  const title = page.title.trim()
  return (
    <>
      <Cell name="id">{formatCount(page.id)}</Cell>
      <Cell name="title">
        <a class="row-link" href={href} tabIndex={-1}>
          {title === '' ? t('pages.untitled') : <WebText text={title} most={160} />}
        </a>
        <PageMarks page={page} />
      </Cell>
      <Cell name="url">
        <bdi title={visible(page.url, 2000)}>
          {visible(page.url.replace(/^https?:\/\//, ''), 200)}
        </bdi>
      </Cell>
      <Cell name="kind">{kindName(page.kind)}</Cell>
      <Cell name="language">{visible(page.language, 12)}</Cell>
      <Cell name="depth">{formatCount(page.depth)}</Cell>
      <Cell name="size_bytes">{formatBytes(page.size_bytes)}</Cell>
      {focused && (
        <Cell name="relevance">
          {page.relevance !== null && (
            <>
              <Bar share={page.relevance} />
              {formatRate(page.relevance)}
            </>
          )}
        </Cell>
      )}
    </>
  )
}

function Cell({
  name,
  children,
}: {
  readonly name: string
  readonly children: preact.ComponentChildren
}) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: see above
    // biome-ignore lint/a11y/useFocusableInteractive: the grid has the focus
    <div class={`cell ${name}`} role="gridcell">
      {children}
    </div>
  )
}

function Blank({ gone }: { readonly gone: boolean }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: see above
    // biome-ignore lint/a11y/useFocusableInteractive: the grid has the focus
    <div class="cell title muted" role="gridcell">
      {gone ? t('pages.rowGone') : <span class="row-blank">{t('shell.loading')}</span>}
    </div>
  )
}
