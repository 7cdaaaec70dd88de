// Searches that somebody saved under a name: kept, listed, asked again, and asked for what is new.
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { given } from '../../lib/present.ts'
import { SearchResult } from '../../reads/shapes/page.ts'
import {
  SavedRequest,
  SavedSearchList,
  SavedSearchShape,
  savedRequestFrom,
} from '../../reads/shapes/search-request.ts'
import {
  MAX_SAVED,
  MAX_SAVED_NAME,
  type SavedSearch,
  type SavedSearches,
} from '../../store/saved-searches.ts'
import type { ApiDeps } from '../api-deps.ts'
import { Refusal } from '../errors.ts'
import { findJob } from '../job-views.ts'
import { ApiError } from '../shapes/error.ts'
import { searchFrom } from './search.ts'

/** No control characters: PostgreSQL refuses a NUL, and nobody sees the others. */
const Name = Type.Object({
  name: Type.String({ minLength: 1, maxLength: MAX_SAVED_NAME, pattern: '^[^\\x00-\\x1f\\x7f]+$' }),
})
const tags = ['search']

/** None where nothing can be saved. */
export function savedSearchRoutes(deps: ApiDeps): FastifyPluginAsyncTypebox {
  const { saved } = deps
  return async (app) => {
    if (saved === undefined) return
    await app.register(keepingRoutes(deps, saved))
    await app.register(askingRoutes(deps, saved))
  }
}

function keepingRoutes(
  { jobs, reads, clock }: ApiDeps,
  saved: SavedSearches,
): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get('/saved-searches', {
      schema: {
        ...{ summary: 'Saved searches, by name', tags },
        response: { 200: SavedSearchList },
      },
      handler: async () => ({ searches: (await saved.list()).map(shownFrom) }),
    })
    app.put('/saved-searches/:name', {
      schema: {
        ...{ summary: 'Save a search; what is new counts from now', tags },
        params: Name,
        body: SavedRequest,
        response: { 200: SavedSearchShape, 400: ApiError, 404: ApiError, 409: ApiError },
      },
      handler: async ({ params: { name }, body }) => {
        const crawlId = body.crawl === undefined ? undefined : (await findJob(jobs, body.crawl)).id
        // Tells what is wrong with it, and how far the index is.
        const asked = searchFrom({ ...body, limit: 1, offset: 0 }, crawlId, clock.now())
        const { cursor: seen } = await reads.search(asked)
        const search = { name, request: JSON.stringify(body), savedAt: clock.now(), seen }
        if (await saved.save(search)) return shownFrom({ ...search, seenAt: null })
        throw new Refusal(409, `there are ${MAX_SAVED} saved searches: remove some first`)
      },
    })
    app.delete('/saved-searches/:name', {
      schema: {
        ...{ summary: 'Remove a saved search', tags },
        params: Name,
        response: { 200: Type.Object({ removed: Type.String() }), 404: ApiError },
      },
      handler: async ({ params: { name } }) => {
        if (!(await saved.remove(name))) throw nothingNamed(name)
        return { removed: name }
      },
    })
  }
}

function askingRoutes(
  { jobs, reads, clock, settings }: ApiDeps,
  saved: SavedSearches,
): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get('/saved-searches/:name/hits', {
      schema: {
        ...{ summary: 'Ask a saved search', tags },
        params: Name,
        querystring: Type.Object(
          {
            new: Type.Optional(
              Type.Boolean({
                description: 'only pages that are new or changed since they were seen',
              }),
            ),
            limit: Type.Integer({ minimum: 1, maximum: 100, default: 10 }),
            offset: Type.Integer({ minimum: 0, maximum: 10_000, default: 0 }),
          },
          { additionalProperties: false },
        ),
        response: { 200: SearchResult, 400: ApiError, 404: ApiError },
      },
      handler: async ({ params: { name }, query: { new: onlyNew = false, limit, offset } }) => {
        const search = await saved.find(name)
        if (search === null) throw nothingNamed(name)
        const request = savedRequestFrom(search.request)
        const { crawl } = request
        const crawlId = crawl === undefined ? undefined : (await findJob(jobs, crawl)).id
        const after = onlyNew ? { changed_after: search.seen } : {}
        const asked = { ...request, ...after, limit, offset }
        const synonyms = settings.synonyms?.for(request.q)
        return reads.search({ ...searchFrom(asked, crawlId, clock.now()), ...given({ synonyms }) })
      },
    })
    app.post('/saved-searches/:name/seen', {
      schema: {
        ...{ summary: 'What changed up to the `cursor` of an answer was seen', tags },
        params: Name,
        body: Type.Object(
          { cursor: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }) },
          { additionalProperties: false },
        ),
        response: { 200: SavedSearchShape, 400: ApiError, 404: ApiError },
      },
      handler: async ({ params: { name }, body: { cursor } }) => {
        await saved.see(name, cursor, clock.now())
        const search = await saved.find(name)
        if (search === null) throw nothingNamed(name)
        return shownFrom(search)
      },
    })
  }
}

function shownFrom({ name, request, savedAt, seen, seenAt }: SavedSearch) {
  return { name, request: savedRequestFrom(request), saved_at: savedAt, seen, seen_at: seenAt }
}

function nothingNamed(name: string): Refusal {
  return new Refusal(404, `there is no saved search named ${JSON.stringify(name)}`)
}
