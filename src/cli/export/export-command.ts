// `jelajah export`: argv into which pages are written, as what, and where.
import { resolve } from 'node:path'
import { InvalidInput, shown } from '../../core/errors.ts'
import type { WorkspaceChoice } from '../../core/workspace-url.ts'
import type { ExportChoices, Exporter, StepName } from '../../export/exporter.ts'
import { exporterFor } from '../../export/index.ts'
import { Problems } from '../../options/bad-options.ts'
import { type Args, parseArgs, refuseWords } from '../args.ts'
import { readOptions, readSources, type Surroundings } from '../sources.ts'
import { readWorkspace, WORKSPACE_KEYS } from '../workspace-options.ts'
import {
  EXPORT_FILTER_OPTIONS,
  EXPORT_OPTIONS,
  type ExportFilter,
  type ExportGiven,
  FORMATS,
} from './export-options.ts'

export type ExportCommand = WorkspaceChoice & {
  readonly exporter: Exporter
  readonly choices: ExportChoices
  readonly filter: ExportFilter
  /** Null: none. */
  readonly minWords: number | null
  readonly withoutBoilerplate: boolean
  readonly withoutNearDuplicates: boolean
  /** Absolute; null: stdout. */
  readonly out: string | null
  /** Replaces what is there. */
  readonly force: boolean
  /** Does not go on with an interrupted export. */
  readonly fresh: boolean
  readonly json: boolean
  readonly quiet: boolean
}

export function parseExport(argv: readonly string[], around: Surroundings): ExportCommand {
  const problems = new Problems()
  const options = [...EXPORT_OPTIONS, ...EXPORT_FILTER_OPTIONS]
  const args = parseArgs(argv, options, problems)
  refuseWords(args, 0, problems)
  const sources = readSources(args, around, problems)
  // The config file is written for `crawl`: of its keys only the place counts here.
  const file = new Map([...sources.file].filter(([key]) => WORKSPACE_KEYS.includes(key)))
  const chosen = readOptions(options, { ...sources, file }, problems)
  const workspace = readWorkspace(chosen, { sources, around, problems })
  const { out } = chosen
  const isSaid = args.given.has('format')
  const exporter = chosen.exporter ?? (isSaid ? null : exporterFor(out ?? '')) ?? undefined
  if (exporter === undefined && !isSaid) {
    problems.add('flag', '--format', `say which: ${FORMATS.join(', ')}`)
  }
  if (out === undefined && !args.given.has('out')) {
    problems.add('flag', '--out', 'say where it goes: --out PATH, or --out - for stdout')
  }
  if (exporter !== undefined) checkChoices(exporter, chosen, args, problems)
  problems.throwIfAny()
  // What could not be made out was a problem, and thrown.
  if (exporter === undefined || out === undefined) {
    throw new InvalidInput('export', 'has nothing to do')
  }
  return commandOf({ ...chosen, exporter, out }, workspace, around)
}

const FLAGS: readonly (readonly [flag: string, choice: keyof ExportChoices | StepName])[] = [
  ['gzip', 'gzip'],
  ['duplicates', 'duplicates'],
  ['per', 'per'],
  ['ids', 'ids'],
  ['outside', 'outside'],
  ['formula-guard', 'formulaGuard'],
  ['min-words', 'minWords'],
  ['without-boilerplate', 'withoutBoilerplate'],
  ['without-near-duplicates', 'withoutNearDuplicates'],
]

/** An option that would change nothing is a misunderstanding, and better said. */
function checkChoices(
  exporter: Exporter,
  { what, ids, outside }: Partial<ExportGiven>,
  { given }: Args,
  problems: Problems,
): void {
  const taken: readonly string[] = [...exporter.takes, ...exporter.steps]
  for (const [flag, name] of FLAGS) {
    if (!given.has(flag) || taken.includes(name)) continue
    problems.add('flag', `--${flag}`, `means nothing to --format ${exporter.name}`)
  }
  if (what !== undefined && !exporter.whats.includes(what)) {
    const known = exporter.whats.join(', ')
    const message = `--format ${exporter.name} writes ${known}, not ${shown(what)}`
    problems.add('flag', '--what', message)
  }
  if (ids === true && outside === true) {
    problems.add('flag', '--outside', 'has no numbers for what is outside: leave out --ids')
  }
}

type Complete = Partial<ExportGiven> & Pick<ExportGiven, 'exporter' | 'out'>

function commandOf(
  chosen: Complete,
  workspace: WorkspaceChoice,
  { cwd }: Surroundings,
): ExportCommand {
  const { exporter, out, crawl, host, language, kind, hot, since } = chosen
  return {
    ...workspace,
    exporter,
    choices: choicesOf(chosen),
    filter: {
      crawl: crawl ?? null,
      host: host ?? null,
      language: language ?? null,
      kind: kind ?? null,
      hot: hot ?? false,
      since: since ?? null,
      minRelevance: chosen.minRelevance ?? null,
      topic: chosen.topic ?? null,
      query: chosen.query ?? null,
      limit: chosen.limit ?? null,
    },
    minWords: chosen.minWords ?? null,
    withoutBoilerplate: chosen.withoutBoilerplate ?? false,
    withoutNearDuplicates: chosen.withoutNearDuplicates ?? false,
    out: out === '-' ? null : resolve(cwd, out),
    force: chosen.force ?? false,
    fresh: chosen.fresh ?? false,
    json: chosen.json ?? false,
    quiet: chosen.quiet ?? false,
  }
}

function choicesOf(chosen: Complete): ExportChoices {
  const { exporter, out } = chosen
  const choices = {
    what: chosen.what ?? exporter.whats[0] ?? 'pages',
    per: chosen.per ?? 'page',
    ids: chosen.ids ?? false,
    outside: chosen.outside ?? false,
    formulaGuard: chosen.formulaGuard ?? true,
    duplicates: chosen.duplicates ?? false,
    gzip: chosen.gzip ?? false,
  }
  // Who writes pages.csv.gz wants what that name says.
  const isNamedSo = out.endsWith('.gz') && exporter.output(choices) === 'file'
  const gzip = chosen.gzip ?? (isNamedSo && exporter.takes.includes('gzip'))
  return { ...choices, gzip }
}
