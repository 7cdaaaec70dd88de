// Reads the fields of a body by the table of options. Every decoder of a request uses these functions.
import { InvalidInput } from '../core/errors.ts'
import { nearest } from '../lib/edit-steps.ts'
import type { Problems } from '../options/bad-options.ts'
import { fieldName, withFieldNames } from '../options/option.ts'
import type { BodyOption } from './body-options.ts'
import { BadFields, type FieldProblem } from './errors.ts'

/** More are only counted: finding the nearest known name of each takes a while. */
const MAX_UNKNOWN = 20

export type Fields = ReadonlyMap<string, unknown>

/** The fields of a body; null counts as missing. */
export function fieldsOf(body: unknown, such = '{"url": "https://example.com"}'): Fields {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new InvalidInput('body', `needs a JSON object such as ${such}`)
  }
  return new Map(Object.entries(body).filter(([, value]) => value !== null))
}

/** `others`: known fields that this request cannot have, and why. */
export function refuseUnknown(
  fields: Fields,
  names: readonly string[],
  others: ReadonlyMap<string, string>,
  problems: Problems,
): void {
  const known = new Set(names)
  const unknown = [...fields.keys()].filter((name) => !known.has(name))
  for (const name of unknown.slice(0, MAX_UNKNOWN)) {
    const why = others.get(name)
    if (why !== undefined) problems.add('body', name, `cannot be asked for: ${why}`)
    else problems.add('body', name, `there is no such field${hintFor(name, names)}`)
  }
  const more = unknown.length - MAX_UNKNOWN
  if (more > 0) problems.add('body', 'body', `has ${more} more fields that are not known`)
}

function hintFor(name: string, names: readonly string[]): string {
  // A much longer name is no typing error, and comparing it would take long.
  const meant = name.length > 40 ? null : nearest(fieldName(name.toLowerCase()), names)
  return meant === null ? '' : `; did you mean "${meant}"?`
}

/** Calls `read` for each option that was given, under any of its names. */
export function readOptions(
  fields: Fields,
  options: readonly BodyOption[],
  problems: Problems,
  read: (option: BodyOption, given: Given) => void,
): void {
  for (const option of options) {
    const given = find(fields, option, problems)
    if (given !== undefined) problems.try('body', () => read(option, given))
  }
}

type Given = { readonly at: string; readonly raw: unknown }

function find(fields: Fields, option: BodyOption, problems: Problems): Given | undefined {
  const names = [option.field, ...option.aliases].filter((name) => fields.has(name))
  const [at, other] = names
  if (at === undefined) return undefined
  if (other !== undefined) problems.add('body', other, `is the same as ${at}: give one of them`)
  return { at, raw: fields.get(at) }
}

export function throwIfAny({ all }: Problems): void {
  const [first, ...rest] = all.map(({ at, message }) => ({
    at: placeIn(at),
    message: withFieldNames(message),
  }))
  if (first !== undefined) throw new BadFields([first, ...rest])
}

/** `examples.positive[3]` for `--examples: the request positive[3]`, as the checks name it. */
function placeIn(at: string): FieldProblem['at'] {
  const [, flag, inner = ''] = /^--([a-z-]+)(?:: (?:the request|the model) ?)?(.*)$/.exec(at) ?? []
  if (flag === undefined) return at
  const field = fieldName(flag)
  if (inner === '') return field
  return inner.includes(' ') ? `${field}: ${inner}` : `${field}.${inner.replaceAll('"', '')}`
}
