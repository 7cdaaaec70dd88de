// The schema of the body of `POST /crawl`, made from the table of options, for the OpenAPI document and
// generated clients. The decoder uses the same table.
import { type TSchema, Type } from 'typebox'
import { WEBHOOK_EVENTS } from '../../core/job.ts'
import { given } from '../../lib/present.ts'
import type { Carried } from '../../options/setting.ts'
import { MAX_STOP_WORDS } from '../../options/stop-words.ts'
import { type BodyDeps, type BodyOption, bodyOptions } from '../body-options.ts'
import { type DecodeDeps, topicOptions } from '../decode-crawl.ts'
import { limitOptions } from '../decode-limits.ts'

const Url = Type.String({ description: 'where to start; https where no scheme is given' })
const Urls = Type.Array(Url, { maxItems: 10_000, description: 'several of them' })
const Example = Type.Union([
  Type.String({ description: 'a URL or a text' }),
  Type.Object({
    url: Type.Optional(Type.String()),
    text: Type.Optional(Type.String()),
    title: Type.Optional(Type.String()),
  }),
])
const webhookSchema = ({ settings }: BodyDeps): TSchema =>
  Type.Object(
    {
      url: Type.String({
        description: `called with POST${settings.allowPrivate === true ? '' : '; public addresses only'}`,
      }),
      secret: Type.String({ minLength: 16, maxLength: 256, description: 'signs every call' }),
      events: Type.Optional(Type.Array(Type.Enum([...WEBHOOK_EVENTS]))),
    },
    { additionalProperties: false, description: 'where to tell what becomes of the job' },
  )

export function crawlBody(deps: BodyDeps): TSchema {
  const options = bodyOptions(deps)
  return Type.Object(
    {
      url: Type.Optional(Url),
      urls: Type.Optional(Urls),
      seeds: Type.Optional({ ...Urls, description: 'the same as urls' }),
      name: Type.Optional(Type.String({ maxLength: 200, description: 'by default: its seeds' })),
      ...Object.fromEntries(options.flatMap(fieldsOf)),
      webhook: Type.Optional(webhookSchema(deps)),
    },
    {
      additionalProperties: false,
      examples: [
        { url: 'https://example.com', max_pages: 10 },
        { urls: ['https://example.com'], topic: 'public health', ordering: 'adaptive', limit: 500 },
      ],
    },
  )
}

/** The body of a resume request. */
export function limitsBody(deps: BodyDeps): TSchema {
  const options = limitOptions(deps).map((option) => ({ ...option, default: '' }))
  return Type.Object(Object.fromEntries(options.flatMap(fieldsOf)), {
    additionalProperties: false,
    description: 'limits to go on with, where they shall be others than before',
    examples: [{ max_pages: 500 }],
  })
}

/** The body of a request for what a topic looks for. */
export function topicBody(deps: DecodeDeps): TSchema {
  return Type.Object(Object.fromEntries(topicOptions(deps).flatMap(fieldsOf)), {
    additionalProperties: false,
    examples: [{ topic: 'vaccines and the immune system' }],
  })
}

function fieldsOf(option: BodyOption): [string, TSchema][] {
  const schema = Type.Optional(schemaOf(option))
  const same = Type.Optional({ ...schema, description: `the same as ${option.field}` })
  return [
    [option.field, schema],
    ...option.aliases.map((alias): [string, TSchema] => [alias, same]),
  ]
}

function schemaOf(option: BodyOption): TSchema {
  const { kind, choices, help } = option
  const about = { description: option.privileged ? `${help} (where the server allows it)` : help }
  if (option.carries !== null) return carriedSchema(option.carries, about)
  switch (kind) {
    case 'number':
      return numberSchema(option, about)
    case 'bytes':
      return Type.Union([Type.Integer(boundsOf(option)), Type.String()], about)
    case 'flag':
      if (option.option.takesWord !== undefined) return grantSchema(about)
      return Type.Boolean({ ...about, default: option.default === 'true' })
    case 'choice':
      return choiceSchema(option, choices ?? [], about)
    case 'list':
      return Type.Union([Type.Array(Type.String()), Type.String()], about)
    case 'text':
      return Type.String({
        ...about,
        ...(option.default === '' ? {} : { default: option.default }),
      })
  }
}

function carriedSchema(carried: Carried, about: About): TSchema {
  switch (carried) {
    case 'examples':
      return examplesSchema(about)
    case 'model':
      return Type.Record(Type.String(), Type.Unknown(), about)
    case 'words': {
      const words = Type.Array(Type.String(), { maxItems: MAX_STOP_WORDS })
      return Type.Union([words, Type.String()], about)
    }
    case 'pairs':
      return pairsSchema(about)
    case 'rules':
      return fieldRulesSchema(about)
  }
}

/** Rules for fields; the decoder says what is wrong with them. */
export function fieldRulesSchema(about: About): TSchema {
  return Type.Record(Type.String(), Type.Unknown(), {
    ...about,
    examples: [
      {
        rules: [
          {
            match: ['/shop/**'],
            fields: [{ name: 'price', selector: '.price', type: 'number' }],
          },
        ],
      },
    ],
  })
}

type About = { readonly description: string }

function numberSchema({ option, min, max, default: byDefault }: BodyOption, about: About): TSchema {
  const limits = {
    ...about,
    ...boundsOf({ min, max }),
    ...(/^[\d.]+$/.test(byDefault) ? { default: Number(byDefault) } : {}),
  }
  return option.fraction === true ? Type.Number(limits) : Type.Integer(limits)
}

function boundsOf({ min, max }: Pick<BodyOption, 'min' | 'max'>) {
  return given({ minimum: min, maximum: max })
}

function choiceSchema(
  { default: byDefault }: BodyOption,
  choices: readonly string[],
  about: About,
): TSchema {
  const known = choices.includes(byDefault) ? { default: byDefault } : {}
  return Type.Enum([...choices], { ...about, ...known })
}

function grantSchema(about: About): TSchema {
  return Type.Union([Type.Boolean(), Type.Array(Type.String())], about)
}

function pairsSchema(about: About): TSchema {
  const pairs = Type.Array(Type.String({ pattern: '^[^=]+=' }))
  const values = Type.Record(Type.String(), Type.Union([Type.Number(), Type.String()]))
  return Type.Union([pairs, values], about)
}

function examplesSchema(about: About): TSchema {
  const sides = Type.Object({
    positive: Type.Optional(Type.Array(Example)),
    negative: Type.Optional(Type.Array(Example)),
  })
  return Type.Union([sides, Type.String()], about)
}
