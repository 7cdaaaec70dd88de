// The parts of a page besides text and links: each folded, those that are empty left out.
import type { ComponentChildren, VNode } from 'preact'
import type { PageInFull } from '../../reads/shapes/page.ts'
import { t } from '../i18n/i18n.ts'
import { Fold, Shown } from './fold.tsx'
import { jsonLines } from './json-lines.ts'
import { codeRows, formRows, imageRows, listRows, tableRows } from './page-parts.ts'
import { About, Code, Images, WebForm, WebList, WebTable } from './web-parts.tsx'

export function PageParts({ page }: { readonly page: PageInFull }) {
  const images = imageRows(page.images)
  const scripts = codeRows(page.scripts)
  const styles = codeRows(page.styles)
  const about = jsonLines(page.about)
  return (
    <>
      <Several title={t('page.tables')} rows={tableRows(page.tables)} first={3}>
        {(table, at) => <WebTable table={table} number={at + 1} />}
      </Several>
      <Part title={t('page.images')} count={images.length}>
        {() => <Images images={images} />}
      </Part>
      <Several title={t('page.forms')} rows={formRows(page.forms)} first={5}>
        {(form) => <WebForm form={form} />}
      </Several>
      <Several title={t('page.lists')} rows={listRows(page.lists)} first={10}>
        {(list) => <WebList list={list} />}
      </Several>
      <Part title={t('page.about')} count={about.lines.length}>
        {() => <About about={about} />}
      </Part>
      <Part title={t('page.scripts')} count={scripts.length}>
        {() => <Code rows={scripts} />}
      </Part>
      <Part title={t('page.styles')} count={styles.length}>
        {() => <Code rows={styles} />}
      </Part>
    </>
  )
}

function Part(props: {
  readonly title: string
  readonly count: number
  readonly children: () => ComponentChildren
}) {
  return props.count === 0 ? null : <Fold {...props} />
}

/** Large things of one kind, a few at a time. */
function Several<Row>({
  title,
  rows,
  first,
  children,
}: {
  readonly title: string
  readonly rows: readonly Row[]
  readonly first: number
  readonly children: (row: Row, at: number) => VNode
}) {
  return (
    <Part title={title} count={rows.length}>
      {() => (
        <Shown rows={rows} first={first} step={first * 4}>
          {(shown) => (
            <>
              {shown.map((row, at) => (
                <div key={at}>{children(row, at)}</div>
              ))}
            </>
          )}
        </Shown>
      )}
    </Part>
  )
}
