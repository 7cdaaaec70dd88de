// The table of pages: only the rows that are seen are in the document, the keyboard moves over all.
// For a screen reader it is a grid of as many rows as there are pages; the row it is on is told by
// `aria-activedescendant`, so that the focus never sits on a row that is scrolled away.
import type { TargetedKeyboardEvent } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { PageRow } from '../../reads/shapes/page.ts'
import { t } from '../i18n/i18n.ts'
import { goTo } from '../router.ts'
import { NARROW, useMedia } from '../state/preferences.ts'
import type { PageQuery, Sort } from './page-query.ts'
import { PageTableRow } from './page-table-row.tsx'
import {
  type RowBlocks,
  rowAfterKey,
  rowWindow,
  scrollTopFor,
  type TableView,
} from './row-blocks.ts'

/** Pixels, as the style sheet has them. */
const ROW_HEIGHT = 36
const NARROW_ROW_HEIGHT = 60
const HEAD_HEIGHT = 36

/** The position in a table, for the way back. */
export type TablePlace = { scrollTop: number; active: number }

type PageTableProps = {
  readonly blocks: RowBlocks<PageRow>
  readonly query: PageQuery
  /** Whether there is a relevance to show. */
  readonly focused: boolean
  readonly place: TablePlace
  readonly hrefOf: (id: number) => string
  readonly onSort: (sort: Sort) => void
}

export function PageTable({ blocks, query, focused, place, hrefOf, onSort }: PageTableProps) {
  const scroller = useRef<HTMLDivElement>(null)
  const rowHeight = useMedia(NARROW) ? NARROW_ROW_HEIGHT : ROW_HEIGHT
  const [seen, setSeen] = useState({ scrollTop: place.scrollTop, viewHeight: 600 })
  const [active, setActive] = useState(place.active)
  const view: TableView = { ...seen, rowHeight, rows: blocks.length }
  const { first, end } = rowWindow(view)
  const current = Math.min(active, blocks.length - 1)

  useEffect(() => blocks.want(first, end), [blocks, first, end])
  useLayoutEffect(() => {
    const element = scroller.current
    if (element === null) return
    const measure = (): void =>
      setSeen({
        scrollTop: element.scrollTop,
        viewHeight: Math.max(rowHeight, element.clientHeight - HEAD_HEIGHT),
      })
    element.scrollTop = place.scrollTop
    measure()
    const resized = new ResizeObserver(measure)
    resized.observe(element)
    return () => resized.disconnect()
  }, [blocks, rowHeight])

  const scrolled = (element: HTMLElement): void => {
    place.scrollTop = element.scrollTop
    setSeen((before) => ({ ...before, scrollTop: element.scrollTop }))
  }
  const moveTo = (row: number): void => {
    place.active = row
    setActive(row)
    if (scroller.current) scroller.current.scrollTop = scrollTopFor(row, view)
  }
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLElement>): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    // On a header's button the keys are the button's.
    if (event.target !== event.currentTarget) return
    const id = blocks.id(current)
    if (event.key === 'Enter' && id !== null) goTo(hrefOf(id))
    const row = rowAfterKey(event.key, current, view)
    if (row === null) return
    event.preventDefault()
    moveTo(row)
  }

  return (
    // biome-ignore lint/a11y/useSemanticElements: a table element cannot leave rows out
    <div
      ref={scroller}
      class={focused ? 'page-table focused' : 'page-table'}
      role="grid"
      tabIndex={0}
      aria-label={t('pages.table')}
      aria-rowcount={blocks.length + 1}
      aria-activedescendant={blocks.length > 0 ? rowId(current) : undefined}
      onScroll={(event) => scrolled(event.currentTarget)}
      onKeyDown={onKeyDown}
    >
      <PageTableHead query={query} focused={focused} onSort={onSort} />
      {/* biome-ignore lint/a11y/useSemanticElements: see above */}
      <div class="page-rows" role="rowgroup" style={{ height: `${blocks.length * rowHeight}px` }}>
        {Array.from({ length: end - first }, (_, offset) => first + offset).map((at) => (
          <PageTableRow
            key={blocks.id(at)}
            id={rowId(at)}
            at={at}
            top={at * rowHeight}
            pageId={blocks.id(at) ?? 0}
            page={blocks.row(at)}
            active={at === current}
            focused={focused}
            hrefOf={hrefOf}
            onPick={moveTo}
          />
        ))}
      </div>
    </div>
  )
}

const rowId = (at: number): string => `page-row-${at}`

type Column = { readonly name: Sort | 'kind' | 'language'; readonly sort: Sort | null }

const COLUMNS: readonly Column[] = [
  { name: 'id', sort: 'id' },
  { name: 'title', sort: 'title' },
  { name: 'url', sort: 'url' },
  { name: 'kind', sort: null },
  { name: 'language', sort: null },
  { name: 'depth', sort: 'depth' },
  { name: 'size_bytes', sort: 'size_bytes' },
  { name: 'relevance', sort: 'relevance' },
]

/** The header of the table of pages: each column that can be sorted by is a button. */
function PageTableHead({
  query,
  focused,
  onSort,
}: {
  readonly query: PageQuery
  readonly focused: boolean
  readonly onSort: (sort: Sort) => void
}) {
  const shown = COLUMNS.filter(({ name }) => focused || name !== 'relevance')
  return (
    // biome-ignore lint/a11y/useSemanticElements: rows of a grid that leaves rows out
    <div class="page-table-head" role="rowgroup">
      {/* biome-ignore lint/a11y/useSemanticElements: see above */}
      {/* biome-ignore lint/a11y/useFocusableInteractive: the grid has the focus */}
      <div class="page-row" role="row" aria-rowindex={1}>
        {shown.map((column) => (
          <Header key={column.name} column={column} query={query} onSort={onSort} />
        ))}
      </div>
    </div>
  )
}

function Header({
  column: { name, sort },
  query,
  onSort,
}: {
  readonly column: Column
  readonly query: PageQuery
  readonly onSort: (sort: Sort) => void
}) {
  const isSorted = sort !== null && query.sort === sort
  const direction = query.descending ? 'descending' : 'ascending'
  return (
    // biome-ignore lint/a11y/useSemanticElements: see above
    // biome-ignore lint/a11y/useFocusableInteractive: its button has the focus
    <div
      class={`cell ${name}`}
      role="columnheader"
      aria-sort={sort === null ? undefined : isSorted ? direction : 'none'}
    >
      {sort === null ? (
        t(`column.${name}`)
      ) : (
        <button type="button" class={isSorted ? 'sorted' : ''} onClick={() => onSort(sort)}>
          {t(`column.${name}`)}
          <span class="sort-arrow" aria-hidden="true">
            {isSorted ? (query.descending ? '▼' : '▲') : ''}
          </span>
        </button>
      )}
    </div>
  )
}
