// The result of parsing one body in a thread, and the receipt that the scouter gets for it.
import type { NewPage } from '../core/page.ts'
import type { CanonicalUrl } from '../core/url.ts'
import type { PageOutcome, Undelivered } from '../store/page-store.ts'
import type { Again, HandoverHead } from '../wire/handover.ts'
import { decodeKept, type KeptReceipt, type ReceiptHead } from '../wire/receipt.ts'

/** CPU time limit of one page. A sitemap has its own limit; no sane page takes longer. */
export const PARSE_LIMIT_MS = 10_000

/** `tookMs`: CPU time of the body; absent when its thread died. */
export type ParseResult = { readonly tookMs?: number } & Outcome

type Outcome =
  | {
      readonly outcome: 'page'
      readonly page: NewPage
      /** The links, encoded as in wire/receipt.ts. */
      readonly foundBlock: Uint8Array
      /** See FrontierUpdate.likeness in frontier/frontier.ts. */
      readonly likeness: number
      /** Signals of the page for the ordering; null when the ordering reads no pages. */
      readonly judged: readonly number[] | null
    }
  | {
      readonly outcome: 'refused'
      readonly reason: string
      readonly foundBlock: Uint8Array
      /** 0 for a body that was not parsed as a page. */
      readonly likeness: number
      readonly judged: readonly number[] | null
      /** Null when no topic judged it. */
      readonly relevance: number | null
    }
  | { readonly outcome: 'failed'; readonly reason: string }
  | {
      readonly outcome: 'sitemap'
      /** The last entries; earlier ones came as parts. */
      readonly foundBlock: Uint8Array
      readonly sitemaps: readonly CanonicalUrl[]
      /** Decoded bytes read, and the number of all entries. */
      readonly bytes: number
      readonly entries: number
    }
  /** The body equals the stored page. */
  | { readonly outcome: 'same' }
  /** The thread died on another page before it started this one. */
  | { readonly outcome: 'lost' }
  /** The thread saves it, and then sends its receipt. */
  | { readonly outcome: 'kept' }

/** Some entries of a sitemap; more follow. */
export type SitemapPart = { readonly outcome: 'part'; readonly foundBlock: Uint8Array }

/** Results that get a receipt at once: nothing of them is stored. */
export type UnstoredResult = Exclude<ParseResult, { outcome: 'page' | 'same' | 'kept' }>

type EncodedReceipt = { readonly head: ReceiptHead; readonly found: Uint8Array }

const NOTHING = new Uint8Array(0)

/** The receipt for a body that is not stored. */
export function receiptOf(head: HandoverHead, result: UnstoredResult): EncodedReceipt {
  switch (result.outcome) {
    case 'refused': {
      const { reason, likeness, judged, foundBlock } = result
      const answer = { ...receiptHead(head, 'refused', reason), likeness, judged }
      return { head: answer, found: foundBlock }
    }
    case 'failed':
      return { head: receiptHead(head, 'failed', result.reason), found: NOTHING }
    case 'lost':
      return { head: receiptHead(head, 'lost', ''), found: NOTHING }
    case 'sitemap': {
      const { foundBlock, sitemaps, bytes, entries } = result
      const read = { bytes, entries }
      return { head: { ...receiptHead(head, 'read', ''), sitemaps, read }, found: foundBlock }
    }
  }
}

const NOTHING_FOUND: KeptReceipt = { likeness: 0, judged: null, foundBlock: NOTHING }

/** What is noted of a stored page that was fetched again and gave no new page; null for other results. */
export function noteOf(
  head: HandoverHead,
  result: ParseResult,
): { readonly came: NonNullable<Again['came']>; readonly kept: KeptReceipt } | null {
  if (result.outcome === 'same') return { came: { to: 'unchanged' }, kept: NOTHING_FOUND }
  if (result.outcome !== 'refused' || head.again === undefined) return null
  return { came: { to: 'refused', reason: result.reason }, kept: result }
}

/** A thread that was killed used up the whole limit. */
export function costOf(result: ParseResult): number {
  if (result.tookMs !== undefined) return result.tookMs
  const isTooLong = result.outcome === 'failed' && result.reason.startsWith('parse-timeout')
  return isTooLong ? PARSE_LIMIT_MS : 0
}

type ReceiptIdentity = Pick<ReceiptHead, 'kind' | 'id' | 'token' | 'url' | 'depth'>

export function savedHead(head: ReceiptIdentity, saved: PageOutcome): ReceiptHead {
  const moved = 'moved' in saved && saved.moved ? { moved: saved.moved } : {}
  if (saved.outcome === 'gone') {
    const { to, reason } = saved.came
    return { ...receiptHead(head, to, reason), gone: true, ...moved }
  }
  const reason = saved.outcome === 'duplicate' ? saved.of : ''
  return { ...receiptHead(head, saved.outcome, reason), ...moved }
}

/** The receipt of a page that was saved in an earlier run, or for an earlier scouter. */
export function receiptAgain({
  url,
  urlId,
  depth,
  round,
  saved,
  receipt,
}: Undelivered): EncodedReceipt {
  const { foundBlock, ...kept } = decodeKept(receipt)
  const page = { kind: 'page', id: urlId, token: null, url } as const
  const head = savedHead(depth === null ? page : { ...page, depth }, saved)
  return { head: { ...head, ...kept, round }, found: foundBlock }
}

export function receiptHead(
  head: ReceiptIdentity,
  outcome: ReceiptHead['outcome'],
  reason: string,
): ReceiptHead {
  const { kind, id, token, url, depth } = head
  const named = {
    ...(url === undefined ? {} : { url }),
    ...(depth === undefined ? {} : { depth }),
  }
  return { kind, id, token, ...named, outcome, reason, likeness: 0, judged: null, sitemaps: [] }
}
