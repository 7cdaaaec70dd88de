// What a client can build a form from: `GET /options` has the options of a crawl and the orderings, `POST
// /topic` says what a topic in words would look for. Nothing is fetched and nothing is saved.
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { TOPIC_KINDS } from '../../core/topic-text.ts'
import { OPTION_KINDS } from '../../options/option.ts'
import { CARRIED } from '../../options/setting.ts'
import { OPTION_GROUPS } from '../../options/table.ts'
import { ORDERING_CHOICES } from '../../ordering/index.ts'
import type { ApiDeps } from '../api-deps.ts'
import { bodyOptions } from '../body-options.ts'
import { decodeTopic } from '../decode-crawl.ts'
import { topicBody } from '../shapes/crawl-body.ts'
import { ApiError } from '../shapes/error.ts'

const Text = Type.String()
const Figure = Type.Union([Type.Number(), Type.Null()])
const Options = Type.Object({
  options: Type.Array(
    Type.Object({
      name: Text,
      aliases: Type.Array(Text),
      kind: Type.Enum([...OPTION_KINDS]),
      group: Type.Enum([...OPTION_GROUPS]),
      help: Text,
      /** As it would be written; '' if there is none. */
      default: Text,
      choices: Type.Union([Type.Array(Text), Type.Null()]),
      min: Figure,
      max: Figure,
      /** A number that need not be an integer. */
      fraction: Type.Boolean(),
      /** What it carries instead of a file name or texts K=V; null: a plain value. */
      carries: Type.Union([Type.Enum([...CARRIED]), Type.Null()]),
      /** False if this server was not started with --allow-private. */
      allowed: Type.Boolean(),
    }),
  ),
  orderings: Type.Array(
    Type.Object({
      name: Text,
      about: Text,
      focused: Type.Boolean(),
      options: Type.Array(
        Type.Object({
          name: Text,
          help: Text,
          default: Type.Number(),
          min: Type.Number(),
          max: Type.Number(),
          whole: Type.Boolean(),
        }),
      ),
      /** Any other name is an option, too: a rule. Null if not. */
      rules: Type.Union([
        Type.Object({
          help: Text,
          min: Type.Number(),
          max: Type.Number(),
          /** Those that count without being given. */
          given: Type.Record(Type.String(), Type.Number()),
        }),
        Type.Null(),
      ]),
    }),
  ),
  limits: Type.Object({
    max_connections: Type.Integer(),
    /** The limits of a job; durations in seconds, delays in milliseconds. */
    min_delay: Type.Number(),
    max_pages: Type.Integer(),
    max_body: Type.Integer(),
    max_concurrency: Type.Integer(),
    max_per_host: Type.Integer(),
    max_duration: Figure,
  }),
  allow_private: Type.Boolean(),
  version: Text,
})

export function optionRoutes(deps: ApiDeps): FastifyPluginAsyncTypebox {
  const { settings } = deps
  const options = bodyOptions(deps).map(({ option, field, privileged, ceiling: _, ...rest }) => ({
    ...rest,
    name: field,
    aliases: [...rest.aliases],
    choices: rest.choices === null ? null : [...rest.choices],
    fraction: option.fraction ?? false,
    allowed: !privileged || settings.allowPrivate === true,
  }))
  const own = settings.plugins.flatMap(({ ordering }) => (ordering === null ? [] : [ordering]))
  const known = [...ORDERING_CHOICES, ...own.map((record) => ({ ...record, rules: undefined }))]
  const orderings = known.map(({ name, about, focused = false, options: own = [], rules }) => ({
    name,
    about,
    focused,
    options: own.map((option) => ({ ...option, whole: option.whole ?? false })),
    rules: rules === undefined ? null : { ...rules, given: { ...rules.given } },
  }))
  return async (app) => {
    app.get('/options', {
      config: { withoutStore: true },
      schema: {
        summary: 'What can be asked of a job',
        tags: ['server'],
        response: { 200: Options },
      },
      handler: async () => ({
        options,
        orderings,
        limits: limitsOf(deps),
        allow_private: settings.allowPrivate === true,
        version: settings.version,
      }),
    })
  }
}

function limitsOf({ settings: { ceilings }, dispatcher }: ApiDeps) {
  const { maxConnections } = dispatcher
  const { maxDurationMs } = ceilings
  return {
    max_connections: maxConnections,
    min_delay: ceilings.minDelayMs,
    max_pages: ceilings.maxPages,
    max_body: ceilings.maxBodyBytes,
    max_concurrency: Math.min(ceilings.maxConcurrency, maxConnections),
    max_per_host: ceilings.maxPerHost,
    max_duration: maxDurationMs === null ? null : maxDurationMs / 1000,
  }
}

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

/**
 * Shows what a topic in words would look for, for the form that starts a crawl and for other clients.
 * Nothing is fetched and nothing is saved.
 */
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
