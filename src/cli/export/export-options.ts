// The options of `jelajah export`.

import type { PageKind } from '../../core/page.ts'
import type { WorkspaceChoice } from '../../core/workspace-url.ts'
import {
  type ExportChoices,
  type Exporter,
  TEXT_FILES,
  type TextFiles,
  WHATS,
  type What,
} from '../../export/exporter.ts'
import { EXPORTERS, exporterNamed } from '../../export/index.ts'
import { choice, flag, number, type Option, text } from '../../options/option.ts'
import { CRAWL, HOST, JSON_OUTPUT, QUIET, ROW_LIMIT } from '../common-options.ts'
import { HOT, KIND, LANGUAGE, MIN_RELEVANCE, SINCE, TOPIC } from '../filter-options.ts'
import { STORE_OPTIONS } from '../workspace-options.ts'

/** Which pages; what is null or false is not asked for. */
export type ExportFilter = {
  /** Null: the newest, or all of the topic where one is given. `all`: all of them. */
  readonly crawl: string | null
  readonly host: string | null
  readonly language: string | null
  readonly kind: PageKind | null
  readonly hot: boolean
  /** As it was written; see since.ts. */
  readonly since: string | null
  readonly minRelevance: number | null
  readonly topic: string | null
  /** Only pages that a search for this finds. */
  readonly query: string | null
  readonly limit: number | null
}

/** What can be given; all of it may be left out. */
export type ExportGiven = ExportChoices &
  WorkspaceChoice &
  Omit<ExportFilter, 'limit'> & {
    readonly exporter: Exporter
    readonly limit: number
    readonly minWords: number
    readonly withoutBoilerplate: boolean
    readonly withoutNearDuplicates: boolean
    readonly out: string
    readonly force: boolean
    readonly fresh: boolean
    readonly json: boolean
    readonly quiet: boolean
  }

export const FORMATS = EXPORTERS.map(({ name }) => name)

export const EXPORT_OPTIONS: readonly Option<ExportGiven>[] = [
  choice({
    name: 'format',
    choices: FORMATS,
    default: 'by the end of --out',
    help: `${EXPORTERS.map(({ name, about }) => `${name} (${about})`).join('; ')}`,
    value: 'NAME',
    to: (name): Partial<ExportGiven> => {
      const exporter = exporterNamed(name)
      return exporter === null ? {} : { exporter }
    },
  }),
  text({
    name: 'out',
    value: 'PATH|-',
    help: 'where it goes; needed. A folder where the export has several files; - for stdout',
    to: (out) => ({ out }),
  }),
  choice({
    name: 'what',
    choices: WHATS,
    value: 'WHAT',
    default: 'pages',
    help: `${WHATS.join(', ')}: pages whole, the rows of one part, or a file of each`,
    to: (what: What) => ({ what }),
  }),
  ...STORE_OPTIONS,
  {
    ...CRAWL,
    value: 'ID|NAME|all',
    help: 'which crawl, by number (3 or crawl_3) or name; jelajah crawls lists them; or all',
  },
  { ...ROW_LIMIT, help: 'at most N pages' },
  flag({ name: 'force', help: 'replace what is there', to: (force) => ({ force }) }),
  flag({
    name: 'fresh',
    help: 'begin anew where an interrupted export would go on',
    to: (fresh) => ({ fresh }),
  }),
  flag({ name: 'gzip', help: 'compress every file', to: (gzip) => ({ gzip }) }),
  { ...JSON_OUTPUT, help: 'a JSON summary on stdout, on stderr where the export goes to stdout' },
  { ...QUIET, help: 'no progress and no summary, only errors' },
]

export const EXPORT_FILTER_OPTIONS: readonly Option<ExportGiven>[] = [
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
    to: (query) => ({ query }),
  }),
  flag({
    name: 'duplicates',
    help: 'also pages that repeat another word for word',
    to: (duplicates) => ({ duplicates }),
  }),
  number({
    name: 'min-words',
    min: 1,
    help: 'only pages whose text has at least N words',
    to: (minWords) => ({ minWords }),
  }),
  flag({
    name: 'without-near-duplicates',
    help: 'of pages with nearly the same text only one',
    to: (withoutNearDuplicates) => ({ withoutNearDuplicates }),
  }),
  flag({
    name: 'without-boilerplate',
    help: 'texts without the paragraphs that recur over the pages of a site',
    to: (withoutBoilerplate) => ({ withoutBoilerplate }),
  }),
  choice({
    name: 'per',
    choices: TEXT_FILES,
    default: 'page',
    help: 'of text: a file for each page, or one for each language',
    to: (per: TextFiles) => ({ per }),
  }),
  flag({
    name: 'ids',
    help: 'of edges: numbers of pages instead of URLs, with nodes.tsv',
    to: (ids) => ({ ids }),
  }),
  flag({
    name: 'outside',
    help: 'of edges: also links to what is not in the export',
    to: (outside) => ({ outside }),
  }),
  flag({
    name: 'formula-guard',
    on: true,
    help: 'put an apostrophe before cells of csv that a spreadsheet would compute',
    to: (formulaGuard) => ({ formulaGuard }),
  }),
]
