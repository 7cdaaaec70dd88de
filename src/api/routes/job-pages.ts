// `GET /crawl/:id`: a job with its pages. Only some pages are in memory at a time, and they are read as fast
// as the client takes them.
import { Readable } from 'node:stream'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { type TSchema, Type } from 'typebox'
import { type JobRecord, jobId } from '../../core/job.ts'
import { reasonCode } from '../../core/visit.ts'
import type { WorkspaceReads } from '../../reads/reads.ts'
import { type FetchedPage, JobWithPages } from '../../reads/shapes/job.ts'
import type { UrlRows } from '../../reads/shapes/page.ts'
import type { UrlQuery } from '../../reads/urls.ts'
import type { ApiDeps } from '../api-deps.ts'
import { findJob } from '../job-views.ts'
import { ApiError } from '../shapes/error.ts'
import { JobParams } from './jobs.ts'

const CHUNK = 200
/** Otherwise chunks would be counted, however large they are. */
const AS_BYTES = { objectMode: false, highWaterMark: 65_536 }
const Part = Type.Object(
  {
    after: Type.Optional(Type.Integer({ minimum: 0, description: 'only pages after this one' })),
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 1000, description: 'at most so many' }),
    ),
  },
  { additionalProperties: false },
)

/** Without types, since the answer is written by hand, piece by piece. */
const ANSWERS: Readonly<Record<number, TSchema>> = {
  200: JobWithPages,
  400: ApiError,
  404: ApiError,
}

export function jobPageRoutes({ jobs, reads, log }: ApiDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get('/crawl/:id', {
      exposeHeadRoute: false,
      schema: {
        summary: 'A job with its pages, without duplicates, and the fetches that failed',
        description:
          'Streams all pages. With after or limit it has a part of them, and the header Link names ' +
          'the next one (rel="next") while there is more.',
        tags: ['jobs'],
        params: JobParams,
        querystring: Part,
        response: ANSWERS,
      },
      // Before the pages: if the job was completed then, it has all of them.
      handler: async ({ params: { id }, query: { after = 0, limit } }, reply) => {
        const job = await findJob(jobs, id)
        reply.type('application/json; charset=utf-8')
        const part = limit === undefined ? WHOLE : await partOf(reads, job.id, after, limit)
        if (part.next !== null) {
          reply.header('link', `</crawl/${id}?after=${part.next}&limit=${limit}>; rel="next"`)
        }
        const span = { after, upTo: part.upTo, atOnce: Math.min(CHUNK, limit ?? CHUNK) }
        // Failed fetches follow after the last page.
        const pages = inTurn(
          pagesBetween(reads, job.id, span),
          part.next === null ? failedFetches(reads, job.id) : NOTHING,
        )
        const body = Readable.from(written(job, pages), AS_BYTES)
        body.on('error', (error) => log(`${id}: its pages could not be sent: ${error.message}`))
        return reply.send(body)
      },
    })
  }
}

/** The answer, piece by piece, in the order of the contract. */
async function* written(
  { id, status, seeds, settings, startedAt, endedAt }: JobRecord,
  pages: AsyncIterable<string>,
): AsyncGenerator<string> {
  const head = {
    id: jobId(id),
    status,
    seed_url: settings.seedUrl ?? seeds[0] ?? '',
    max_pages: settings.maxPages,
  }
  yield `{"job":${JSON.stringify(head).slice(0, -1)},"pages":[`
  let before = ''
  for await (const piece of pages) {
    yield `${before}${piece}`
    before = ','
  }
  const tail = { started_at: startedAt, ended_at: endedAt }
  yield `],${JSON.stringify(tail).slice(1)}}`
}

/** Up to and including `upTo`. Each piece has at least one page. */
async function* pagesBetween(
  reads: WorkspaceReads,
  crawlId: number,
  { after, upTo, atOnce }: Span,
): AsyncGenerator<string> {
  for (let last = after; last < upTo; ) {
    const pages = await reads.fetchedPages(crawlId, last, atOnce)
    const wanted = pages.filter(({ id }) => id <= upTo)
    if (wanted.length > 0) yield wanted.map(pageJson).join(',')
    last = pages.at(-1)?.id ?? upTo
  }
}

const NOTHING: readonly string[] = []

async function* inTurn(
  ...all: readonly (AsyncIterable<string> | Iterable<string>)[]
): AsyncGenerator<string> {
  for (const some of all) yield* some
}

/** URLs that failed by themselves, and those that were given up with their host. */
const FAILED: readonly Pick<UrlQuery, 'state' | 'code'>[] = [
  { state: 'failed' },
  { state: 'refused', code: 'host-unreachable' },
  { state: 'refused', code: 'robots-unreachable' },
]

async function* failedFetches(reads: WorkspaceReads, crawlId: number): AsyncGenerator<string> {
  for (const which of FAILED) yield* failures(reads, crawlId, which)
}

async function* failures(
  reads: WorkspaceReads,
  crawlId: number,
  which: Pick<UrlQuery, 'state' | 'code'>,
): AsyncGenerator<string> {
  for (let after: number | null = 0; after !== null; ) {
    const { urls, next }: UrlRows = await reads.urls(crawlId, { ...which, after, limit: CHUNK })
    if (urls.length > 0) yield urls.map(failureJson).join(',')
    after = next
  }
}

/** With the status of the response, or the reason if there was none. */
function failureJson({ url, reason }: Pick<UrlRows['urls'][number], 'url' | 'reason'>): string {
  const status = /^http-(\d{3})$/.exec(reasonCode(reason))?.[1]
  return JSON.stringify(
    status === undefined ? { url, error: reason } : { url, status_code: Number(status) },
  )
}

type Span = { readonly after: number; readonly upTo: number; readonly atOnce: number }
/** `next`: the cursor of the next part; null if there is none. */
type PartEnd = { readonly upTo: number; readonly next: number | null }
const WHOLE: PartEnd = { upTo: Number.POSITIVE_INFINITY, next: null }

/** The end of the part, known before any of its links are read. */
async function partOf(
  reads: WorkspaceReads,
  crawlId: number,
  after: number,
  limit: number,
): Promise<PartEnd> {
  const { pages, next } = await reads.pageRows(crawlId, { after, limit, filter: {} })
  return { upTo: pages.at(-1)?.id ?? after, next }
}

/** Exactly these fields: the contract has no others. */
function pageJson({ url, status_code, title, links, crawled_at }: FetchedPage): string {
  return JSON.stringify({ url, status_code, title, links, crawled_at })
}
