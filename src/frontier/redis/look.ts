// Reads what an ordering must know before a batch is settled: one call for all of it.
import type { Found, UrlHash } from '../../core/link.ts'
import { type CanonicalUrl, hostOf } from '../../core/url.ts'
import type { UrlHasher } from '../../lib/url-hash.ts'
import type { Candidate } from '../../ordering/ordering.ts'
import type { Settled } from '../frontier.ts'
import type { Calls } from './calls.ts'
import { type KnownUrl, Looked, STANDINGS } from './known-url.ts'
import { hashText } from './link-arguments.ts'
import { chunksOf } from './portions.ts'
import { listOf } from './reply.ts'
import { signalsOfText } from './signals-text.ts'

/** A page that is to be settled. */
export type LookedPage = {
  readonly isTaken: boolean
  readonly url: CanonicalUrl
  readonly hostId: number
  /** Its URL had a page in the store before. */
  readonly again: boolean
  readonly known: KnownUrl
  /** The page it was first found on. */
  readonly finder: (Candidate & { readonly hostId: number }) | null
}

/** How many URLs of a shape were granted, and whether its pages are all alike. */
export type LookedShape = { used: number; readonly repeats: boolean }

export type Shape = { readonly key: string; readonly strict: boolean }

export type Wanted = {
  readonly pages: readonly Settled[]
  readonly hashUrl: UrlHasher
  readonly links: readonly Found[]
  /** The shape of a URL where that must be known; null: it has none. */
  readonly shapeOf: (url: CanonicalUrl) => Shape | null
}

export type View = {
  readonly looked: Looked
  /** In the order of those wanted; null where there is no such URL. */
  readonly pages: readonly (LookedPage | null)[]
  readonly shapes: ReadonlyMap<string, LookedShape>
}

export async function look(calls: Calls, wanted: Wanted): Promise<View> {
  const hashes = new Map<string, UrlHash>()
  const shapes = new Map<string, readonly [host: string, key: string]>()
  for (const { hash, url } of wanted.links) {
    hashes.set(hashText(hash), hash)
    const shape = wanted.shapeOf(url)
    if (shape !== null) shapes.set(shapeName(hostOf(url), shape.key), [hostOf(url), shape.key])
  }
  const pageWords = wanted.pages.flatMap((page) => [
    ...[page.id, page.token ?? '', hashOf(page, wanted)],
  ])
  const shapeWords = [shapes.size, ...[...shapes.values()].flat()]
  const [first = [], ...others] = chunksOf([...hashes.keys()])
  const words = [wanted.pages.length, ...pageWords, first.length, ...first, ...shapeWords]
  const { reply } = await calls.run('look', words)
  const [lastId, waiting, fetched, pages, links, used] = reply
  const looked = new Looked({
    ...{ lastId: Number(lastId), waiting: Number(waiting), fetched: Number(fetched) },
  })
  const decodedPages = listOf(pages).map((page) => decodePage(page, looked))
  keepLinks(listOf(links), first, { hashes, looked })
  for (const some of others) {
    const more = await calls.run('look', [0, some.length, ...some, 0])
    keepLinks(listOf(more.reply[4]), some, { hashes, looked })
  }
  return { looked, pages: decodedPages, shapes: decodeShapes([...shapes.keys()], used) }
}

/** A page that is taken without a lease goes by its URL: see settle.lua. */
function hashOf({ token, url }: Settled, { hashUrl }: Wanted): string {
  return token === null && url !== undefined ? hashText(hashUrl(url)) : ''
}

export function shapeName(host: string, key: string): string {
  return `${host} ${key}`
}

function decodePage(value: unknown, looked: Looked): LookedPage | null {
  const [isTaken, id, url, hostId, depth, foundAt, inLinks, signals, again, standing, finder] =
    listOf(value)
  if (id === undefined) return null
  const known = decodeKnown([id, standing, depth, foundAt, inLinks, signals])
  return {
    isTaken: isTaken === 1,
    url: String(url) as CanonicalUrl,
    hostId: Number(hostId),
    again: again === 1,
    known: looked.keep(known, null),
    finder: finder === false ? null : decodeFinder(finder),
  }
}

function decodeFinder(value: unknown): Candidate & { readonly hostId: number } {
  const [, url, hostId, depth, foundAt, inLinks, signals] = listOf(value)
  return {
    url: String(url) as CanonicalUrl,
    hostId: Number(hostId),
    ...{ depth: Number(depth), foundAt: Number(foundAt), inLinks: Number(inLinks) },
    signals: typeof signals === 'string' ? signalsOfText(signals) : null,
  }
}

function keepLinks(
  values: readonly unknown[],
  keys: readonly string[],
  { hashes, looked }: { readonly hashes: ReadonlyMap<string, UrlHash>; readonly looked: Looked },
): void {
  for (const [at, value] of values.entries()) {
    if (value !== 0) {
      looked.keep(decodeKnown(listOf(value)), hashes.get(keys[at] ?? '') ?? null)
    }
  }
}

function decodeKnown(value: readonly unknown[]): KnownUrl {
  const [id, standing, depth, foundAt, inLinks, signals] = value
  return {
    id: Number(id),
    standing: STANDINGS[Number(standing)] ?? 'closed',
    ...{ depth: Number(depth), foundAt: Number(foundAt ?? 0), inLinks: Number(inLinks ?? 0) },
    signals: typeof signals === 'string' ? signalsOfText(signals) : null,
  }
}

function decodeShapes(names: readonly string[], value: unknown): Map<string, LookedShape> {
  const shapes = new Map<string, LookedShape>()
  for (const [at, shape] of listOf(value).entries()) {
    const [used, repeats] = listOf(shape)
    shapes.set(names[at] ?? '', { used: Number(used), repeats: repeats === 1 })
  }
  return shapes
}
