// Reads what an ordering must know before a batch is settled: one call for all of it.
import type { Found, UrlHash } from '../../core/link.ts'
import type { CanonicalUrl } from '../../core/url.ts'
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

export type Wanted = {
  readonly pages: readonly Settled[]
  readonly hashUrl: UrlHasher
  readonly links: readonly Found[]
}

export type View = {
  readonly looked: Looked
  /** In the order of those wanted; null where there is no such URL. */
  readonly pages: readonly (LookedPage | null)[]
}

export async function look(calls: Calls, wanted: Wanted): Promise<View> {
  const hashes = new Map<string, UrlHash>()
  for (const { hash } of wanted.links) hashes.set(hashText(hash), hash)
  const pageWords = wanted.pages.flatMap((page) => [
    ...[page.id, page.token ?? '', hashOf(page, wanted)],
  ])
  const [first = [], ...others] = chunksOf([...hashes.keys()])
  const words = [wanted.pages.length, ...pageWords, first.length, ...first]
  const { reply } = await calls.run('look', words)
  const [lastId, waiting, fetched, pages, links] = reply
  const looked = new Looked({
    ...{ lastId: Number(lastId), waiting: Number(waiting), fetched: Number(fetched) },
  })
  const decodedPages = listOf(pages).map((page) => decodePage(page, looked))
  keepLinks(listOf(links), first, { hashes, looked })
  for (const some of others) {
    const more = await calls.run('look', [0, some.length, ...some])
    keepLinks(listOf(more.reply[4]), some, { hashes, looked })
  }
  return { looked, pages: decodedPages }
}

/** A page that is taken without a lease goes by its URL: see settle.lua. */
function hashOf({ token, url }: Settled, { hashUrl }: Wanted): string {
  return token === null && url !== undefined ? hashText(hashUrl(url)) : ''
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
