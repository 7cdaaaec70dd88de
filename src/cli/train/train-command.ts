// `jelajah train`: argv into what is learned from, and where the model goes.
import { existsSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { InvalidInput, Refused, shown } from '../../core/errors.ts'
import { LANGUAGE_CODES, languageCode } from '../../core/languages.ts'
import { Problems } from '../../options/bad-options.ts'
import { flag, number, type Option, text } from '../../options/option.ts'
import { parseArgs, refuseWords } from '../args.ts'
import { JSON_OUTPUT, QUIET } from '../common-options.ts'
import { readOptions, readSources, type Surroundings } from '../sources.ts'
import { readStopWordsFile } from '../topic-files.ts'

/** A file of texts; null is stdin. */
export type TextsFile = { readonly path: string | null; readonly name: string }

export type TrainOptions = {
  readonly texts: TextsFile
  /** Absolute. */
  readonly out: string
  readonly folds: number
  /** A tag; null: the language of the texts. */
  readonly language: string | null
  /** The user's own, as they were written. */
  readonly stopWords: readonly string[]
  readonly seed: number
  readonly json: boolean
  readonly quiet: boolean
}

type Choices = {
  readonly out: string
  readonly force: boolean
  readonly folds: number
  readonly language: string
  readonly stopWords: string
  readonly seed: number
  readonly json: boolean
  readonly quiet: boolean
}

const DEFAULT_FOLDS = 5

export const TRAIN_OPTIONS: readonly Option<Choices>[] = [
  text({
    name: 'out',
    value: 'FILE',
    help: 'where the model goes; needed',
    to: (out) => ({ out }),
  }),
  flag({ name: 'force', help: 'write over a file that is there', to: (force) => ({ force }) }),
  number({
    name: 'folds',
    min: 2,
    max: 50,
    default: String(DEFAULT_FOLDS),
    help: 'parts for cross-validation: each is judged by what was learned from the others',
    to: (folds) => ({ folds }),
  }),
  text({
    name: 'language',
    value: 'TAG',
    default: 'that of the texts',
    help: 'decides stems and stop words, such as id or en; none for no such thing',
    to: (written) => ({ language: languageFrom(written) }),
  }),
  text({
    name: 'stop-words',
    value: 'FILE',
    help: 'words that tell nothing, one per line, from # on a remark; the model keeps them',
    to: (stopWords) => ({ stopWords }),
  }),
  number({
    name: 'seed',
    min: 0,
    max: 2 ** 32 - 1,
    default: '1',
    help: 'decides which texts share a part; the model does not depend on it',
    to: (seed) => ({ seed }),
  }),
  { ...JSON_OUTPUT, help: 'print the figures as one JSON object' },
  QUIET,
]

export async function parseTrain(
  argv: readonly string[],
  around: Surroundings,
): Promise<TrainOptions> {
  const { cwd } = around
  const problems = new Problems()
  const args = parseArgs(argv, TRAIN_OPTIONS, problems)
  const sources = readSources(args, around, problems, { withFile: false })
  const chosen = readOptions(TRAIN_OPTIONS, sources, problems)
  const [written] = args.words
  refuseWords(args, 1, problems)
  const texts = problems.try('flag', () => textsFile(written, cwd))
  const out = problems.try('flag', () => outFile(chosen, cwd))
  const stopWords = await readStopWordsFile(chosen.stopWords, around, problems)
  problems.throwIfAny()
  // What could not be made out was a problem, and thrown.
  if (texts === null || out === null) throw new InvalidInput('train', 'has nothing to do')
  return {
    texts,
    out,
    folds: chosen.folds ?? DEFAULT_FOLDS,
    language: chosen.language ?? null,
    stopWords: stopWords ?? [],
    seed: chosen.seed ?? 1,
    json: chosen.json ?? false,
    quiet: chosen.quiet ?? false,
  }
}

function textsFile(written: string | undefined, cwd: string): TextsFile {
  if (written === undefined) {
    const line = '{"text": "…", "label": "…"}'
    throw new InvalidInput('train', `give a file with lines such as ${line}, or - for stdin`)
  }
  if (written === '-') return { path: null, name: 'stdin' }
  return { path: existingFile(written, cwd), name: written }
}

/** The absolute path of a file; InvalidInput when there is none. */
export function existingFile(written: string, cwd: string): string {
  const path = resolve(cwd, written)
  const found = statSync(path, { throwIfNoEntry: false })
  if (found === undefined) throw new InvalidInput(written, 'there is no such file')
  if (found.isDirectory()) throw new InvalidInput(written, 'is a folder; give a file')
  return path
}

/** Asked before an hour of training, not after it. */
function outFile({ out, force = false }: Partial<Choices>, cwd: string): string {
  if (out === undefined) throw new InvalidInput('--out', 'say where the model goes: --out FILE')
  const path = resolve(cwd, out)
  if (!existsSync(dirname(path))) {
    throw new InvalidInput('--out', `there is no folder ${shown(dirname(path))}`)
  }
  if (!existsSync(path)) return path
  if (statSync(path).isDirectory()) throw new InvalidInput('--out', `${shown(out)} is a folder`)
  if (!force) throw new InvalidInput('--out', `${shown(out)} is there already; --force replaces it`)
  return path
}

function languageFrom(written: string): string {
  if (written === 'none') return ''
  if (languageCode(written) !== null) return written
  const known = `one of ${LANGUAGE_CODES.join(', ')}`
  throw new Refused(`needs ${known}, or none for words as they are, not ${shown(written)}`)
}
