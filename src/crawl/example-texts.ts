// Turns an example into text. It is separate from the sources of examples, since most crawls have none, and
// the code that fetches and parses them takes longer to load than everything else a crawl starts with.
import { partRows } from '../core/page.ts'
import { type CanonicalUrl, canonicalise } from '../core/url.ts'
import type { Example } from '../options/examples-file.ts'
import type { PageText } from '../topic/topic.ts'

/** A text given by the user belongs to no page. */
export function textPage({ title, text }: Extract<Example, { kind: 'text' }>): PageText {
  return { url: NOWHERE, title, description: '', text, anchors: [] }
}

/** The text of the address counts, too. This address belongs to nobody and contains no word. */
const NOWHERE = canonicalise('http://[::]/') ?? raise('there is no such address')

function raise(why: string): never {
  throw new Error(why)
}

/** Null if it contains no text. */
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
