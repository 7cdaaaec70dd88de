// Problems with options, seeds and topics. Readers collect all problems and report them at once, on the
// command line and over HTTP.
import { CrawlerError, InvalidInput } from '../core/errors.ts'

/** Where a value came from, the strongest first. */
const SOURCES = ['flag', 'environment', 'file', 'body'] as const
export type Source = (typeof SOURCES)[number]

/** Where a value was given. */
export type Location = {
  readonly source: Source
  /** The flag, variable, key or field. */
  readonly at: string
}

export type Problem = Location & { readonly message: string }

/** Everything that is wrong with the options, reported at once. */
export class BadOptions extends InvalidInput {
  readonly problems: readonly Problem[]

  constructor(problems: readonly [Problem, ...Problem[]]) {
    const lines = problems.map(({ at, message }) => `${at}: ${message}`)
    super(problems[0].at, lines.join('\n'))
    this.name = 'BadOptions'
    this.problems = problems
  }

  /** True when a flag is wrong, false when only the environment or a file is. */
  get byFlag(): boolean {
    return this.problems.some(({ source }) => source === 'flag')
  }
}

/** Collects problems while options are read, so that none hides another. */
export class Problems {
  readonly #found: Problem[] = []
  #locationOf: (option: string) => Location | undefined = () => undefined

  /** Checks speak of flags; `locationOf` tells where the option of that name was really given. */
  locate(locationOf: (option: string) => Location | undefined): void {
    this.#locationOf = locationOf
  }

  add(source: Source, at: string, message: string): void {
    const [, option, rest = ''] = /^--([a-z0-9-]+)(: .*)?$/s.exec(at) ?? []
    const place = source === 'flag' && option !== undefined ? this.#locationOf(option) : undefined
    if (place === undefined) this.#found.push({ source, at, message })
    else this.#found.push({ source: place.source, at: `${place.at}${rest}`, message })
  }

  /** The result of `work`; null when it throws InvalidInput, which becomes a problem. */
  try<T>(source: Source, work: () => T): T | null {
    try {
      return work()
    } catch (error) {
      if (!(error instanceof InvalidInput)) throw error
      this.add(source, error.at, error.message)
      return null
    }
  }

  /** All problems so far, in the order they were found. */
  get all(): readonly Problem[] {
    return this.#found
  }

  throwIfAny(): void {
    const [first, ...rest] = this.#found
    if (first !== undefined) throw new BadOptions([first, ...rest])
  }
}

const TOO_MANY_FILES =
  'too many files are open: this machine allows no more. Raise the limit (ulimit -n 4096), or ask for ' +
  'less at once (--concurrency).'

/** The message of an error; with a stack only where it is a bug of ours. */
export function messageOf(error: unknown): string {
  if (error instanceof BadOptions) return error.message
  if (error instanceof InvalidInput) return `${error.at}: ${error.message}`
  if (error instanceof CrawlerError) return error.message
  // Without lib/present.ts, as every start of the program loads this file.
  const code = error instanceof Error && 'code' in error ? error.code : ''
  if (code === 'EMFILE' || code === 'ENFILE') return TOO_MANY_FILES
  const what = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return `this is a bug in Jelajah, please report it:\n${what}`
}
