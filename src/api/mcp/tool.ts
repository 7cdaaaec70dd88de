// What a tool is: its name and schema, the check of its arguments, and the form of its results. Results may carry
// texts of pages, which strangers wrote: they are content, bounded in size, and never part of our own words.
import type { Static, TObject } from 'typebox'
import { Value } from 'typebox/value'
import { BadFields, type FieldProblem, problemOf } from '../errors.ts'
import type { ApiError } from '../shapes/error.ts'

export type ToolResult = {
  readonly content: readonly { readonly type: 'text'; readonly text: string }[]
  readonly isError?: true
}

export type Tool = {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly input: TObject
  readonly annotations: Annotations
  /** Rejects with a `BadFields` where the arguments do not fit, and with a `Refusal` where it cannot be done. */
  readonly call: (given: unknown) => Promise<ToolResult>
}

type Annotations = { readonly readOnlyHint: boolean; readonly openWorldHint: boolean }

type ToolPlan<Input extends TObject> = Omit<Tool, 'input' | 'call'> & {
  readonly input: Input
  readonly run: (given: Static<Input>) => Promise<ToolResult>
}

export function tool<Input extends TObject>({ run, ...plan }: ToolPlan<Input>): Tool {
  const { input } = plan
  return {
    ...plan,
    call: async (given) => {
      if (Value.Check(input, given)) return run(given)
      const [first = NOT_FIT, ...rest] = problemsOf(input, given)
      throw new BadFields([first, ...rest])
    },
  }
}

const NOT_FIT: FieldProblem = { at: 'arguments', message: 'do not fit the schema of the tool' }

/** In the words that the API has for the fields of a request. */
function problemsOf(input: TObject, given: unknown): FieldProblem[] {
  return Value.Errors(input, given).flatMap((found) => {
    // Told by the finding about the object that it is in.
    if (found.keyword === 'boolean') return []
    const one = { ...found, message: String(found.message) }
    const { requiredProperties, additionalProperties }: Names = { ...Object(found.params) }
    const named = [
      ...names(requiredProperties).map((missingProperty) => ({ missingProperty })),
      ...names(additionalProperties).map((additionalProperty) => ({ additionalProperty })),
    ]
    if (named.length === 0) return [problemOf(one, 'arguments')]
    return named.map((params) => problemOf({ ...one, params }, 'arguments'))
  })
}

type Names = { readonly requiredProperties?: unknown; readonly additionalProperties?: unknown }

function names(list: unknown): string[] {
  return Array.isArray(list) ? list.map(String) : []
}

/** All of an answer, whatever a tool was asked for: about 50,000 tokens. */
const MAX_CHARACTERS = 200_000

export function textResult(...texts: readonly string[]): ToolResult {
  return { content: texts.map((text) => ({ type: 'text', text: cutText(text, MAX_CHARACTERS) })) }
}

export function jsonResult(value: object): ToolResult {
  return textResult(JSON.stringify(value))
}

/** As many of the rows as fit into an answer. */
export function fitting<T>(rows: readonly T[], characters = MAX_CHARACTERS / 2): T[] {
  let left = characters
  const end = rows.findIndex((row) => {
    left -= JSON.stringify(row).length + 1
    return left < 0
  })
  return end === -1 ? [...rows] : rows.slice(0, end)
}

/** The beginning, without half a character at its end. */
export function cutText(text: string, most: number): string {
  if (text.length <= most) return text
  const isHalf = /[\ud800-\udbff]/.test(text.charAt(most - 1))
  return text.slice(0, isHalf ? most - 1 : most)
}

/** The model reads it and can do better. */
export function errorResult({ message, problems = [] }: ApiError['error']): ToolResult {
  const lines = problems.map(({ at, message: what }) => `${at}: ${what}`)
  const text = lines.length > 1 ? lines.join('\n') : message
  return { ...textResult(text), isError: true }
}
