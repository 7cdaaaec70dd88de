// `jelajah cluster`: groups the pages of a crawl, or texts of a file, by their words.
import { resolve } from 'node:path'
import { type ChosenBy, flag, number, text } from '../../options/option.ts'
import { existingFile } from '../../options/topic-files.ts'
import { refuseExisting } from '../atomic-write.ts'
import { type Command, readCommand } from '../command.ts'
import { CRAWL, HOST, JSON_OUTPUT, LANGUAGE, QUIET } from '../common-options.ts'
import type { Surroundings } from '../sources.ts'
import { STORE_OPTIONS } from '../workspace-options.ts'
import type { ClusterCommand } from './run-cluster.ts'

const MAX_K = 500
const DEFAULT_SEED = 1

const OPTIONS = [
  number({
    name: 'k',
    min: 2,
    max: MAX_K,
    default: 'chosen, up to 20',
    help: 'how many clusters; else the number with the best silhouette',
  }),
  number({
    name: 'seed',
    min: 0,
    max: 2 ** 31 - 1,
    default: String(DEFAULT_SEED),
    help: 'of random numbers: the same pages and the same seed give the same clusters',
  }),
  ...STORE_OPTIONS,
  CRAWL,
  { ...HOST, help: 'only pages of this host' },
  {
    ...LANGUAGE,
    help: 'only pages in this language; of a file: the language whose stems are used',
  },
  flag({ name: 'kept', help: 'show what the last run found; nothing is computed' }),
  text({ name: 'out', value: 'FILE', help: 'write a report as Markdown, too' }),
  flag({ name: 'force', help: 'write over a report that is there' }),
  { ...JSON_OUTPUT, help: 'print the clusters as one JSON object' },
  QUIET,
] as const

export const command: Command = {
  usage: '[texts.jsonl] [options]',
  options: OPTIONS,
  examples: [
    ['cluster --data ./news', 'the pages of the newest crawl; export --clusters has the result'],
    ['cluster --data ./news --language id --k 12 --out clusters.md', 'with a report'],
    ['cluster texts.jsonl --k 7', 'texts with labels: also purity and NMI'],
  ],
  run: async (argv, around, out) =>
    (await import('./run-cluster.ts')).runCluster(parseCluster(argv, around), out),
}

const DEFAULTS = {
  k: null,
  seed: DEFAULT_SEED,
  crawl: null,
  host: null,
  language: null,
  kept: false,
  json: false,
  quiet: false,
}

function parseCluster(argv: readonly string[], around: Surroundings): ClusterCommand {
  const read = readCommand<ChosenBy<typeof OPTIONS>>(OPTIONS, argv, around, { words: 1 })
  const { chosen, args, workspace, problems } = read
  const { force = false, out: written, ...asked } = chosen
  const [name] = args.words
  const file =
    name === undefined ? null : problems.try('flag', () => existingFile(name, around.cwd))
  const out = written === undefined ? null : resolve(around.cwd, written)
  if (out !== null) problems.try('flag', () => refuseExisting(out, { force }))
  if (name !== undefined) {
    for (const flagName of ['crawl', 'host', 'kept', 'out']) {
      if (args.given.has(flagName)) {
        problems.add('flag', `--${flagName}`, 'is for the pages of a crawl, not for a file')
      }
    }
  }
  for (const flagName of asked.kept === true ? ['k', 'seed', 'host', 'language'] : []) {
    if (args.given.has(flagName)) {
      problems.add('flag', `--${flagName}`, 'changes nothing that is kept: leave out --kept')
    }
  }
  if (asked.kept === true && out !== null) {
    problems.add('flag', '--out', 'needs typical pages, which are not kept: leave out --kept')
  }
  if (force && out === null) problems.add('flag', '--force', 'is for a report: --out FILE')
  problems.throwIfAny()
  const texts = file === null || name === undefined ? null : { path: file, name }
  return { ...DEFAULTS, ...asked, ...workspace, out, texts }
}
