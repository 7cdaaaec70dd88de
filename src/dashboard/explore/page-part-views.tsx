// The parts of a page besides text and links: each folded, those that are empty left out.
import type { ComponentChildren, VNode } from 'preact'
import type { PageInFull } from '../../reads/shapes/page.ts'
import { WebLink, WebText } from '../components/web-text.tsx'
import { t } from '../i18n/i18n.ts'
import { visible } from '../web-text.ts'
import { Fold, Shown } from './fold.tsx'
import {
  type CodeRow,
  codeRows,
  type FormRow,
  formRows,
  type ImageRow,
  imageRows,
  type JsonLines,
  jsonLines,
  type ListRow,
  listRows,
  type TableRow,
  tableRows,
} from './page-parts.ts'

export function PageParts({ page }: { readonly page: PageInFull }) {
  const images = imageRows(page.images)
  const scripts = codeRows(page.scripts)
  const styles = codeRows(page.styles)
  const about = jsonLines(page.about)
  const fields = jsonLines(page.fields)
  return (
    <>
      <Part title={t('page.fields')} count={fields.lines.length}>
        {() => <About about={fields} />}
      </Part>
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

function WebTable({ table, number }: { readonly table: TableRow; readonly number: number }) {
  const { caption, headers, rows } = table
  return (
    <Shown rows={rows} first={20} step={100}>
      {(shown) => (
        <section
          class="table-scroll"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
          tabIndex={0}
          aria-label={t('page.tableNumber', { n: number })}
        >
          <table class="table web-table">
            <caption>
              {caption === '' ? t('page.tableNumber', { n: number }) : <WebText text={caption} />}
            </caption>
            {headers.length > 0 && (
              <thead>
                <tr>
                  {headers.slice(0, 50).map((header, at) => (
                    <th key={at} scope="col">
                      <WebText text={header} most={120} />
                    </th>
                  ))}
                </tr>
              </thead>
            )}
            <tbody>
              {shown.map((cells, at) => (
                <tr key={at}>
                  {cells.slice(0, 50).map((cell, column) => (
                    <td key={column}>
                      <WebText text={cell} />
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </Shown>
  )
}

function WebForm({ form }: { readonly form: FormRow }) {
  return (
    <div class="web-form">
      <p>
        <code>{visible(form.method, 12)}</code> <WebLink url={form.action} most={160} />
      </p>
      <Shown rows={form.fields} first={20} step={100}>
        {(fields) => (
          <ul>
            {fields.map(({ name, type, label, required }, at) => (
              <li key={at}>
                <WebText text={label || name} most={120} />{' '}
                <span class="muted">
                  {[name, type].map((word) => visible(word, 60)).join(', ')}
                  {required && `, ${t('page.required')}`}
                </span>
              </li>
            ))}
          </ul>
        )}
      </Shown>
    </div>
  )
}

function WebList({ list: { ordered, entries } }: { readonly list: ListRow }) {
  const List = ordered ? 'ol' : 'ul'
  return (
    <Shown rows={entries} first={12} step={100}>
      {(shown) => (
        <List class="web-list">
          {shown.map((entry, at) => (
            <li key={at}>
              <WebText text={entry} />
            </li>
          ))}
        </List>
      )}
    </Shown>
  )
}

function About({ about: { lines, cut } }: { readonly about: JsonLines }) {
  return (
    <>
      <ul class="json">
        {lines.map(({ depth, name, text }, at) => (
          <li key={at} style={{ paddingInlineStart: `${depth * 1.25}rem` }}>
            <span class="muted">{visible(name, 80)}</span>{' '}
            {text !== null && <WebText text={text} />}
          </li>
        ))}
      </ul>
      {cut && <p class="muted">{t('page.cut')}</p>}
    </>
  )
}

function Images({ images }: { readonly images: readonly ImageRow[] }) {
  return (
    <Shown rows={images}>
      {(rows) => (
        <ul class="links">
          {rows.map(({ src, alt, size }, at) => (
            <li key={at}>
              {alt === '' ? <span class="muted">{t('page.noAlt')}</span> : <WebText text={alt} />}
              <WebLink url={src} most={160} />
              {size !== '' && <span class="muted number">{size}</span>}
            </li>
          ))}
        </ul>
      )}
    </Shown>
  )
}

/** Scripts or style sheets. */
function Code({ rows }: { readonly rows: readonly CodeRow[] }) {
  return (
    <Shown rows={rows}>
      {(shown) => (
        <ul class="links">
          {shown.map(({ url, facts }, at) => (
            <li key={at}>
              {url === '' ? t('page.inline') : <WebLink url={url} most={160} />}
              <span class="muted">{visible(facts, 120)}</span>
            </li>
          ))}
        </ul>
      )}
    </Shown>
  )
}
