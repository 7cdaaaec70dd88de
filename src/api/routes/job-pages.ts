// `GET /crawl/:id`: a job with its pages. However many there are, only some are in memory at a time, and
// they are read as fast as they are taken.
import { Readable } from 'node:stream'
import { type FastifyPluginAsyncTypebox, type TSchema, Type } from '@fastify/type-provider-typebox'
import type { JobRecord } from '../../core/job.ts'
import type { ApiWorld } from '../api-world.ts'
import { findJob, jobId } from '../job-id.ts'
import type { PlaceReads } from '../place-reads.ts'
import { ApiError } from '../shapes/error.ts'
import { type FetchedPage, JobWithPages } from '../shapes/job.ts'
import { JobParams } from './jobs.ts'

const CHUNK = 200
/** Otherwise pieces would be counted, however large they are. */
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

/** Without their types: what is sent is written by hand, piece by piece. */
const ANSWERS: Readonly<Record<number, TSchema>> = {
  200: JobWithPages,
  400: ApiError,
  404: ApiError,
}

export function jobPageRoutes({ jobs, reads, log }: ApiWorld): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get('/crawl/:id', {
      exposeHeadRoute: false,
      schema: {
        summary: 'A job with its pages, without duplicates',
        description:
          'Streams all pages. With after or limit it has a part of them, and the header Link names ' +
          'the next one (rel="next") while there is more.',
        tags: ['jobs'],
        params: JobParams,
        querystring: Part,
        response: ANSWERS,
      },
      // Before the pages: a job that was completed then has all of them.
      handler: async ({ params: { id }, query: { after = 0, limit } }, reply) => {
        const job = await findJob(jobs, id)
        reply.type('application/json; charset=utf-8')
        if (limit === undefined) {
          const body = Readable.from(written(job, allPages(reads, job.id, after)), AS_BYTES)
          body.on('error', (error) => log(`${id}: its pages could not be sent: ${error.message}`))
          return reply.send(body)
        }
        const part = await partOf(reads, job.id, after, limit)
        if (part.next !== null) {
          reply.header('link', `</crawl/${id}?after=${part.next}&limit=${limit}>; rel="next"`)
        }
        return reply.send(Readable.from(written(job, part.pages), AS_BYTES))
      },
    })
  }
}

/** The answer, piece by piece, in the order of the contract. */
async function* written(
  { id, status, seeds, settings, startedAt, endedAt }: JobRecord,
  pages: AsyncIterable<string> | Iterable<string>,
): AsyncGenerator<string> {
  const head = { id: jobId(id), status, seed_url: seeds[0] ?? '', max_pages: settings.maxPages }
  yield `{"job":${JSON.stringify(head).slice(0, -1)},"pages":[`
  let before = ''
  for await (const piece of pages) {
    yield `${before}${piece}`
    before = ','
  }
  const tail = { started_at: startedAt, ended_at: endedAt }
  yield `],${JSON.stringify(tail).slice(1)}}`
}

/** Never empty pieces: each has a page at least. */
async function* allPages(
  reads: PlaceReads,
  crawlId: number,
  after: number,
): AsyncGenerator<string> {
  for (let last: number | undefined = after; last !== undefined; ) {
    const pages = await reads.fetchedPages(crawlId, last, CHUNK)
    if (pages.length > 0) yield pages.map(pageJson).join(',')
    last = pages.at(-1)?.id
  }
}

type PagePart = { readonly pages: readonly string[]; readonly next: number | null }

async function partOf(
  reads: PlaceReads,
  crawlId: number,
  after: number,
  limit: number,
): Promise<PagePart> {
  const pages: string[] = []
  let last = after
  while (pages.length < limit) {
    const some = await reads.fetchedPages(crawlId, last, Math.min(CHUNK, limit - pages.length))
    const end = some.at(-1)?.id
    if (end === undefined) return { pages, next: null }
    pages.push(...some.map(pageJson))
    last = end
  }
  const [more] = await reads.fetchedPages(crawlId, last, 1)
  return { pages, next: more === undefined ? null : last }
}

/** Exactly these fields: the contract has no others. */
function pageJson({ url, status_code, title, links, crawled_at }: FetchedPage): string {
  return JSON.stringify({ url, status_code, title, links, crawled_at })
}
