// Search for pages of other sites: one crawl at a time, of those that the operator opened, and little of each
// hit. All that it costs is bounded: the query, the hits, the requests per address, and the searches under way.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyInstance } from 'fastify'
import { type Static, Type } from 'typebox'
import { given } from '../../lib/present.ts'
import type { WorkspaceReads } from '../../reads/reads.ts'
import type { SearchResult, Suggestions } from '../../reads/shapes/page.ts'
import { withoutStrayQuotes } from '../../search/query.ts'
import type { Search } from '../../search/search-index.ts'
import type { JobReader } from '../../store/job-store.ts'
import type { ApiDeps, PublicSearch } from '../api-deps.ts'
import { answerTo, Refusal } from '../errors.ts'
import { answerPreflight, isPublicKey } from '../public-door.ts'
import { ApiError } from '../shapes/error.ts'
import { PublicResult, PublicSuggestions } from '../shapes/public-result.ts'
import { networkOf } from '../sign-in.ts'

const WINDOW_MS = 10_000
/** One thread searches, for the dashboard too: nobody waits for more than these. */
const MAX_UNDER_WAY = 16
const MAX_QUERY = 200
const MAX_TITLE = 300
/** Characters of a word before it stands for all words that begin with it. */
const MIN_PREFIX = 3

const PublicQuery = Type.Object(
  {
    key: Type.String({ maxLength: 512, description: 'the public key' }),
    q: Type.String({ maxLength: MAX_QUERY, description: 'what to search for' }),
    crawl: Type.Optional(
      Type.String({
        maxLength: 200,
        description: 'one of the public crawls, as --public-crawl names it; the first if absent',
      }),
    ),
    typing: Type.Optional(
      Type.Boolean({ description: 'the last word may go on: words that begin with it match, too' }),
    ),
    limit: Type.Integer({ minimum: 1, maximum: 20, default: 10 }),
    offset: Type.Integer({ minimum: 0, maximum: 200, default: 0 }),
  },
  { additionalProperties: false },
)
type PublicQuery = Static<typeof PublicQuery>

const SuggestQuery = Type.Object(
  {
    ...Type.Pick(PublicQuery, ['key', 'q', 'crawl']).properties,
    limit: Type.Integer({ minimum: 1, maximum: 10, default: 5 }),
  },
  { additionalProperties: false },
)

/** Words that go on with what was typed, in an answer of the search. */
const WORDS = 3

const ERRORS = { 400: ApiError, 401: ApiError, 403: ApiError, 404: ApiError }

export function publicSearchRoutes(deps: ApiDeps): FastifyPluginAsyncTypebox {
  const { settings, reads, jobs } = deps
  const open = settings.publicSearch
  return async (app) => {
    if (open === null) return
    answerLittleOnErrors(app, deps)
    const bounded = boundedBy(MAX_UNDER_WAY)
    const config = { publicSearch: true, rateLimit: rateOf(open) }
    // After the limit of requests, so that guesses count, and before anything is read.
    const preValidation = async ({ query }: { readonly query: unknown }): Promise<void> => {
      if (!isPublicKey(Object(query).key, open)) throw new Refusal(401, 'the key is wrong')
    }
    for (const path of ['/public/search', '/public/suggest']) {
      app.options(path, {
        config: { publicSearch: true },
        schema: { hide: true },
        handler: async (_request, reply) => answerPreflight(reply),
      })
    }
    app.get('/public/search', {
      ...{ config, preValidation },
      schema: {
        summary: 'Search, from a page of a site that is listed',
        tags: ['search'],
        security: [],
        querystring: PublicQuery,
        response: { 200: PublicResult, ...ERRORS },
      },
      handler: async ({ query }) => {
        const crawlId = await publicCrawl(query.crawl, open, jobs)
        if (crawlId === null) return nothingYet(query.q)
        const search = (text: string) => {
          const synonyms = settings.synonyms?.for(text)
          return reads.searchAsIs({ ...searchFor(text, query, crawlId), ...given({ synonyms }) })
        }
        return bounded(async () => ({
          ...(await answer(query, search)),
          words: query.typing === true ? await wordsFor(query.q, crawlId, reads) : [],
        }))
      },
    })
    app.get('/public/suggest', {
      ...{ config, preValidation },
      schema: {
        summary: 'Words and titles as you type, for a page of a site that is listed',
        tags: ['search'],
        security: [],
        querystring: SuggestQuery,
        response: { 200: PublicSuggestions, ...ERRORS },
      },
      handler: async ({ query: { q, crawl, limit } }) => {
        const crawlId = await publicCrawl(crawl, open, jobs)
        if (crawlId === null) return { query: q, words: [], titles: [] }
        const found = await bounded(() => reads.suggest({ text: q, limit, crawlIds: [crawlId] }))
        return shownSuggestions(found)
      },
    })
  }
}

type Bounded = <T>(work: () => Promise<T>) => Promise<T>

/** Refuses what would wait behind too many others. */
function boundedBy(most: number): Bounded {
  let underWay = 0
  return async (work) => {
    if (underWay >= most) {
      throw new Refusal(503, 'too many search at the moment', { headers: { 'retry-after': '1' } })
    }
    underWay++
    try {
      return await work()
    } finally {
      underWay--
    }
  }
}

/** Texts that the last word may become, others than what was typed. */
async function wordsFor(
  text: string,
  crawlId: number,
  reads: Pick<WorkspaceReads, 'suggest'>,
): Promise<string[]> {
  if (/\s$/.test(text)) return []
  const { words } = await reads.suggest({ text, limit: WORDS + 1, crawlIds: [crawlId] })
  const typed = text.toLowerCase()
  return words.flatMap((one) => (one.text.toLowerCase() === typed ? [] : one.text)).slice(0, WORDS)
}

function shownSuggestions({ query, words, titles }: Suggestions): PublicSuggestions {
  return {
    query,
    words: words.map(({ text }) => text),
    titles: titles.map(({ url, title, title_marks }) => ({ url, ...cutTitle(title, title_marks) })),
  }
}

function cutTitle(title: string, marks: readonly (readonly number[])[]) {
  const inside = marks.filter(([, end = 0]) => end <= MAX_TITLE)
  return { title: title.slice(0, MAX_TITLE), title_marks: inside.map((mark) => [...mark]) }
}

function rateOf({ rate }: PublicSearch) {
  return {
    max: rate,
    timeWindow: WINDOW_MS,
    keyGenerator: ({ ip }: { readonly ip: string }) => networkOf(ip),
  }
}

/** The same answer for a crawl that is not public and one that does not exist: names are not told. */
async function publicCrawl(
  asked: string | undefined,
  { crawls }: PublicSearch,
  jobs: JobReader,
): Promise<number | null> {
  const name = asked ?? crawls[0]
  if (!crawls.includes(name)) throw new Refusal(404, 'this crawl cannot be searched here')
  // A number is never taken for a name, nor a name for a number: a later crawl must not take its place.
  const digits = /^(?:crawl_)?(\d{1,15})$/.exec(name)?.[1]
  const job = await (digits === undefined ? jobs.findByName(name) : jobs.get(Number(digits)))
  return job?.id ?? null
}

function searchFor(text: string, { limit, offset }: PublicQuery, crawlId: number): Search {
  return { text, limit, offset, filter: { crawlId } }
}

/** A public crawl may be started later. */
function nothingYet(query: string): PublicResult {
  return { query, total: 0, suggestion: null, words: [], hits: [], index: 'empty' }
}

type Found = Omit<PublicResult, 'words'>

/** At most two searches. */
async function answer(
  { q, typing = false }: PublicQuery,
  search: (text: string) => Promise<SearchResult>,
): Promise<Found> {
  const goingOn = typing ? withOpenEnd(q) : null
  if (goingOn !== null) {
    const found = await search(goingOn)
    // Its suggestion would be one for the query that we made: a misspelt word is asked for as it was typed.
    if (found.total > 0 && found.typos.length === 0)
      return { ...shown(found), query: q, suggestion: null }
  }
  return shown(await search(q))
}

/** The last word as it is, or as a beginning; null if it cannot go on. */
export function withOpenEnd(query: string): string | null {
  const last = /(?:^|\s)([\p{L}\p{N}\p{M}]+)$/u.exec(query)?.[1] ?? ''
  const isInQuotes = withoutStrayQuotes(query).split('"').length % 2 === 0
  if (isInQuotes || [...last].length < MIN_PREFIX || /^(?:AND|NOT)$/.test(last)) return null
  return `${query} OR ${last}*`
}

/** Only what a visitor needs of a result: no other crawls, no numbers of pages, no scores. */
function shown({ query, total, suggestion, hits, index }: SearchResult): Found {
  return {
    query,
    total,
    suggestion,
    hits: hits.map(({ url, title, snippet, title_marks, snippet_marks, language }) => ({
      url,
      ...cutTitle(title, title_marks),
      snippet,
      snippet_marks,
      language,
    })),
    index,
  }
}

/** Faults of the server have one text for strangers; the log has the rest. */
function answerLittleOnErrors(app: FastifyInstance, { log }: ApiDeps): void {
  app.setErrorHandler((error, _request, reply) => {
    const { status, body, headers } = answerTo(error, log)
    reply.status(status).headers(headers)
    if (status < 500) return reply.send(body)
    return reply.send({ error: { code: 'unavailable', message: 'search is not available now' } })
  })
}

/** The search box that sites include. It changes with a new version of the server. */
const BOX_CACHE = 'public, max-age=3600'

/** `/search.js`: one file, for any page; what it asks is guarded above. */
export function searchBoxRoute({ assetsDir, settings }: ApiDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    if (settings.publicSearch === null) return
    app.get('/search.js', {
      config: { everywhere: true, rateLimit: false },
      schema: { hide: true },
      handler: async (_request, reply) => {
        const file = join(assetsDir ?? '', 'search.js')
        if (assetsDir === null || !existsSync(file)) {
          throw new Refusal(404, 'the search box is not built: npm run build')
        }
        return reply
          .type('text/javascript; charset=utf-8')
          .header('access-control-allow-origin', '*')
          .header('cross-origin-resource-policy', 'cross-origin')
          .header('cache-control', BOX_CACHE)
          .send(readFileSync(file))
      },
    })
  }
}
