// Links from and to a page.
import { useState } from 'preact/hooks'
import type { PageInFull } from '../../reads/shapes/page.ts'
import { TextField } from '../components/field.tsx'
import { WebLink, WebText } from '../components/web-text.tsx'
import { t } from '../i18n/i18n.ts'
import { hrefTo } from '../router.ts'
import { visible } from '../web-text.ts'
import { Shown } from './fold.tsx'

type LinkOut = NonNullable<PageInFull['links']>[number]
type LinkIn = PageInFull['links_in']['pages'][number]

/** From here on a field helps. */
const MANY = 12

export function LinksOut({
  jobId,
  links,
}: {
  readonly jobId: string
  readonly links: readonly LinkOut[]
}) {
  const [text, setText] = useState('')
  const wanted = text.trim().toLowerCase()
  const matching = links.filter(({ url, anchor }) =>
    [url, anchor].some((part) => part.toLowerCase().includes(wanted)),
  )
  return (
    <>
      {links.length > MANY && (
        <TextField
          id="filter-links"
          label={t('page.filterLinks')}
          value={text}
          onChange={setText}
        />
      )}
      {matching.length === 0 && (
        <p class="muted">{t(links.length === 0 ? 'page.noLinksOut' : 'page.noLinksMatch')}</p>
      )}
      <Shown key={wanted} rows={matching}>
        {(rows) => (
          <ul class="links">
            {rows.map((link, at) => (
              <li key={at}>
                <Anchor text={link.anchor} />
                <WebLink url={link.url} most={200} />
                {typeof link.page_id === 'number' && (
                  <a href={hrefTo('page', { jobId, pageId: link.page_id })}>
                    {t('page.storedPage')}
                  </a>
                )}
                {link.rel !== '' && <code>{visible(link.rel, 60)}</code>}
              </li>
            ))}
          </ul>
        )}
      </Shown>
    </>
  )
}

export function LinksIn({
  jobId,
  linksIn: { total, pages },
}: {
  readonly jobId: string
  readonly linksIn: PageInFull['links_in']
}) {
  return (
    <>
      {total === 0 && <p class="muted">{t('page.noLinksIn')}</p>}
      {total > pages.length && <p class="muted">{t('page.linksInFirst', { n: pages.length })}</p>}
      <Shown rows={pages}>
        {(rows) => (
          <ul class="links">
            {rows.map((link) => (
              <li key={link.id}>
                <a href={hrefTo('page', { jobId, pageId: link.id })}>
                  <WebText text={nameOf(link)} most={160} />
                </a>
                <Anchor text={link.anchor} />
              </li>
            ))}
          </ul>
        )}
      </Shown>
    </>
  )
}

const nameOf = ({ title, url }: LinkIn): string => (title.trim() === '' ? url : title)

function Anchor({ text }: { readonly text: string }) {
  if (text.trim() === '') return null
  return (
    <q>
      <WebText text={text} most={160} />
    </q>
  )
}
