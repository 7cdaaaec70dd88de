// The server's description of itself (OpenAPI), made ready to be read: operations by tag, their
// parameters, bodies and answers as lists of fields, and a command for each that can be tried.
import { t } from '../i18n/i18n.ts'

type Json = unknown
type Fields = Readonly<Record<string, unknown>>

export type Described = {
  /** `links[].url` for a field inside. */
  readonly name: string
  readonly type: string
  readonly about: string
  readonly needed: boolean
}

export type Operation = {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly summary: string
  readonly description: string
  readonly tag: string
  readonly parameters: readonly (Described & { readonly place: string })[]
  readonly body: readonly Described[]
  readonly answers: readonly {
    readonly status: string
    readonly about: string
    readonly fields: readonly Described[]
  }[]
  readonly curl: string
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const
const DEEPEST = 4
/** A body of all options has some dozens; nothing we describe has this many. */
const MOST_FIELDS = 200

export function operationsOf(document: Json, origin: string): readonly Operation[] {
  const { paths, components } = fieldsOf(document)
  const schemas = fieldsOf(fieldsOf(components).schemas)
  return Object.entries(fieldsOf(paths)).flatMap(([path, described]) =>
    METHODS.filter((method) => method in fieldsOf(described)).map((method) =>
      operationOf({
        method,
        path,
        operation: fieldsOf(fieldsOf(described)[method]),
        schemas,
        origin,
      }),
    ),
  )
}

type Place = {
  readonly method: string
  readonly path: string
  readonly operation: Fields
  readonly schemas: Fields
  readonly origin: string
}

function operationOf(place: Place): Operation {
  const { method, path, operation, schemas } = place
  const bodySchema = schemaIn(operation.requestBody)
  const parameters = listOf(operation.parameters).map((entry) => {
    const { name, description, required, schema } = fieldsOf(entry)
    const about = textOf(description) || textOf(fieldsOf(schema).description)
    const type = typeOf(schema, schemas)
    return {
      name: textOf(name),
      type,
      about,
      needed: required === true,
      place: textOf(fieldsOf(entry).in),
    }
  })
  const answers = Object.entries(fieldsOf(operation.responses)).map(([status, answer]) => ({
    status,
    about: textOf(fieldsOf(answer).description),
    fields: describedIn(schemaIn(answer), schemas),
  }))
  return {
    id: `${method} ${path}`,
    method: method.toUpperCase(),
    path,
    summary: textOf(operation.summary),
    description: textOf(operation.description),
    tag: textOf(listOf(operation.tags)[0]) || 'other',
    parameters,
    body: describedIn(bodySchema, schemas),
    answers,
    curl: curlOf(place, bodySchema),
  }
}

/** The schema of the JSON in a body or an answer. */
function schemaIn(entry: unknown): unknown {
  const content = fieldsOf(fieldsOf(entry).content)
  return fieldsOf(content['application/json'] ?? Object.values(content)[0]).schema
}

function describedIn(schema: unknown, schemas: Fields): readonly Described[] {
  const found: Described[] = []
  collect(schema, '', 0)
  return found

  function collect(given: unknown, name: string, depth: number): void {
    const { properties, required, items } = resolved(given, schemas)
    if (items !== undefined) collect(items, `${name}[]`, depth)
    if (properties === undefined || depth >= DEEPEST) return
    for (const [field, inner] of Object.entries(fieldsOf(properties))) {
      if (found.length >= MOST_FIELDS) return
      const full = name === '' ? field : `${name}.${field}`
      const about = textOf(resolved(inner, schemas).description)
      const needed = listOf(required).includes(field)
      found.push({ name: full, type: typeOf(inner, schemas), about, needed })
      collect(inner, full, depth + 1)
    }
  }
}

/** Follows one reference, and of a choice with null takes the other. */
function resolved(schema: unknown, schemas: Fields): Fields {
  const given = fieldsOf(schema)
  const name = textOf(given.$ref).replace(/^#\/components\/schemas\//, '')
  if (name !== '') return fieldsOf(schemas[name])
  const others = listOf(given.anyOf).filter((entry) => fieldsOf(entry).type !== 'null')
  return others.length === 1 ? { ...fieldsOf(others[0]), ...given } : given
}

/** `integer ≥ 1`, `text`, `one of: a, b`. */
export function typeOf(schema: unknown, schemas: Fields = {}): string {
  const given = resolved(schema, schemas)
  const values = [...listOf(given.enum), ...constants(given.anyOf)]
  if (values.length > 0) return values.map((value) => JSON.stringify(value)).join(' | ')
  if (given.items !== undefined) return t('api.arrayOf', { type: typeOf(given.items, schemas) })
  const choices = listOf(given.anyOf)
  const nullable = choices.some((entry) => fieldsOf(entry).type === 'null') ? ' | null' : ''
  if (choices.length > 0 && given.type === undefined) {
    return choices.map((entry) => typeOf(entry, schemas)).join(' | ')
  }
  const type = Array.isArray(given.type) ? given.type.join(' | ') : textOf(given.type) || 'any'
  return `${type}${bounds(given)}${nullable}`
}

function constants(choices: unknown): readonly unknown[] {
  const all = listOf(choices).map((entry) => fieldsOf(entry).const)
  return all.length > 0 && all.every((value) => value !== undefined) ? all : []
}

function bounds({ minimum, maximum }: Fields): string {
  if (typeof minimum === 'number' && typeof maximum === 'number') return ` ${minimum} … ${maximum}`
  if (typeof minimum === 'number') return ` ≥ ${minimum}`
  return typeof maximum === 'number' ? ` ≤ ${maximum}` : ''
}

function curlOf({ method, path, operation, origin }: Place, bodySchema: unknown): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => (name === 'id' ? 'crawl_1' : '1'))
  const needed = listOf(operation.parameters)
    .map(fieldsOf)
    .filter(({ in: place, required }) => place === 'query' && required === true)
    .map(({ name }) => `${textOf(name)}=…`)
  const address = `'${origin}${filled}${needed.length === 0 ? '' : `?${needed.join('&')}`}'`
  const verb = method === 'get' ? '' : ` -X ${method.toUpperCase()}`
  const streams = path.endsWith('/events') ? ' -N' : ''
  if (bodySchema === undefined) return `curl${streams}${verb} ${address}`
  const example = exampleIn(operation.requestBody) ?? listOf(fieldsOf(bodySchema).examples)[0] ?? {}
  return `curl ${address} \\\n  -H 'content-type: application/json' \\\n  -d '${shellQuoted(JSON.stringify(example))}'`
}

/** The first example beside the schema of a body. */
function exampleIn(body: unknown): unknown {
  const { example, examples } = fieldsOf(Object.values(fieldsOf(fieldsOf(body).content))[0])
  return example ?? fieldsOf(Object.values(fieldsOf(examples))[0]).value
}

function shellQuoted(text: string): string {
  return text.replaceAll("'", "'\\''")
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
