// The contestants, and one of them at work in its own process.
import { type ChildProcess, execFileSync, fork } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Answer, Task } from './runner.ts'

export type Extractor = {
  readonly name: string
  /** A file that exports `extract`. */
  readonly module: string
  /** Null when it can run, else why it cannot. */
  missing(): string | null
}

const HERE = import.meta.dirname
/** A page that takes longer counts as one without text. */
const PAGE_LIMIT_MS = 20_000

export const jelajah: Extractor = {
  name: 'Jelajah',
  module: join(HERE, 'extract.ts'),
  missing: () => null,
}

export const readability: Extractor = {
  name: 'Readability',
  module: join(HERE, 'readability.mjs'),
  missing: installReadability,
}

export const EXTRACTORS: readonly Extractor[] = [readability, jelajah]

function installReadability(): string | null {
  if (existsSync(join(HERE, 'node_modules', '@mozilla', 'readability'))) return null
  process.stderr.write('Installing Readability and linkedom into bench/extraction/node_modules …\n')
  const options = ['--no-audit', '--no-fund', '--loglevel=error']
  try {
    execFileSync('npm', ['ci', ...options], { cwd: HERE, timeout: 300_000 })
    return null
  } catch (error) {
    return `npm could not install it: ${error instanceof Error ? error.message : error}`
  }
}

/** Answers one task after the other; starts again after a page it did not survive. */
export class ExtractorProcess implements Disposable {
  readonly #extractor: Extractor
  #child: ChildProcess | null = null

  constructor(extractor: Extractor) {
    this.#extractor = extractor
    process.once('exit', this.#kill)
  }

  async answer(task: Task): Promise<Answer> {
    this.#child ??= await this.#start()
    const child = this.#child
    const { promise, resolve } = Promise.withResolvers<Answer>()
    const giveUp = (reason: string) => {
      this.#child = null
      child.kill('SIGKILL')
      resolve({ ok: false, reason })
    }
    const onExit = () => giveUp('its process died')
    const late = () => giveUp(`no answer in ${PAGE_LIMIT_MS / 1000} s`)
    const timer = setTimeout(late, PAGE_LIMIT_MS)
    child.once('message', resolve)
    child.once('exit', onExit)
    child.send(task)
    const answer = await promise
    clearTimeout(timer)
    child.off('message', resolve)
    child.off('exit', onExit)
    return answer
  }

  async #start(): Promise<ChildProcess> {
    const { name, module } = this.#extractor
    const child = fork(join(HERE, 'runner.ts'), [module], { serialization: 'advanced' })
    const { promise, resolve, reject } = Promise.withResolvers<ChildProcess>()
    const onExit = () => reject(new Error(`${name} does not start`))
    child.once('exit', onExit)
    child.once('message', () => resolve(child))
    await promise
    child.off('exit', onExit)
    return child
  }

  #kill = () => {
    this.#child?.kill('SIGKILL')
  };

  [Symbol.dispose](): void {
    process.off('exit', this.#kill)
    this.#kill()
  }
}
