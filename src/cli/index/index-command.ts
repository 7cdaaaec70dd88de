// `jelajah index`: argv into which index is brought up to date, and whether it stays so.

import type { WorkspaceChoice } from '../../core/workspace-url.ts'
import { Problems } from '../../options/bad-options.ts'
import { flag, type Option } from '../../options/option.ts'
import { parseArgs, refuseWords } from '../args.ts'
import { JSON_OUTPUT, QUIET } from '../common-options.ts'
import { readOptions, readSources, type Surroundings } from '../sources.ts'
import { readWorkspace, STORE_OPTIONS, WORKSPACE_KEYS } from '../workspace-options.ts'

export type IndexOptions = WorkspaceChoice & {
  /** Go on until it is stopped. */
  readonly follow: boolean
  /** Throw away what is there first. */
  readonly rebuild: boolean
  readonly json: boolean
  readonly quiet: boolean
}

export const INDEX_OPTIONS: readonly Option<IndexOptions>[] = [
  ...STORE_OPTIONS,
  flag({
    name: 'follow',
    help: 'keep it up to date until Ctrl-C, also while crawls run; serves run/feed.sock when nobody does',
    to: (follow) => ({ follow }),
  }),
  flag({
    name: 'rebuild',
    help: 'make it anew from the stored pages',
    to: (rebuild) => ({ rebuild }),
  }),
  JSON_OUTPUT,
  QUIET,
]

export function parseIndex(argv: readonly string[], around: Surroundings): IndexOptions {
  const problems = new Problems()
  const args = parseArgs(argv, INDEX_OPTIONS, problems)
  refuseWords(args, 0, problems)
  const sources = readSources(args, around, problems)
  // The config file is written for `crawl`: of its keys only the place counts here.
  const file = new Map([...sources.file].filter(([key]) => WORKSPACE_KEYS.includes(key)))
  const chosen = readOptions(INDEX_OPTIONS, { ...sources, file }, problems)
  const workspace = readWorkspace(chosen, { sources, around, problems })
  problems.throwIfAny()
  return {
    ...workspace,
    follow: chosen.follow ?? false,
    rebuild: chosen.rebuild ?? false,
    json: chosen.json ?? false,
    quiet: chosen.quiet ?? false,
  }
}
