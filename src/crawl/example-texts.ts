// What is read of an example. Apart from where examples come from: most crawls have none, and whoever
// fetches and parses them takes longer to load than everything else a crawl starts with.
import { partRows } from '../core/page.ts'
import { type CanonicalUrl, canonicalise } from '../core/url.ts'
import type { Example } from '../options/examples-file.ts'
import type { PageText } from '../topic/topic.ts'

/** A text that somebody gave is on no page. */
export function textPage({ title, text }: Extract<Example, { kind: 'text' }>): PageText {
  return { url: NOWHERE, title, description: '', text, anchors: [] }
}

/** An address is read, too; this one is nobody's and has no word in it. */
const NOWHERE = canonicalise('http://[::]/') ?? raise('there is no such address')

function raise(why: string): never {
  throw new Error(why)
}

/** Null when there is nothing to read in it. */
export function pageTextOf(
  page: {
    readonly url: CanonicalUrl
    readonly title: string
    readonly description: string
    readonly contentText: string
  },
  links: string | undefined,
): PageText | null {
  const { url, title, description, contentText: text } = page
  const rows = links === undefined ? [] : partRows('links', links)
  const anchors = rows.map(({ anchor }) => String(anchor ?? '')).filter((anchor) => anchor !== '')
  const isEmpty = title === '' && text.trim() === '' && anchors.length === 0
  return isEmpty ? null : { url, title, description, text, anchors }
}
