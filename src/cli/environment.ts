// Options in the environment: `JELAJAH_MAX_PAGES` for `--max-pages`, and so for every flag of every command.
// Some options have an older name besides.
import { nearest } from '../lib/edit-steps.ts'
import { type OptionInfo, truthOf } from '../options/option.ts'

export type Variables = Readonly<Record<string, string | undefined>>

const PREFIX = 'JELAJAH_'
const SEPARATOR = /[\s,]+/
/** More of them are no slips, but the variables of another program. */
const MAX_WARNINGS = 10

type Variable = { readonly name: string; readonly negated: boolean }

/** The variables that set an option, the strongest first. */
export function variablesOf(option: OptionInfo): readonly Variable[] {
  const { name, aliases = [], env, kind, fromEnvironment = true } = option
  if (!fromEnvironment) return []
  const flags = [name, ...aliases]
  return [
    ...flags.map((flag) => ({ name: variableOf(flag), negated: false })),
    ...(kind === 'flag' ? [{ name: variableOf(`no-${name}`), negated: true }] : []),
    ...(env === undefined ? [] : [{ name: env, negated: false }]),
  ]
}

function variableOf(flag: string): string {
  return `${PREFIX}${flag.replaceAll('-', '_').toUpperCase()}`
}

/** The variable that sets an option, with its value; null where none does. Empty ones do not count. */
export function inEnvironment(
  option: OptionInfo,
  env: Variables,
): { readonly at: string; readonly raw: unknown } | null {
  for (const { name, negated } of variablesOf(option)) {
    const text = env[name]?.trim() ?? ''
    if (text === '' || option.ignoresVariable?.(text) === true) continue
    return { at: name, raw: rawOf(option, text, negated) }
  }
  return null
}

function rawOf(option: OptionInfo, text: string, negated: boolean): unknown {
  const { repeatable, takesWord, separator = SEPARATOR } = option
  const truth = option.kind === 'flag' ? truthOf(text.toLowerCase()) : undefined
  if (truth !== undefined) return negated ? !truth : truth
  if (repeatable !== true && takesWord === undefined) return text
  return text
    .split(separator)
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
}

/** A warning for each variable that is called like one of ours and sets nothing. `of`: where they are. */
export function variableWarnings(
  env: Variables,
  options: readonly OptionInfo[],
  of = 'the environment',
): string[] {
  const known = new Set(options.flatMap((option) => variablesOf(option).map(({ name }) => name)))
  const unknown = Object.keys(env)
    .filter((name) => name.startsWith(PREFIX) && !known.has(name) && env[name]?.trim() !== '')
    .sort()
  const suffixes = [...known].filter(isOurs).map((name) => name.slice(PREFIX.length))
  const more = unknown.length - MAX_WARNINGS
  return [
    ...unknown
      .slice(0, MAX_WARNINGS)
      .map((name) => `${name} in ${of} ${warningFor(name, suffixes)}`),
    ...(more > 0
      ? [`${more} more variables in ${of} that begin with ${PREFIX} set no option`]
      : []),
  ]
}

/** True for a name that only we would use. */
export function isOurs(variable: string): boolean {
  return variable.startsWith(PREFIX)
}

function warningFor(name: string, suffixes: readonly string[]): string {
  const meant = nearest(name.slice(PREFIX.length, PREFIX.length + 40).toUpperCase(), suffixes)
  const hint = meant === null ? '' : `; did you mean ${PREFIX}${meant}?`
  return `sets no option${hint}`
}
