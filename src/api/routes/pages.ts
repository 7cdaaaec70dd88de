// The stored pages of a crawl: rows, ids in any order, one page in full, its HTML.
import { Readable } from 'node:stream'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply } from 'fastify'
import { type Static, Type } from 'typebox'
import { shown } from '../../core/errors.ts'
import { PAGE_KINDS } from '../../core/page.ts'
import { given } from '../../lib/present.ts'
import { BULK_FIELDS, type BulkField, isBulkField } from '../../reads/page-fields.ts'
import { PageIds, PageInFull, PageRows } from '../../reads/shapes/page.ts'
import { MAX_FILTER_TEXT, PAGE_SORTS, type PageFilter } from '../../store/page-reader.ts'
import type { ApiDeps } from '../api-deps.ts'
import { BadFields, type FieldProblem, Refusal } from '../errors.ts'
import { findJob } from '../job-views.ts'
import { ApiError } from '../shapes/error.ts'
import { JobParams } from './jobs.ts'

/** Maximum number of page ids in one answer. */
const MAX_PAGE_IDS = 200_000
const MAX_IDS = 500
const MAX_ROWS = 1000
const DEFAULT_ROWS = 100
/** Pages read at once when pages are sent in bulk. */
const PAGES_AT_ONCE = 200

const FILTERS = {
  text: Type.Optional(
    Type.String({ maxLength: MAX_FILTER_TEXT, description: 'part of the URL or the title' }),
  ),
  host: Type.Optional(Type.String({ maxLength: 300, examples: ['example.com'] })),
  kind: Type.Optional(Type.Enum([...PAGE_KINDS])),
  language: Type.Optional(Type.String({ maxLength: 40, examples: ['id'] })),
  hot: Type.Optional(Type.Boolean({ description: 'only hot pages, or only the others' })),
  min_relevance: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
  duplicates: Type.Optional(Type.Boolean({ description: 'with pages that repeat another' })),
}
const RowQuery = Type.Object(
  {
    ...FILTERS,
    after: Type.Optional(Type.Integer({ minimum: 0, description: '`next` of the part before' })),
    limit: Type.Optional(
      Type.Integer({
        ...{ minimum: 1, maximum: MAX_ROWS },
        description: `${DEFAULT_ROWS} by default; with fields: all`,
      }),
    ),
    ids: Type.Optional(
      Type.String({
        maxLength: 8000,
        description: `these pages: at most ${MAX_IDS} ids, by comma`,
      }),
    ),
    fields: Type.Optional(
      Type.String({
        maxLength: 1000,
        examples: ['url,title,text'],
        description: `a line of JSON with these fields for each page (NDJSON), all pages unless limit is given: ${BULK_FIELDS.join(', ')}`,
      }),
    ),
  },
  { additionalProperties: false },
)
const IdQuery = Type.Object(
  {
    ...FILTERS,
    sort: Type.Optional(Type.Enum([...PAGE_SORTS])),
    descending: Type.Optional(Type.Boolean()),
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: MAX_PAGE_IDS, default: MAX_PAGE_IDS }),
    ),
  },
  { additionalProperties: false },
)
const PageParams = Type.Object({ ...JobParams.properties, page: Type.String() })

/** Without types: bytes have none here. */
const HTML_ANSWERS: Readonly<Record<number, unknown>> = {
  200: {
    description: 'the bytes of the page',
    content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } },
  },
  404: ApiError,
}

type Filters = Static<typeof IdQuery>

export function pageRoutes({ jobs, reads }: ApiDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get('/crawl/:id/pages', {
      schema: {
        summary: 'Pages in rows, by id',
        tags: ['pages'],
        params: JobParams,
        querystring: RowQuery,
        response: { 200: PageRows, 400: ApiError, 404: ApiError },
      },
      handler: async ({ params, query }, reply) => {
        const { id: crawlId } = await findJob(jobs, params.id)
        const { fields, ...rest } = query
        if (fields !== undefined) {
          const lines = linesOf(reads, crawlId, { ...rest, fields: readFields(fields, rest) })
          return sendLines(reply, lines)
        }
        const { ids, after = 0, limit = DEFAULT_ROWS, ...filters } = rest
        if (ids === undefined) {
          return reads.pageRows(crawlId, { after, limit, filter: filterOf(filters) })
        }
        const wanted = readIds(ids, Object.keys({ ...filters, ...(after > 0 ? { after } : {}) }))
        return { pages: [...(await reads.rowsOf(crawlId, wanted))], next: null }
      },
    })
    app.get('/crawl/:id/page-ids', {
      schema: {
        summary: 'Ids of all pages that match, in order',
        description:
          'At most 200,000: what a table scrolls over, its rows being read by their ids.',
        tags: ['pages'],
        params: JobParams,
        querystring: IdQuery,
        response: { 200: PageIds, 400: ApiError, 404: ApiError },
      },
      handler: async ({ params, query }) => {
        const { id: crawlId } = await findJob(jobs, params.id)
        const { sort = 'id', descending = false, limit = MAX_PAGE_IDS, ...filters } = query
        return reads.pageIds(crawlId, { filter: filterOf(filters), sort, descending, limit })
      },
    })
    app.get('/crawl/:id/pages/:page', {
      schema: {
        summary: 'One page in full',
        tags: ['pages'],
        params: PageParams,
        querystring: Type.Object({}, { additionalProperties: false }),
        response: { 200: PageInFull, 404: ApiError },
      },
      handler: async ({ params }) => {
        const { id: crawlId } = await findJob(jobs, params.id)
        const number = pageNumber(params.page)
        const page = await reads.page(crawlId, number)
        if (page === null) throw noPage(params.page)
        return { ...page, links_in: await reads.linksIn(crawlId, number) }
      },
    })
    app.get('/crawl/:id/pages/:page/html', {
      schema: {
        summary: 'The HTML of a page, where its crawl keeps it (keep_html)',
        description: 'As the web sent it, brought to UTF-8: to be saved, never to be shown.',
        tags: ['pages'],
        params: PageParams,
        querystring: Type.Object({}, { additionalProperties: false }),
        response: HTML_ANSWERS,
      },
      handler: async ({ params }, reply) => {
        const { id: crawlId } = await findJob(jobs, params.id)
        const number = pageNumber(params.page)
        const html = await reads.html(crawlId, number)
        if (html === null) throw new Refusal(404, `the HTML of page ${number} was not kept`)
        reply.headers({
          'content-type': 'application/octet-stream',
          'content-disposition': `attachment; filename="crawl_${crawlId}-page-${number}.html"`,
          'content-security-policy': "default-src 'none'; sandbox",
        })
        return reply.send(Buffer.from(html.buffer, html.byteOffset, html.byteLength))
      },
    })
  }
}

type BulkAsked = Omit<Static<typeof RowQuery>, 'fields' | 'ids' | 'text'> & {
  readonly fields: readonly BulkField[]
}

/** A plain reply: the shape of the route is that of its JSON. */
function sendLines(reply: FastifyReply, lines: AsyncIterable<string>): FastifyReply {
  return reply.type('application/x-ndjson').send(Readable.from(lines))
}

/** Read as fast as the client takes them. */
async function* linesOf(
  reads: ApiDeps['reads'],
  crawlId: number,
  { fields, after: from = 0, limit = Number.MAX_SAFE_INTEGER, ...filters }: BulkAsked,
): AsyncGenerator<string> {
  const { kind: named, ...others } = filterOf(filters)
  const kind = PAGE_KINDS.find((known) => known === named)
  const filter = { ...others, ...given({ kind }) }
  let after = from
  for (let left = limit; left > 0; ) {
    const query = { after, limit: Math.min(left, PAGES_AT_ONCE), fields, filter }
    const { lines, last } = await reads.bulkPages(crawlId, query)
    if (last === null) return
    yield `${lines.join('\n')}\n`
    after = last
    left -= lines.length
  }
}

function readFields(text: string, { ids, text: part }: Static<typeof RowQuery>): BulkField[] {
  const names = [...new Set(text.split(',').map((name) => name.trim()))]
  const wrong = names.filter((name) => !isBulkField(name))
  const problems = [
    ...wrong.map((name) => ({ at: 'fields', message: `has no field ${shown(name)}` })),
    ...Object.entries({ ids, text: part }).flatMap(([at, value]) =>
      value === undefined ? [] : [{ at, message: 'does not go with fields' }],
    ),
  ]
  const [first, ...more] = problems
  if (first !== undefined) throw new BadFields([first, ...more])
  return names.filter(isBulkField)
}

function filterOf(query: Omit<Filters, 'sort' | 'descending'>): PageFilter {
  const { host, min_relevance: minRelevance, ...rest } = query
  return {
    ...rest,
    ...given({ host: host?.toLowerCase(), minRelevance }),
  }
}

/** `others`: parameters given beside the ids, which would have no effect. */
function readIds(text: string, others: readonly string[]): readonly number[] {
  const ids = text.split(',')
  const problems: FieldProblem[] = others.map((at) => ({ at, message: 'does not go with ids' }))
  if (ids.length > MAX_IDS) problems.push({ at: 'ids', message: `needs at most ${MAX_IDS} ids` })
  if (!ids.every((id) => NUMBER.test(id))) {
    problems.push({ at: 'ids', message: 'needs numbers with commas between them' })
  }
  const [first, ...more] = problems
  if (first !== undefined) throw new BadFields([first, ...more])
  return ids.map(Number)
}

const NUMBER = /^[1-9][0-9]{0,14}$/

function pageNumber(page: string): number {
  if (!NUMBER.test(page)) throw noPage(page)
  return Number(page)
}

function noPage(page: string): Refusal {
  return new Refusal(404, NUMBER.test(page) ? `there is no page ${page}` : 'pages have numbers')
}
