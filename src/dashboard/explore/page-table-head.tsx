// The header of the table of pages: each column that can be sorted by is a button.
import { t } from '../i18n/i18n.ts'
import type { PageQuery, Sort } from './page-query.ts'

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

export function PageTableHead({
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
