// The answers of the public search.
import { type Static, Type } from 'typebox'
import { INDEX_STATES } from '../../reads/shapes/page.ts'

const Marks = Type.Array(Type.Array(Type.Integer()))

export const PublicResult = Type.Object({
  query: Type.String(),
  total: Type.Integer(),
  /** Another query that finds more. */
  suggestion: Type.Union([Type.String(), Type.Null()]),
  /** Queries that this one may become, if its last word goes on. */
  words: Type.Array(Type.String()),
  hits: Type.Array(
    Type.Object({
      url: Type.String(),
      /** Plain text, as `snippet`; marks are [start, end) in UTF-16 units. */
      title: Type.String(),
      snippet: Type.String(),
      title_marks: Marks,
      snippet_marks: Marks,
      language: Type.String(),
    }),
  ),
  index: Type.Enum([...INDEX_STATES]),
})
export type PublicResult = Static<typeof PublicResult>

export const PublicSuggestions = Type.Object({
  query: Type.String(),
  /** What was typed, with its last word completed. */
  words: Type.Array(Type.String()),
  titles: Type.Array(Type.Object({ url: Type.String(), title: Type.String(), title_marks: Marks })),
})
export type PublicSuggestions = Static<typeof PublicSuggestions>
