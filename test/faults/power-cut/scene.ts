// A crawl of the sample web whose writes are recorded, and all that is needed to go on after a cut.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type ServedSite, startSite } from '../../../src/sample-web/server.ts'
import { createSite, type Site } from '../../../src/sample-web/site.ts'
import { temporaryFolder } from '../../e2e/crawling.ts'
import { evolve } from '../../support/evolve.ts'
import type { LogRecord } from './log.ts'
import { record } from './recorder.ts'

export type SceneOptions = {
  readonly seed: number
  readonly hosts: readonly string[]
  /** Over all hosts. */
  readonly pages: number
  readonly delayMs: number
  /** What is cut is not the crawl, but its going over again what has changed since. */
  readonly isRefreshed?: boolean
  readonly scouters?: number
  /** Another checkout to run it from. */
  readonly checkout?: string
}

export type Scene = AsyncDisposable &
  Pick<SceneOptions, 'delayMs' | 'checkout'> & {
    readonly site: Site
    readonly served: ServedSite
    readonly records: readonly LogRecord[]
    /** Cuts come after so many of them. */
    readonly cutsFrom: number
    /** What was recorded, as the log has it. */
    readonly root: string
    /** The command, given the folder. */
    readonly argsFor: (dataDir: string) => readonly string[]
  }

export async function openScene(options: SceneOptions): Promise<Scene> {
  const { seed, hosts, pages, delayMs, isRefreshed = false, checkout, scouters = 1 } = options
  await using stack = new AsyncDisposableStack()
  const perHost = Math.ceil(pages / hosts.length)
  const specs = hosts.map((name) => ({ name, pages: perHost }))
  const before = createSite({ seed, hosts: specs, meanBytes: 4_000 })
  const served = stack.use(await startSite(before))
  const folder = stack.use(await temporaryFolder())
  const [root, log] = [join(folder.path, 'root'), join(folder.path, 'log')]
  mkdirSync(root)
  const from = checkout === undefined ? {} : { checkout }
  const recording = { root, log, ...from }
  const crawl = (dataDir: string, ...more: readonly string[]) => [
    ...['crawl', ...served.seeds, ...more, '--data', dataDir, '--delay', `${delayMs}`],
    ...['--allow-private', '--quiet', '--scouters', `${scouters}`],
  ]
  const refresh = (dataDir: string) => crawl(dataDir, '--refresh')
  const first = await record(crawl(join(root, 'data')), recording)
  const scene = { served, delayMs, root, ...from }
  if (!isRefreshed) {
    const kept = stack.move()
    const end = { [Symbol.asyncDispose]: () => kept.disposeAsync() }
    return { ...scene, site: before, records: first, cutsFrom: 0, argsFor: crawl, ...end }
  }
  const site = evolve(before, { seed, edited: 5, linked: 2, removed: 3, listed: 1 })
  served.become(site)
  const records = await record(refresh(join(root, 'data')), recording)
  const kept = stack.move()
  const end = { [Symbol.asyncDispose]: () => kept.disposeAsync() }
  return { ...scene, site, records, cutsFrom: first.length, argsFor: refresh, ...end }
}
