// Loads a plug-in and checks its form. This runs its code: call it only in a thread or process that is
// watched, or in one that belongs to the user.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { PLUGIN_HOOKS, type PluginRecord } from '../core/plugin.ts'
import { nearest } from '../lib/edit-steps.ts'
import { isObject } from '../lib/present.ts'
import { CHANGING_FACTS, type Ordering } from '../ordering/ordering.ts'
import type { Plugin } from './plugin.ts'

const NAME = /^[\w@][\w@./-]{0,99}$/
const KNOWN: readonly string[] = ['name', 'version', ...PLUGIN_HOOKS]
const FUNCTIONS = ['admit', 'request', 'parsed', 'judge'] as const

/** What is wrong with a plug-in, one sentence each. */
export class BadPlugin extends Error {
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(problems.join('; '))
    this.name = 'BadPlugin'
    this.problems = problems
  }
}

/** The plug-in of a record, as it was when the crawl began; throws `BadPlugin` if the file is another. */
export async function loadRecorded({ file, name, hash }: PluginRecord): Promise<Plugin> {
  if (hashOf(file) !== hash) {
    throw new BadPlugin([`${file} is not the plug-in ${name} that the crawl began with`])
  }
  return loadPlugin(file)
}

/** SHA-256 in hex. */
export function hashOf(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex')
}

/** Throws `BadPlugin` with all that is wrong with its form. */
export async function loadPlugin(file: string): Promise<Plugin> {
  const module: Readonly<Record<string, unknown>> = await import(pathToFileURL(file).href)
  const given = module.default
  if (!isObject(given)) {
    throw new BadPlugin(['has no default export: write export default { name: "…", … }'])
  }
  // A module may be an ordering and nothing else.
  const isOrdering = OF_ORDERINGS.some((key) => key in given)
  const plugin = isOrdering ? { name: given.name, ordering: given } : given
  const problems = problemsOf(plugin)
  if (problems.length > 0) throw new BadPlugin(problems)
  // Checked member by member.
  return plugin as unknown as Plugin
}

/** `score` is what a newcomer calls it; the problems then say what is needed instead. */
const OF_ORDERINGS = ['createScorer', 'rescoreOn', 'score']

function problemsOf(plugin: Readonly<Record<string, unknown>>): string[] {
  const { name, version, ordering, exporter } = plugin
  const problems: string[] = []
  if (typeof name !== 'string' || !NAME.test(name)) {
    problems.push('needs a name of letters, digits and dashes')
  }
  if (version !== undefined && typeof version !== 'string') problems.push('version is no text')
  for (const key of Object.keys(plugin)) {
    if (KNOWN.includes(key)) continue
    const meant = nearest(key, KNOWN)
    const hint = meant === null ? `it may have ${KNOWN.join(', ')}` : `did you mean ${meant}?`
    problems.push(`has no use for "${key}"; ${hint}`)
  }
  for (const hook of FUNCTIONS) {
    if (plugin[hook] !== undefined && typeof plugin[hook] !== 'function') {
      problems.push(`${hook} is no function`)
    }
  }
  if (PLUGIN_HOOKS.every((hook) => plugin[hook] === undefined)) {
    problems.push(`has none of ${PLUGIN_HOOKS.join(', ')}`)
  }
  if (ordering !== undefined) problems.push(...orderingProblems(ordering))
  if (exporter !== undefined) problems.push(...exporterProblems(exporter))
  return problems
}

function orderingProblems(ordering: unknown): string[] {
  if (!isObject(ordering)) return ['ordering is no object']
  const { name, about, rescoreOn, createScorer, judge, options = [], focused } = ordering
  const facts = Array.isArray(rescoreOn) ? rescoreOn : null
  const checks: readonly [isWrong: boolean, problem: string][] = [
    [typeof name !== 'string' || !/^[\w-]{1,60}$/.test(name), 'needs a name of letters and dashes'],
    [typeof about !== 'string', 'needs about, one line of text'],
    [
      facts === null || !facts.every((fact) => CHANGING_FACTS.some((known) => known === fact)),
      `needs rescoreOn, a list of ${CHANGING_FACTS.join(', ')}`,
    ],
    [typeof createScorer !== 'function', 'needs a function createScorer'],
    [judge !== undefined && typeof judge !== 'function', 'has a judge that is no function'],
    [
      focused !== undefined && typeof focused !== 'boolean',
      'has focused that is not true or false',
    ],
    [
      !Array.isArray(options) || !options.every(isOption),
      'has options without name, help, default, min and max',
    ],
  ]
  return checks.filter(([isWrong]) => isWrong).map(([, problem]) => `ordering ${problem}`)
}

function isOption(option: unknown): boolean {
  if (!isObject(option)) return false
  const numbers = [option.default, option.min, option.max]
  return (
    typeof option.name === 'string' &&
    typeof option.help === 'string' &&
    numbers.every((value) => typeof value === 'number' && Number.isFinite(value))
  )
}

function exporterProblems(exporter: unknown): string[] {
  if (!isObject(exporter)) return ['exporter is no object']
  const { name, about, ends, whats, takes, steps, output, write } = exporter
  const isListed = [ends, whats, takes, steps].every(Array.isArray)
  const isNamed = typeof name === 'string' && typeof about === 'string'
  const works = typeof output === 'function' && typeof write === 'function'
  return [
    ...(isNamed ? [] : ['exporter needs name and about']),
    ...(isListed ? [] : ['exporter needs the lists ends, whats, takes and steps']),
    ...(works ? [] : ['exporter needs the functions output and write']),
  ]
}

/** The record of a loaded plug-in. */
export function recordOf(from: string, file: string, plugin: Plugin, packaged = ''): PluginRecord {
  const { name, version = packaged, ordering } = plugin
  const hooks = PLUGIN_HOOKS.filter((hook) => plugin[hook] !== undefined)
  const told = ordering === undefined ? null : orderingRecord(ordering)
  return { from, file, name, version, hash: hashOf(file), hooks, ordering: told }
}

function orderingRecord(ordering: Ordering): PluginRecord['ordering'] {
  const { name, about, focused = false, rescoreOn, options = [], judge } = ordering
  const known = options.map(({ name, help, default: usual, min, max, whole = false }) => ({
    ...{ name, help, default: usual, min, max, whole },
  }))
  const judges = judge !== undefined
  return { name, about, focused, rescoreOn: [...rescoreOn], options: known, judges }
}
