// The webs of a plan, opened: made up, stored, or crawled for the purpose.
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { InvalidInput, shown } from '../core/errors.ts'
import { isServerUrl } from '../core/workspace-url.ts'
import { crawlFrom } from '../library/crawl.ts'
import { makeWorld, type ReplayWorld } from '../simulate/replay-world.ts'
import type { SampleTopic, SampleWeb } from '../simulate/sample/draft.ts'
import { SAMPLE_NAMES } from '../simulate/sample/sample-names.ts'
import { SAMPLE_WEBS } from '../simulate/sample/sample-webs.ts'
import { chooseCrawl } from '../workspace/find-crawl.ts'
import { openWorkspace } from '../workspace/open-workspace.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { crawlOptions } from './crawl-options.ts'
import type { Cell, Choices, ExperimentOptions, Plan, PlanWeb } from './experiment.ts'
import { openStoredWeb } from './stored-web.ts'

/** A web whose pages and links are known. */
export type KnownWeb = {
  readonly world: ReplayWorld
  readonly seeds: readonly string[]
  /** Null unless it was made up. */
  readonly made: SampleWeb | null
  /** Key of a topic → what it says of each page. */
  readonly judged: Map<string, Judged>
}

/** By page. */
export type Judged = { readonly relevance: Float64Array; readonly hot: Uint8Array }

export class Webs implements AsyncDisposable {
  readonly #plan: Plan
  readonly #cwd: string
  /** For a web that is crawled first. */
  readonly #folder: string
  readonly #say: (text: string) => void
  readonly #signal: AbortSignal
  /** The last one; cells run repeat by repeat. */
  #made: (KnownWeb & { readonly seed: number }) | null = null
  #stored: Promise<KnownWeb> | null = null
  #close: () => Promise<void> = async () => {}

  constructor(plan: Plan, { cwd, folder, signal, watcher }: Omit<ExperimentOptions, 'plan'>) {
    this.#plan = plan
    this.#cwd = cwd
    this.#folder = folder
    this.#signal = signal
    this.#say = (text) => watcher.onNotice(text)
  }

  /** Changes with a stored crawl; '' for other webs. */
  async state(): Promise<string> {
    const { web } = this.#plan
    if (web.from !== 'data') return ''
    await using workspace = this.#workspace(web.data)
    const { id, startedAt, endedAt } = await chooseCrawl(workspace, web.crawl)
    return JSON.stringify([id, startedAt, endedAt])
  }

  /** Null if nothing is known of it before it is crawled. */
  async of(cell: Pick<Cell, 'seed'>): Promise<KnownWeb | null> {
    const { web, kind } = this.#plan
    if (web.from === 'sample') return this.#madeWeb(web.sample, cell.seed)
    if (web.from === 'hosts' || (web.from === 'seeds' && kind === 'crawl')) return null
    this.#stored ??= web.from === 'data' ? this.#open(web) : this.#crawled(web)
    return this.#stored
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#close()
  }

  /** Kept, since cells of the same repeat have the same web. */
  #madeWeb(name: string, seed: number): KnownWeb {
    if (this.#made?.seed === seed) return this.#made
    const sample = SAMPLE_NAMES.find((each) => each === name) ?? SAMPLE_NAMES[0]
    const made = SAMPLE_WEBS[sample](seed)
    const web = { world: makeWorld(made.pages), seeds: [made.seed], made, judged: new Map() }
    this.#made = { ...web, seed }
    return this.#made
  }

  async #open({ data, crawl }: Extract<PlanWeb, { from: 'data' }>): Promise<KnownWeb> {
    const workspace = this.#workspace(data)
    const stored = await openStoredWeb({ workspace, crawl, deadLinks: false })
    this.#close = async () => {
      await stored[Symbol.asyncDispose]()
      await workspace[Symbol.asyncDispose]()
    }
    return { world: stored.world, seeds: stored.job.seeds, made: null, judged: new Map() }
  }

  #workspace(data: string): Workspace {
    const place = isServerUrl(data) ? data : resolve(this.#cwd, data)
    if (!isServerUrl(place) && !existsSync(place)) {
      throw new InvalidInput('plan', `web.data: there is no folder ${shown(place)}`)
    }
    return openWorkspace({ data: place, frontier: null })
  }

  /** An interrupted crawl goes on where it was. */
  async #crawled({ seeds, pages }: Extract<PlanWeb, { from: 'seeds' }>): Promise<KnownWeb> {
    const data = join(this.#folder, 'web')
    this.#say(`crawling the web first, up to ${pages} pages: ${data}`)
    const asked = Object.entries(this.#plan.options).filter(([name]) => FETCHING.includes(name))
    const options = crawlOptions(Object.fromEntries(asked), seeds)
    const limits = { data, name: 'web', maxPages: pages, signal: this.#signal }
    await crawlFrom(this.#cwd, { ...options, ...limits }).summary
    this.#signal.throwIfAborted()
    return this.#open({ from: 'data', data, crawl: 'web' })
  }
}

/** Options of a simulated plan that also say how its web is fetched, and how far. */
const FETCHING = [
  ...['delay', 'perHost', 'allowPrivate', 'connectTo', 'proxy', 'dns', 'contact', 'userAgent'],
  ...['timeout', 'retries', 'maxBody', 'ignoreRobots', 'scope', 'include', 'exclude', 'maxDepth'],
]

/** Most significant words of a made-up topic that stand for it. */
const KEYWORDS = 8

/** The topic of a made-up web that an option names; null if it names none. */
function madeTopic({ topic }: Choices, made: SampleWeb | null): SampleTopic | null {
  return made?.topics.find(({ id }) => id === topic) ?? null
}

/** A made-up topic in words. */
export function withMadeTopic(options: Choices, made: SampleWeb | null): Choices {
  const topic = madeTopic(options, made)
  if (topic === null) return options
  const { description, words } = topic
  return { ...options, topic: description, keywords: words.slice(0, KEYWORDS) }
}

/** 1 for each page on a made-up topic; null if the option names none. */
export function madeTruth(options: Choices, made: SampleWeb | null): Uint8Array | null {
  const topic = madeTopic(options, made)
  if (topic === null || made === null) return null
  const number = made.topics.indexOf(topic)
  return Uint8Array.from(made.topicOf, (of) => (of === number ? 1 : 0))
}
