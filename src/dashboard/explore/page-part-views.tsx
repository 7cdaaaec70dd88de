// The other parts of a page. Pictures are told, never fetched: looking at a page leaves no trace on
// the web.
import type { PageInFull } from '../../api/shapes/page.ts'
import { WebLink, WebText } from '../components/web-text.tsx'
import { t } from '../i18n/i18n.ts'
import { visible } from '../web-text.ts'
import { Fold, Shown } from './fold.tsx'
import { jsonLines } from './json-lines.ts'
import {
  type CodeRow,
  codeRows,
  type FormRow,
  formRows,
  imageRows,
  type ListRow,
  listRows,
  type TableRow,
  tableRows,
} from './page-parts.ts'

/** Those the page has; what is empty is left out. */
export function PageParts({ page }: { readonly page: PageInFull }) {
  const images = imageRows(page.images)
  const tables = tableRows(page.tables)
  const forms = formRows(page.forms)
  const lists = listRows(page.lists)
  const scripts = codeRows(page.scripts)
  const styles = codeRows(page.styles)
  const about = jsonLines(page.about)
  return (
    <>
      {tables.length > 0 && (
        <Fold title={t('page.tables')} count={tables.length}>
          {() => (
            <Shown rows={tables} first={3} step={10}>
              {(rows) => (
                <>
                  {rows.map((table, at) => (
                    <WebTable key={at} table={table} number={at + 1} />
                  ))}
                </>
              )}
            </Shown>
          )}
        </Fold>
      )}
      {images.length > 0 && (
        <Fold title={t('page.images')} count={images.length}>
          {() => (
            <Shown rows={images}>
              {(rows) => (
                <ul class="links">
                  {rows.map(({ src, alt, size }, at) => (
                    <li key={at}>
                      {alt === '' ? (
                        <span class="muted">{t('page.noAlt')}</span>
                      ) : (
                        <WebText text={alt} />
                      )}
                      <WebLink url={src} most={160} />
                      {size !== '' && <span class="muted number">{size}</span>}
                    </li>
                  ))}
                </ul>
              )}
            </Shown>
          )}
        </Fold>
      )}
      {forms.length > 0 && (
        <Fold title={t('page.forms')} count={forms.length}>
          {() => (
            <Shown rows={forms} first={5} step={20}>
              {(rows) => (
                <>
                  {rows.map((form, at) => (
                    <WebForm key={at} form={form} />
                  ))}
                </>
              )}
            </Shown>
          )}
        </Fold>
      )}
      {lists.length > 0 && (
        <Fold title={t('page.lists')} count={lists.length}>
          {() => (
            <Shown rows={lists} first={10} step={40}>
              {(rows) => (
                <>
                  {rows.map((list, at) => (
                    <WebList key={at} list={list} />
                  ))}
                </>
              )}
            </Shown>
          )}
        </Fold>
      )}
      {about.lines.length > 0 && (
        <Fold title={t('page.about')} count={about.lines.length}>
          {() => <About about={about} />}
        </Fold>
      )}
      <CodeFold title={t('page.scripts')} rows={scripts} />
      <CodeFold title={t('page.styles')} rows={styles} />
    </>
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

function About({ about: { lines, cut } }: { readonly about: ReturnType<typeof jsonLines> }) {
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

function CodeFold({ title, rows }: { readonly title: string; readonly rows: readonly CodeRow[] }) {
  if (rows.length === 0) return null
  return (
    <Fold title={title} count={rows.length}>
      {() => (
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
      )}
    </Fold>
  )
}
