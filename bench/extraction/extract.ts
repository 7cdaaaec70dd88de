// Jelajah's parser as one function from a page to what is judged of it: the whole parse, with all
// parts, exactly as a crawl does it. Other measuring programs can load this file, too.
import { PARTS } from '../../src/core/page.ts'
import { type CanonicalUrl, canonicalise } from '../../src/core/url.ts'
import { createPageParser } from '../../src/parser/parse-page.ts'
import type { HandoverHead } from '../../src/wire/handover.ts'

export type Extracted = {
  readonly text: string
  readonly title: string
  readonly author: string
  /** YYYY-MM-DD in UTC; '' when none was found. */
  readonly date: string
  readonly description: string
  readonly lang: string
  /** The kind of page it was taken for; '' when nothing is said about it. */
  readonly kind: string
}

export const name = 'Jelajah'

const NOTHING: Extracted = {
  text: '',
  title: '',
  author: '',
  date: '',
  description: '',
  lang: '',
  kind: '',
}

/** Some sets have pages without their address: it must not look like one with a date in it. */
const UNKNOWN_URL = 'https://unknown.test/page'

const parse = createPageParser({
  salt: 1,
  parts: PARTS,
  keepHtml: false,
  // More than any page of a set: cutting is the business of the one who crawls.
  maxBodyBytes: 64 << 20,
  readsNoindex: true,
})

export function extract(html: string, { url }: { readonly url?: string | null } = {}): Extracted {
  const parsed = parse(headOf(url ?? UNKNOWN_URL), Buffer.from(html))
  if (parsed.outcome !== 'page') return NOTHING
  const { contentText, title, author, about, description, language, kind } = parsed.page.fields
  return {
    text: contentText,
    title,
    author,
    date: publishedDayIn(about),
    description,
    lang: language,
    kind,
  }
}

/** The day as the page writes it; '' without one. */
function publishedDayIn(about: string): string {
  const { published_day: day } = JSON.parse(about)
  return typeof day === 'string' ? day : ''
}

/** Pages of the sets are stored as UTF-8, whatever they say of themselves. */
function headOf(url: string): HandoverHead {
  return {
    kind: 'page',
    id: 1,
    token: 1,
    url: canonicalise(url) ?? unknownUrl(),
    depth: 0,
    status: 200,
    contentType: 'text/html; charset=utf-8',
    contentEncoding: '',
    robotsTag: [],
    etag: '',
    lastModified: '',
    fetchedAt: Date.now(),
    fetchMs: 0,
    truncated: false,
  }
}

function unknownUrl(): CanonicalUrl {
  const url = canonicalise(UNKNOWN_URL)
  if (url === null) throw new Error('this URL is in order')
  return url
}
