// What a search asks for, by the names of its parameters over HTTP; saved searches are kept so.
import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import { CrawlerError } from '../../core/errors.ts'
import { PAGE_KINDS } from '../../core/page.ts'
import { COLUMN_NAMES } from '../../core/search-field.ts'
import { MAX_RANK_WEIGHT, SORTS } from '../../search/search-index.ts'
import { JobId } from './job.ts'

export const SEARCH_PARAMETERS = {
  q: Type.String({
    description:
      'words, "phrases", prefix*, -not, OR, title:word, anchor:word, site:host, filetype:html; whatever is typed is a query, and of a ' +
      'very long one the beginning counts',
  }),
  columns: Type.Optional(
    Type.String({
      maxLength: 200,
      description: `look only in these, by comma: ${COLUMN_NAMES.join(', ')}`,
      examples: ['title,description'],
    }),
  ),
  crawl: Type.Optional(JobId),
  host: Type.Optional(Type.String({ maxLength: 300 })),
  language: Type.Optional(Type.String({ maxLength: 40 })),
  kind: Type.Optional(Type.Enum([...PAGE_KINDS])),
  hot: Type.Optional(Type.Boolean()),
  topic: Type.Optional(
    Type.String({
      maxLength: 10_000,
      description: 'hot pages of crawls about this; the facet `topics` has what there is',
    }),
  ),
  since: Type.Optional(
    Type.String({
      maxLength: 40,
      description: 'fetched since: a day, a time, or how long ago, such as 7d, 12h or 30m',
      examples: ['2026-11-01', '7d'],
    }),
  ),
  until: Type.Optional(
    Type.String({ maxLength: 40, description: 'fetched until: a day counts whole' }),
  ),
  published_since: Type.Optional(
    Type.String({ maxLength: 40, description: 'published since, as pages say themselves' }),
  ),
  published_until: Type.Optional(
    Type.String({ maxLength: 40, description: 'published until, as pages say themselves' }),
  ),
  sort: Type.Optional(
    Type.Enum([...SORTS], {
      description: 'by relevance if absent; else the newest first, of the 10,000 best matches',
    }),
  ),
  all: Type.Optional(
    Type.Boolean({ description: 'near-duplicates as hits of their own; otherwise the best' }),
  ),
  exact: Type.Optional(Type.Boolean({ description: 'no other forms of the words' })),
  rank_weight: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: MAX_RANK_WEIGHT,
      description: 'what the links to a page weigh beside its words; 0: nothing; 0.1 if absent',
    }),
  ),
}

export const SavedRequest = Type.Object(SEARCH_PARAMETERS, { additionalProperties: false })
export type SavedRequest = Static<typeof SavedRequest>

/** From its JSON. */
export function savedRequestFrom(json: string): SavedRequest {
  const request: unknown = JSON.parse(json)
  if (Value.Check(SavedRequest, request)) return request
  throw new CrawlerError('store-damaged', 'a saved search cannot be read: save it again')
}

const Time = Type.Integer()

export const SavedSearchShape = Type.Object({
  name: Type.String(),
  request: SavedRequest,
  saved_at: Time,
  /** The change of the store up to which it was asked for what is new. */
  seen: Type.Integer(),
  /** When that was; null: never. */
  seen_at: Type.Union([Time, Type.Null()]),
})

export const SavedSearchList = Type.Object({ searches: Type.Array(SavedSearchShape) })
export type SavedSearchList = Static<typeof SavedSearchList>
