// The hooks of a parser's thread: admit, parsed, judge. Several plug-ins are asked in the order in which they
// were given; each sees what the ones before it changed.
import type { Barred } from '../core/link.ts'
import { PAGE_KINDS } from '../core/page.ts'
import { isObject } from '../lib/present.ts'
import { asHookError, callHook, HookError, inWords, isPromise } from './call-hook.ts'
import type { HookMark } from './hook-mark.ts'
import type { PageChanges, Plugin, PluginLink, PluginPage } from './plugin.ts'

const TEXTS = ['title', 'description', 'keywords', 'author', 'language', 'contentText'] as const
/** Characters of what a plug-in may add to a page, as JSON. */
const MAX_FIELDS = 65_536
const MAX_REASON = 200
/** The last moment that a Date can be. */
const MAX_DATE_MS = 8.64e15
const KNOWN: readonly string[] = [...TEXTS, 'kind', 'publishedAt', 'fields', 'drop']

type HookedPage = {
  readonly page: PluginPage
  readonly fields: Readonly<Record<string, unknown>>
  /** Why it is not stored, as a reason of `urls`; null if it is. */
  readonly dropped: string | null
}

export class PageHooks {
  readonly #plugins: readonly Plugin[]
  readonly #mark: HookMark
  readonly #admitting: readonly Plugin[]
  /** Whether a plug-in judges pages. */
  readonly judges: boolean

  constructor(plugins: readonly Plugin[], mark: HookMark) {
    this.#plugins = plugins
    this.#mark = mark
    this.#admitting = plugins.filter(({ admit }) => admit !== undefined)
    this.judges = plugins.some(({ judge }) => judge !== undefined)
  }

  get admits(): boolean {
    return this.#admitting.length > 0
  }

  /** Null if the link may be followed. A link about which a hook fails is not followed. */
  async bars(link: PluginLink): Promise<Barred | null> {
    for (const plugin of this.#admitting) {
      try {
        const answer = this.#asked(plugin, link)
        const admitted = isPromise(answer) ? await answer : answer
        if (admitted === false || typeof admitted === 'string') return 'refused'
        if (admitted !== true && admitted !== undefined) return 'unanswered'
      } catch {
        return 'unanswered'
      }
    }
    return null
  }

  /** There are many links: those that are answered at once cost no promise. */
  #asked(plugin: Plugin, link: PluginLink): ReturnType<NonNullable<Plugin['admit']>> {
    const answer = this.#admitted(plugin, link)
    if (!isPromise(answer)) return answer
    return callHook({ plugin: plugin.name, hook: 'admit', mark: this.#mark }, () => answer)
  }

  #admitted(plugin: Plugin, link: PluginLink): ReturnType<NonNullable<Plugin['admit']>> {
    this.#mark.enter(plugin.name, 'admit')
    try {
      return plugin.admit?.(link)
    } finally {
      this.#mark.leave()
    }
  }

  /** Rejects with a `HookError`. */
  async parsed(page: PluginPage): Promise<HookedPage> {
    let hooked: HookedPage = { page, fields: {}, dropped: null }
    for (const plugin of this.#plugins) {
      if (plugin.parsed === undefined || hooked.dropped !== null) continue
      const seen = hooked.page
      const caller = { plugin: plugin.name, hook: 'parsed', mark: this.#mark } as const
      const changes = await callHook(caller, () => plugin.parsed?.(seen))
      if (changes === undefined || changes === null) continue
      try {
        hooked = changed(hooked, changes, plugin.name)
      } catch (error) {
        // What is read of an answer may be code of the plug-in, too.
        throw asHookError(plugin.name, 'parsed', error)
      }
    }
    return hooked
  }

  /** The relevance, 0 to 1; null if no plug-in judges. Rejects with a `HookError`. */
  async judge(page: PluginPage): Promise<number | null> {
    const plugin = this.#plugins.find(({ judge }) => judge !== undefined)
    if (plugin === undefined) return null
    const { name } = plugin
    const caller = { plugin: name, hook: 'judge', mark: this.#mark } as const
    const relevance: unknown = await callHook(caller, () => plugin.judge?.(page))
    if (typeof relevance === 'number' && relevance >= 0 && relevance <= 1) return relevance
    throw new HookError(name, 'judge', `it answered ${told(relevance)}, not a number from 0 to 1`)
  }
}

function changed(before: HookedPage, answer: PageChanges, name: string): HookedPage {
  const changes = isObject(answer) ? { ...answer } : answer
  const wrong = nonsenseIn(changes)
  if (wrong !== null) throw new HookError(name, 'parsed', wrong)
  const { fields = {}, drop, ...facts } = changes
  const all = { ...before.fields, ...fields }
  if (sizeOf(all) > MAX_FIELDS) {
    throw new HookError(name, 'parsed', `its fields have more than ${MAX_FIELDS} characters`)
  }
  const why = drop?.replaceAll(/\s+/g, ' ').trim().slice(0, MAX_REASON)
  const dropped = why === undefined ? null : `plugin: ${name}: ${why}`
  return { page: { ...before.page, ...facts }, fields: all, dropped }
}

/** Fields that are no JSON have no size that fits. */
function sizeOf(fields: unknown): number {
  try {
    return JSON.stringify(fields)?.length ?? Number.POSITIVE_INFINITY
  } catch {
    return Number.POSITIVE_INFINITY
  }
}

/** What is wrong with an answer of `parsed`; null if nothing is. */
function nonsenseIn(changes: unknown): string | null {
  if (!isObject(changes)) return `it answered ${told(changes)}, not an object`
  const unknown = Object.keys(changes).find((key) => !KNOWN.includes(key))
  if (unknown !== undefined) return `it answered with "${unknown}", which a page does not have`
  const { kind, publishedAt, fields, drop } = changes
  const noText = TEXTS.find((key) => changes[key] !== undefined && !isText(changes[key]))
  if (noText !== undefined) return `${noText} is no text`
  if (kind !== undefined && !PAGE_KINDS.some((known) => known === kind)) {
    return `kind is none of ${PAGE_KINDS.join(', ')}`
  }
  const isDated =
    publishedAt == null || (typeof publishedAt === 'number' && Math.abs(publishedAt) <= MAX_DATE_MS)
  if (!isDated) return 'publishedAt is neither a number of milliseconds nor null'
  if (fields !== undefined && !isObject(fields)) return 'fields is no object'
  return drop === undefined || (isText(drop) && drop.trim() !== '') ? null : 'drop is no reason'
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

function told(value: unknown): string {
  return typeof value === 'string' ? 'a text' : inWords(value).slice(0, 40)
}
