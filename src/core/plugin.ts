// What is known of a plug-in without running it: recorded with the crawl that uses it.
import { InvalidInput } from './errors.ts'

/** What a plug-in may have. */
export const PLUGIN_HOOKS = ['admit', 'request', 'parsed', 'judge', 'ordering', 'exporter'] as const
export type PluginHook = (typeof PLUGIN_HOOKS)[number]

export type PluginRecord = {
  /** As it was given: a path, or the name of a package. */
  readonly from: string
  /** The file; '' before it was looked up. */
  readonly file: string
  /** As the plug-in calls itself. */
  readonly name: string
  /** '' if it has none. */
  readonly version: string
  /** The SHA-256 of the file, in hex. */
  readonly hash: string
  readonly hooks: readonly PluginHook[]
  /** Null if it has no ordering. */
  readonly ordering: OrderingRecord | null
}

/** What is known of the ordering of a plug-in: its code runs only where pages and URLs are judged. */
export type OrderingRecord = {
  readonly name: string
  readonly about: string
  readonly focused: boolean
  readonly rescoreOn: readonly string[]
  readonly options: readonly {
    readonly name: string
    readonly help: string
    readonly default: number
    readonly min: number
    readonly max: number
    readonly whole?: boolean
  }[]
  /** It also judges pages. */
  readonly judges: boolean
}

/** A plug-in that nobody looked up yet. */
export function namedPlugin(from: string): PluginRecord {
  return { from, file: '', name: from, version: '', hash: '', hooks: [], ordering: null }
}

/**
 * The recorded plug-ins, as they were named for this run. A record alone runs no code, because the data may be
 * somebody else's.
 */
export function namedAgain(
  recorded: readonly PluginRecord[],
  named: readonly PluginRecord[],
): readonly PluginRecord[] {
  return recorded.map(({ name }) => {
    const found = named.find((plugin) => plugin.name === name)
    if (found !== undefined) return found
    const what = `the crawl uses the plug-in ${name}, whose code runs only if it is named for this run`
    throw new InvalidInput('--plugin', `${what}: give --plugin with its file`)
  })
}

/** True for a text that names a file rather than one of our own things. */
export function isModulePath(text: string): boolean {
  return /^\.{0,2}\//.test(text) || /\.[cm]?[jt]s$/.test(text)
}

/** `mine 1.2 (3f9a01c2)`. */
export function shownPlugin({ name, version, hash }: PluginRecord): string {
  return [name, version, hash === '' ? '' : `(${hash.slice(0, 8)})`].filter(Boolean).join(' ')
}
