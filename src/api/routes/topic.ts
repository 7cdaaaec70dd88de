// Shows what a topic in words would look for, for the form that starts a crawl and for other clients. Nothing
// is fetched and nothing is saved.
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { TOPIC_KINDS } from '../../core/topic-text.ts'
import type { ApiDeps } from '../api-deps.ts'
import { decodeTopic } from '../decode-crawl.ts'
import { topicBody } from '../shapes/crawl-body.ts'
import { ApiError } from '../shapes/error.ts'

const Text = Type.String()
const LookedForShape = Type.Object({
  kind: Type.Enum([...TOPIC_KINDS]),
  /** The languages of the pages, if the topic is a language. */
  languages: Type.Array(Text),
  /** The language whose stems are used; '' for none. */
  stems: Text,
  /** Heaviest first. */
  words: Type.Array(
    Type.Object({
      stem: Text,
      forms: Type.Array(Text, { description: 'as they were typed' }),
      weight: Type.Number({ description: '1 for a word of mean weight' }),
    }),
  ),
  /** Stop words in the input. */
  dropped: Type.Array(Text),
})
const Answer = Type.Object({ topic: Type.Union([LookedForShape, Type.Null()]) })

export function topicRoutes(deps: ApiDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.post('/topic', {
      config: { withoutStore: true },
      // The schema is for readers; the decoder uses the same table and gives better messages.
      validatorCompiler: () => () => true,
      schema: {
        summary: 'The words that a topic in words looks for, with their weights',
        tags: ['server'],
        body: topicBody(deps),
        response: { 200: Answer, 400: ApiError },
      },
      handler: async ({ body }) => {
        const request = decodeTopic(body, deps)
        if (request === null) return { topic: null }
        const { kind, languages, stems, words, dropped } = deps.showTopic(request)
        return {
          topic: {
            kind,
            languages: [...languages],
            stems,
            words: words.map(({ stem, forms, weight }) => ({ stem, forms: [...forms], weight })),
            dropped: [...dropped],
          },
        }
      },
    })
  }
}
