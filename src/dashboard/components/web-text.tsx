// Texts and addresses from the web: as text, in a direction of their own, cut to a sane length.
import type { ComponentChildren } from 'preact'
import { t } from '../i18n/i18n.ts'
import { safeHref, visible } from '../web-text.ts'
import { Icon } from './icon.tsx'

export function WebText({ text, most }: { readonly text: string; readonly most?: number }) {
  const shown = visible(text, most)
  return (
    <bdi class="web-text" title={shown.endsWith('…') ? visible(text, 2000) : undefined}>
      {shown}
    </bdi>
  )
}

/** An address of the web as a link out, when it can be opened safely; else as text. */
export function WebLink({
  url,
  text = url,
  most,
  children,
}: {
  readonly url: string
  readonly text?: string
  readonly most?: number
  /** Shown instead of the text. */
  readonly children?: ComponentChildren
}) {
  const href = safeHref(url)
  const shown = children ?? <WebText text={text} {...(most === undefined ? {} : { most })} />
  if (href === null) return shown
  return (
    <a class="web-link" href={href} target="_blank" rel="noopener noreferrer nofollow">
      {shown} <Icon name="outside" />
      <span class="unseen">{t('link.newTab')}</span>
    </a>
  )
}
