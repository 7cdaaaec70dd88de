// `jelajah classify`: argv into which texts are judged, by which model, and how the answer is shown.
import { resolve } from 'node:path'
import { InvalidInput } from '../../core/errors.ts'
import { METHODS, type Method } from '../../core/method.ts'
import { isServerUrl } from '../../core/workspace-url.ts'
import { Problems } from '../../options/bad-options.ts'
import { choice, type Option, text } from '../../options/option.ts'
import { type Args, parseArgs } from '../args.ts'
import { CRAWL, HOST, JSON_OUTPUT, ROW_LIMIT } from '../common-options.ts'
import { readOptions, readSources, type Surroundings } from '../sources.ts'
import { DATA, refuseFile } from '../workspace-options.ts'
import { existingFile, type TextsFile } from './train-command.ts'

export type ClassifySource =
  | ({ readonly kind: 'file' } & TextsFile)
  | { readonly kind: 'text'; readonly text: string }
  | {
      readonly kind: 'crawl'
      readonly dataDir: string
      /** Null: the newest. */
      readonly crawl: string | null
      readonly host: string | null
    }

export type ClassifyOptions = {
  readonly source: ClassifySource
  readonly model: { readonly path: string; readonly name: string }
  /** Null: the one that training found better. */
  readonly method: Method | null
  /** Texts at most; null: all. */
  readonly limit: number | null
  readonly json: boolean
}

type Choices = {
  readonly model: string
  readonly method: Method
  readonly dataDir: string
  readonly crawl: string
  readonly host: string
  readonly limit: number
  readonly json: boolean
}

const OF_CRAWL: readonly string[] = ['data', 'crawl', 'host']
const { env: _, ...DATA_OF_CRAWL } = DATA
export const CLASSIFY_OPTIONS: readonly Option<Choices>[] = [
  text({
    name: 'model',
    value: 'FILE',
    help: 'the model, as train made it; needed',
    to: (model) => ({ model }),
  }),
  choice({
    name: 'method',
    choices: METHODS,
    default: 'the better one',
    help: 'which of its two judges answers; training found out which is better',
    to: (method) => ({ method }),
  }),
  { ...ROW_LIMIT, help: 'at most N texts' },
  {
    ...JSON_OUTPUT,
    help: 'one JSON object per line and text: its label, probability and all probabilities',
  },
  { ...DATA_OF_CRAWL, default: '', help: 'judge the pages of a crawl in this folder or database' },
  CRAWL,
  HOST,
]

export function parseClassify(argv: readonly string[], around: Surroundings): ClassifyOptions {
  const { cwd } = around
  const problems = new Problems()
  const args = parseArgs(argv, CLASSIFY_OPTIONS, problems)
  const sources = readSources(args, around, problems, { withFile: false })
  // A text is judged by itself, whatever place of crawls the environment names.
  const options = args.words.length === 0 ? CLASSIFY_OPTIONS : CLASSIFY_OPTIONS.map(ofCrawlByFlag)
  const chosen = readOptions(options, sources, problems)
  const source = problems.try('flag', () => sourceOf(args, chosen, cwd))
  if (source?.kind === 'crawl') refuseFile(source.dataDir, problems)
  const model = problems.try('flag', () => modelFile(chosen.model, cwd))
  problems.throwIfAny()
  // What could not be made out was a problem, and thrown.
  if (source === null || model === null) throw new InvalidInput('classify', 'has nothing to do')
  return {
    source,
    model,
    method: chosen.method ?? null,
    limit: chosen.limit ?? null,
    json: chosen.json ?? false,
  }
}

function ofCrawlByFlag(option: Option<Choices>): Option<Choices> {
  return OF_CRAWL.includes(option.name) ? { ...option, fromEnvironment: false } : option
}

function modelFile(written: string | undefined, cwd: string): ClassifyOptions['model'] {
  if (written === undefined) {
    throw new InvalidInput('--model', "say which model: --model FILE; 'jelajah train' makes one")
  }
  return { path: existingFile(written, cwd), name: written }
}

function sourceOf({ words }: Args, chosen: Partial<Choices>, cwd: string): ClassifySource {
  const { dataDir, crawl = null, host = null } = chosen
  const [first = '', ...more] = words
  if (dataDir !== undefined) {
    if (first === '')
      return {
        kind: 'crawl',
        dataDir: isServerUrl(dataDir) ? dataDir : resolve(cwd, dataDir),
        crawl,
        host,
      }
    throw new InvalidInput(first, 'give texts or --data, not both')
  }
  if (crawl !== null || host !== null) {
    throw new InvalidInput(crawl === null ? '--host' : '--crawl', 'is for --data')
  }
  if (first === '') {
    throw new InvalidInput('classify', 'give a file, a text, - for stdin, or --data for a crawl')
  }
  if (more.length > 0) return { kind: 'text', text: words.join(' ') }
  if (first === '-') return { kind: 'file', path: null, name: 'stdin' }
  // A text of one word is rare, and a file that is not there must not be taken for one.
  if (/\s/.test(first)) return { kind: 'text', text: first }
  return { kind: 'file', path: existingFile(first, cwd), name: first }
}
