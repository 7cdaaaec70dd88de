// Pages and jobs as the contract suites use them.
import type { Job } from '../../src/core/job.ts'
import type { NewPage, PageFields } from '../../src/core/page.ts'
import { type CanonicalUrl, canonicalise } from '../../src/core/url.ts'
import { DEFAULT_SETTINGS } from '../../src/options/settings.ts'
import type { PageToSave } from '../../src/store/page-store.ts'

export function urlFor(text: string): CanonicalUrl {
  const url = canonicalise(text.includes('//') ? text : `http://${text}`)
  if (url === null) throw new Error(`not a URL: ${text}`)
  return url
}

export function sampleFields(url: string, changes: Partial<PageFields> = {}): PageFields {
  return {
    url: urlFor(url),
    canonicalUrl: null,
    statusCode: 200,
    contentType: 'text/html',
    charset: 'utf-8',
    title: `Title of ${url}`,
    description: 'A page about pages.',
    keywords: 'one, two',
    language: 'en',
    author: 'Nobody',
    publishedAt: 1_699_000_000_000,
    contentText: `The text of ${url}.`,
    markdown: '',
    kind: 'article',
    html5: true,
    hot: false,
    relevance: 0.25,
    depth: 1,
    sizeBytes: 1000,
    truncated: false,
    noindex: false,
    contentHash: `hash of ${url}`,
    fetchedAt: 1_700_000_000_000,
    fetchMs: 12,
    parseMs: 0.75,
    etag: '"abc"',
    lastModified: 'Tue, 14 Nov 2023 22:13:20 GMT',
    about: '{"site_name":"A"}',
    ...changes,
  }
}

let lastUrlId = 0

export function sample(
  url: string,
  changes: Partial<PageFields> = {},
  rest: Partial<Omit<NewPage, 'fields'>> & { readonly receipt?: Uint8Array } = {},
): PageToSave {
  const { receipt = new TextEncoder().encode(`receipt of ${url}`), parts = {}, html = null } = rest
  return {
    page: { fields: sampleFields(url, changes), parts, html },
    urlId: ++lastUrlId,
    receipt,
  }
}

export function sampleJob(changes: Partial<Job> = {}): Omit<Job, 'id' | 'salt'> {
  const seeds = [urlFor('a.test/')]
  return {
    name: 'sample',
    origin: 'cli',
    seeds,
    settings: DEFAULT_SETTINGS,
    topic: null,
    ...changes,
  }
}
