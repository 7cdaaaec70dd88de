// `jelajah export`: its flags, and how they become which pages are written, as what, and where.
import { resolve } from 'node:path'
import { InvalidInput, shown } from '../../core/errors.ts'
import type { WorkspaceChoice } from '../../core/workspace-url.ts'
import {
  type ExportChoices,
  type Exporter,
  SPLITS,
  type StepName,
  TEXT_FILES,
  WHATS,
} from '../../export/exporter.ts'
import { EXPORTERS, exporterFor } from '../../export/index.ts'
import type { ExportFilter } from '../../library/export-pages.ts'
import { Problems } from '../../options/bad-options.ts'
import { choice, flag, list, number, type Option, text } from '../../options/option.ts'
import { type Args, parseArgs } from '../args.ts'
import { type Command, readCommand } from '../command.ts'
import {
  CRAWL,
  HOST,
  HOT,
  JSON_OUTPUT,
  KIND,
  LANGUAGE,
  MIN_RELEVANCE,
  QUIET,
  ROW_LIMIT,
  SINCE,
  TOPIC,
} from '../common-options.ts'
import type { Surroundings } from '../sources.ts'
import { STORE_OPTIONS } from '../workspace-options.ts'
import type { ExportCommand } from './run-export.ts'

/** What can be given; all of it may be left out. */
type ExportGiven = ExportChoices &
  WorkspaceChoice &
  Omit<ExportFilter, 'limit'> &
  Omit<ExportCommand, 'choices' | 'filter' | 'minWords' | 'out'> & {
    readonly limit: number
    readonly minWords: number
    readonly out: string
  }

const FORMATS = EXPORTERS.map(({ name }) => name)

function formatOption(exporters: readonly Exporter[]): Option<ExportGiven> {
  return choice({
    name: 'format',
    choices: exporters.map(({ name }) => name),
    default: 'by the end of --out',
    help: `${exporters.map(({ name, about }) => `${name} (${about})`).join('; ')}`,
    value: 'NAME',
    to: (name): Partial<ExportGiven> => {
      const exporter = exporters.find((known) => known.name === name)
      return exporter === undefined ? {} : { exporter }
    },
  })
}

/** Read before the others: a plug-in may bring a format. */
const PLUGIN: Option<ExportGiven> = list({
  name: 'plugin',
  // A variable is meant for crawls.
  ignoresVariable: () => true,
  value: 'FILE|PACKAGE',
  help: 'a module of your own with a format',
  to: () => ({}),
})

const OPTIONS: readonly Option<ExportGiven>[] = [
  formatOption(EXPORTERS),
  PLUGIN,
  text({
    name: 'out',
    value: 'PATH|-',
    help: 'where it goes; needed. A folder where the export has several files; - for stdout',
  }),
  choice({
    name: 'what',
    choices: WHATS,
    value: 'WHAT',
    default: 'pages',
    help: `${WHATS.join(', ')}: pages whole, the rows of one part, or a file of each`,
  }),
  ...STORE_OPTIONS,
  {
    ...CRAWL,
    value: 'ID|NAME|all',
    help: 'which crawl, by number (3 or crawl_3) or name; jelajah crawls lists them; or all',
  },
  { ...ROW_LIMIT, help: 'at most N pages' },
  flag({ name: 'force', help: 'replace what is there' }),
  flag({
    name: 'fresh',
    help: 'start again instead of continuing an interrupted export',
  }),
  flag({ name: 'gzip', help: 'compress every file' }),
  { ...JSON_OUTPUT, help: 'a JSON summary on stdout, on stderr where the export goes to stdout' },
  { ...QUIET, help: 'no progress and no summary, only errors' },
]

const FILTER_OPTIONS: readonly Option<ExportGiven>[] = [
  HOST,
  LANGUAGE,
  KIND,
  HOT,
  SINCE,
  MIN_RELEVANCE,
  TOPIC,
  text({
    name: 'query',
    value: 'QUERY',
    help: 'only pages with everything that this search asks for',
  }),
  flag({
    name: 'duplicates',
    help: 'also pages that repeat another word for word',
  }),
  number({
    name: 'min-words',
    min: 1,
    help: 'only pages whose text has at least N words',
  }),
  flag({
    name: 'without-near-duplicates',
    help: 'of pages with nearly the same text only one',
  }),
  flag({
    name: 'without-boilerplate',
    help: 'texts without the paragraphs that recur over the pages of a site',
  }),
  choice({
    name: 'per',
    choices: TEXT_FILES,
    default: 'page',
    help: 'of text: a file for each page, or one for each language or cluster',
  }),
  choice({
    name: 'split',
    choices: SPLITS,
    help: 'of ndjson and csv: a folder with a file of pages for each language, cluster or kind',
  }),
  flag({
    name: 'clusters',
    help:
      'of ndjson and csv: also the cluster of each page, its label, and the words that tell the ' +
      'page from others, as jelajah cluster found them',
  }),
  flag({
    name: 'ids',
    help: 'of edges: numbers of pages instead of URLs, with nodes.tsv',
  }),
  flag({
    name: 'outside',
    help: 'of edges: also links to what is not in the export',
  }),
  flag({
    name: 'formula-guard',
    on: true,
    help: 'put an apostrophe before cells of csv that a spreadsheet would compute',
  }),
]

export const command: Command = {
  usage: '[--format NAME] --out PATH|- [options]',
  options: OPTIONS,
  more: { title: 'Which pages, and more about some formats:', options: FILTER_OPTIONS },
  examples: [
    ['export --format ndjson --out pages.ndjson', 'pages of the newest crawl with all their parts'],
    ['export --format csv --what links --out links.csv.gz', 'every link, compressed'],
    [
      'export --format text --per language --min-words 50 --without-boilerplate --out corpus',
      'clean texts for clustering or a language model',
    ],
    ['export --format ndjson --query "solar power" --language en --out - | jq .title', 'a pipe'],
    ['export --format edges --host example.com --out graph.tsv', 'the links of one site'],
  ],
  run: async (argv, around, out) => {
    const asked = parseExport(argv, around, await exportersFor(argv, around))
    return (await import('./run-export.ts')).runExportCommand(asked, out)
  },
}

/** Ours, and those of the plug-ins that the command line names. */
async function exportersFor(
  argv: readonly string[],
  { cwd }: Surroundings,
): Promise<readonly Exporter[]> {
  // What is wrong with other flags is said when they are read.
  const given = parseArgs(argv, [...OPTIONS, ...FILTER_OPTIONS], new Problems()).given.get('plugin')
  if (given === undefined) return EXPORTERS
  const wanted = Array.isArray(given.raw) ? given.raw.map(String) : [String(given.raw)]
  const { loadExporters } = await import('../../plugin/load-exporters.ts')
  return [...EXPORTERS, ...(await loadExporters(wanted, { cwd, at: given.at, known: FORMATS }))]
}

export function parseExport(
  argv: readonly string[],
  around: Surroundings,
  exporters: readonly Exporter[] = EXPORTERS,
): ExportCommand {
  const options = [formatOption(exporters), ...OPTIONS.slice(1), ...FILTER_OPTIONS]
  const { chosen, args, workspace, problems } = readCommand(options, argv, around)
  const { out } = chosen
  const isSaid = args.given.has('format')
  const exporter =
    chosen.exporter ?? (isSaid ? null : exporterFor(out ?? '', exporters)) ?? undefined
  if (exporter === undefined && !isSaid) {
    problems.add('flag', '--format', `say which: ${FORMATS.join(', ')}`)
  }
  if (out === undefined && !args.given.has('out')) {
    problems.add('flag', '--out', 'say where it goes: --out PATH, or --out - for stdout')
  }
  if (exporter !== undefined) checkChoices(exporter, chosen, args, problems)
  problems.throwIfAny()
  // Values that could not be read have been reported.
  if (exporter === undefined || out === undefined) {
    throw new InvalidInput('export', 'has nothing to do')
  }
  return commandOf({ ...chosen, exporter, out }, workspace, around)
}

const FLAGS: readonly (readonly [flag: string, choice: keyof ExportChoices | StepName])[] = [
  ['gzip', 'gzip'],
  ['duplicates', 'duplicates'],
  ['per', 'per'],
  ['split', 'split'],
  ['clusters', 'clusters'],
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
  { what, ids, outside, split, clusters }: Partial<ExportGiven>,
  { given }: Args,
  problems: Problems,
): void {
  const takes = (one: Exporter, name: string) =>
    [...one.takes, ...one.steps].some((own) => own === name)
  for (const [flag, name] of FLAGS) {
    if (!given.has(flag) || takes(exporter, name)) continue
    const others = EXPORTERS.filter((one) => takes(one, name)).map((one) => one.name)
    const message = `means nothing to --format ${exporter.name}; it is for ${others.join(', ')}`
    problems.add('flag', `--${flag}`, message)
  }
  if (what !== undefined && !exporter.whats.includes(what)) {
    const known = exporter.whats.join(', ')
    const message = `--format ${exporter.name} writes ${known}, not ${shown(what)}`
    problems.add('flag', '--what', message)
  }
  if (what !== undefined && what !== 'pages') {
    for (const [flag, value] of Object.entries({ split, clusters })) {
      if (value !== undefined) problems.add('flag', `--${flag}`, 'is for --what pages')
    }
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
    ...(chosen.clusters === true ? { clusters: true } : {}),
    ...(chosen.split === undefined ? {} : { split: chosen.split }),
  }
  // The name pages.csv.gz asks for gzip.
  const isNamedSo = out.endsWith('.gz') && exporter.output(choices) === 'file'
  const gzip = chosen.gzip ?? (isNamedSo && exporter.takes.includes('gzip'))
  return { ...choices, gzip }
}
