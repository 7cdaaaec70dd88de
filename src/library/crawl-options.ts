// The options of `crawl()`: those of the command line, under their names in camel case.
import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { InvalidInput, shown } from '../core/errors.ts'
import { mayBePrivate } from '../core/private-access.ts'
import { type CanonicalUrl, hostOf } from '../core/url.ts'
import { DEFAULT_DATA, isServerUrl, type WorkspaceChoice } from '../core/workspace-url.ts'
import type { CompanyRequest } from '../crawl/crawl-with-services.ts'
import { checkTopic } from '../crawl/topic-source.ts'
import { readFields } from '../fields/read-fields.ts'
import { nearest } from '../lib/edit-steps.ts'
import { BadOptions, type Location, Problems } from '../options/bad-options.ts'
import { checkFocus, chosenOrdering } from '../options/focus-checks.ts'
import { keyName, keyOf, type Option, type OptionInfo, withFieldNames } from '../options/option.ts'
import { type CrawlChoices, crawlOptions } from '../options/options.ts'
import { seedUrl } from '../options/seeds.ts'
import type { Texts } from '../options/setting.ts'
import { settingsFrom } from '../options/settings.ts'
import type { GivenFocus } from '../options/table/focus.ts'
import type { GivenLimits } from '../options/table/limits.ts'
import type { GivenNetwork } from '../options/table/network.ts'
import { readTopicRequest } from '../options/topic-files.ts'
import { DATA, FRONTIER, STORE_TIMEOUT } from '../options/workspace.ts'
import { ORDERING_CHOICES } from '../ordering/index.ts'
import { namesModules, readPlugins } from '../plugin/read-plugins.ts'

/** What a crawl fetches, how, and what it keeps: declared beside the entries of the table. */
type CrawlSettingsOptions = GivenLimits & GivenNetwork & GivenFocus

/** The options of `crawl()`. */
export type CrawlOptions = CrawlSettingsOptions & {
  /** The URLs to start from. */
  readonly seeds: Texts
  /** The folder where crawls live, or the URL of a PostgreSQL. Default: `./jelajah-data`. */
  readonly data?: string
  /** Beside a database: the URL of a Redis. */
  readonly frontier?: string
  /** How many seconds a database may be away before the crawl fails. */
  readonly storeTimeout?: number
  /** The same name continues the newest crawl of that name. Default: its seeds. */
  readonly name?: string
  /** Start a new crawl of that name. */
  readonly fresh?: boolean
  /** Keep the search index up to date meanwhile. */
  readonly index?: boolean
}

/** The options of a crawl, to be kept in a file of their own; seeds may come later. */
export type Config = Partial<CrawlOptions>

/** Returns its argument; an editor then knows the names of all options. */
export function defineConfig<C extends Config>(config: C): C {
  return config
}

const SETTINGS = crawlOptions(ORDERING_CHOICES)
const WORKSPACE: readonly Option<WorkspaceChoice>[] = [DATA, FRONTIER, STORE_TIMEOUT]
const OWN = ['seeds', 'name', 'fresh', 'index']

/** The names that `crawl()` knows. */
export function optionNames(): readonly string[] {
  return [...SETTINGS, ...WORKSPACE].map(({ name }) => keyName(name)).concat(OWN)
}

/** Throws `BadOptions` with all problems at once. */
export async function readCrawlOptions(
  options: CrawlOptions,
  cwd: string,
): Promise<CompanyRequest> {
  const given = new GivenOptions(options)
  const { problems } = given
  const read: Partial<CrawlChoices> = {}
  for (const option of SETTINGS) Object.assign(read, given.read(option))
  if (read.fields) Object.assign(read, { fields: await readFields(read.fields, cwd, problems) })
  const chosen = namesModules(read) ? await readPlugins(read, cwd, problems) : read
  const places: Partial<WorkspaceChoice> = {}
  for (const option of WORKSPACE) Object.assign(places, given.read(option))
  checkFocus(chosen, given, problems)
  const topic = await readTopicRequest(chosen, { cwd }, problems)
  if (topic !== null) checkTopic(topic, problems)
  const seeds = given.seeds()
  const name = given.text('name')
  const [fresh, index] = [given.truth('fresh'), given.truth('index')]
  const { dataDir = DEFAULT_DATA, ...servers } = places
  if (!isServerUrl(dataDir) && servers.frontier !== undefined) {
    problems.add('body', 'frontier', 'is for crawls in a database: give data: "postgres://…" too')
  }
  if (isServerUrl(dataDir) && (chosen.keepBest ?? null) !== null) {
    problems.add('body', 'keepBest', 'works for crawls in a folder only, not in a database')
  }
  given.refuseUnknown()
  given.throwIfAny()
  const typedHosts = seeds.filter(mayBePrivate).map(hostOf)
  const settings = settingsFrom(chosen, availableParallelism(), chosenOrdering(chosen).focused)
  return {
    ...{ seeds, topic, name, fresh, index, refresh: null },
    ...{ ...servers, dataDir: isServerUrl(dataDir) ? dataDir : resolve(cwd, dataDir) },
    settings: { ...settings, typedHosts },
  }
}

/** Any spelling of a name is taken, as in the config file. */
class GivenOptions {
  readonly problems = new Problems()
  readonly #given: Map<string, { readonly at: string; readonly raw: unknown }>
  readonly #known = new Set<string>()

  constructor(options: object) {
    if (typeof options !== 'object' || options === null || Array.isArray(options)) {
      throw new InvalidInput('options', `needs an object with seeds, not ${shown(options)}`)
    }
    const known = Object.entries(options).filter(([, raw]) => raw !== undefined && raw !== null)
    this.#given = new Map(known.map(([at, raw]) => [keyOf(at), { at, raw }]))
    this.problems.locate((option) => this.locationOf(option))
  }

  has(option: string): boolean {
    return this.#given.has(keyOf(option))
  }

  locationOf(option: string): Location {
    return { source: 'body', at: this.#given.get(keyOf(option))?.at ?? keyName(option) }
  }

  read<T extends object>(option: OptionInfo & { read(raw: unknown, at: string): T }): T | null {
    for (const name of [option.name, ...(option.aliases ?? [])]) {
      const found = this.#take(name)
      if (found === undefined) continue
      const raw = option.kind === 'list' ? pairsOf(found.raw) : found.raw
      return this.problems.try('body', () => option.read(raw, found.at))
    }
    return null
  }

  seeds(): readonly CanonicalUrl[] {
    const raw = this.#take('seeds')?.raw ?? []
    const written: readonly unknown[] = Array.isArray(raw) ? raw : [raw]
    if (written.length === 0) this.problems.add('body', 'seeds', 'give at least one URL')
    const urls = written.flatMap((seed, at) => {
      const url = typeof seed === 'string' ? seedUrl(seed) : null
      if (url !== null) return [url]
      const place = Array.isArray(raw) ? `seeds[${at}]` : 'seeds'
      this.problems.add('body', place, `${shown(seed)} is not an http or https URL`)
      return []
    })
    return [...new Set(urls)]
  }

  text(name: string): string | null {
    const raw = this.#take(name)?.raw
    if (raw === undefined || (typeof raw === 'string' && raw.trim() !== '')) return raw ?? null
    this.problems.add('body', name, `needs a text, not ${shown(raw)}`)
    return null
  }

  truth(name: string): boolean {
    const raw = this.#take(name)?.raw
    if (raw === undefined || typeof raw === 'boolean') return raw ?? false
    this.problems.add('body', name, `is true or false, not ${shown(raw)}`)
    return false
  }

  refuseUnknown(): void {
    for (const [normal, { at }] of this.#given) {
      if (this.#known.has(normal)) continue
      const meant = nearest(at.slice(0, 40), optionNames())
      const hint = meant === null ? '' : `; did you mean ${meant}?`
      this.problems.add('body', at, `there is no such option${hint}`)
    }
  }

  /** Messages speak of options as flags; here they have names in camel case. */
  throwIfAny(): void {
    const [first, ...rest] = this.problems.all.map(({ source, at, message }) => ({
      source,
      at: withFieldNames(at, keyName),
      message: withFieldNames(message, keyName),
    }))
    if (first !== undefined) throw new BadOptions([first, ...rest])
  }

  #take(name: string): { readonly at: string; readonly raw: unknown } | undefined {
    this.#known.add(keyOf(name))
    return this.#given.get(keyOf(name))
  }
}

/** An object as texts `K=V`. */
function pairsOf(raw: unknown): unknown {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) return raw
  return Object.entries(raw).map(([name, value]) => {
    return `${name}=${typeof value === 'string' ? value : shown(value)}`
  })
}
