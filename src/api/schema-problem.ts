// Describes a schema's finding in the words of the other messages.

export type FieldProblem = { readonly at: string; readonly message: string }

/** `context`: the part of the request, if the finding names no field. */
export function problemOf(found: unknown, context: string): FieldProblem {
  const finding: Finding = { ...Object(found) }
  const params: Params = { ...Object(finding.params) }
  const path = String(finding.instancePath ?? '')
    .slice(1)
    .replaceAll('/', '.')
  const named = String(params.additionalProperty ?? params.missingProperty ?? '')
  return { at: named || path || context, message: wordsFor(finding, params) }
}

function wordsFor({ keyword, message = '', parentSchema }: Finding, params: Params): string {
  const { limit, type, allowedValues } = params
  switch (keyword) {
    case 'additionalProperties':
      return 'there is no such field'
    case 'required':
      return 'is missing'
    case 'enum':
      return `needs one of ${Array.isArray(allowedValues) ? allowedValues.join(', ') : ''}`
    case 'minimum':
      return `needs at least ${limit}`
    case 'maximum':
      return `needs at most ${limit}`
    case 'minLength':
      return `needs at least ${limit} characters`
    case 'maxLength':
      return `needs at most ${limit} characters`
    case 'type':
      return TYPES[String(type)] ?? String(message)
    case 'pattern':
      return patternWords(parentSchema)
    default:
      return String(message)
  }
}

const TYPES: Readonly<Record<string, string>> = {
  integer: 'needs a whole number',
  number: 'needs a number',
  boolean: 'is true or false',
  string: 'needs a text',
  object: 'needs a JSON object',
}

/** A pattern says little to people, and only ids have one. */
function patternWords(schema: unknown): string {
  const { examples }: { readonly examples?: unknown } = { ...Object(schema) }
  const [example] = Array.isArray(examples) ? examples : []
  return example === undefined ? 'has not the right form' : `needs an id such as ${example}`
}

type Finding = {
  readonly keyword?: unknown
  readonly instancePath?: unknown
  readonly message?: unknown
  readonly params?: unknown
  readonly parentSchema?: unknown
}
type Params = {
  readonly additionalProperty?: unknown
  readonly missingProperty?: unknown
  readonly allowedValues?: unknown
  readonly limit?: unknown
  readonly type?: unknown
}
