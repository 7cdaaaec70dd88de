// What partitions tell each other: links that lead to the other's hosts, results that reached a program after
// it lost the partition, duplicates whose original changed, pages that became nearer, ways of redirects that
// may be loops, and turns at the other's hosts.
import type { Found } from '../../core/link.ts'
import type { CanonicalUrl } from '../../core/url.ts'
import type { RoleChange } from '../../core/visit.ts'
import type { UrlHasher } from '../../lib/url-hash.ts'
import {
  decodeForeignLinks,
  encodeForeignLinks,
  type ForeignLinks,
  type Nearer,
  type RedirectWay,
} from '../engine/foreign-links.ts'
import type { FrontierUpdate, HostFeedback, Lease } from '../frontier.ts'

export type Mail =
  | { readonly kind: 'links'; readonly links: readonly ForeignLinks[] }
  | { readonly kind: 'settled'; readonly update: FrontierUpdate }
  | { readonly kind: 'moved'; readonly moved: readonly RoleChange[] }
  | { readonly kind: 'nearer'; readonly pages: readonly Nearer[] }
  | { readonly kind: 'way'; readonly way: RedirectWay }
  /** The redirect with this id is part of a loop. */
  | { readonly kind: 'loop'; readonly id: number }
  | TurnMail

/** A turn that a program asked for: its name, how many it asked for before, and the partition that asked. */
export type TurnName = {
  readonly owner: string
  readonly nth: number
  readonly partition: number
}

/** One request to a host of another partition: asked for, granted, and over. */
export type TurnMail =
  | { readonly kind: 'turn-wanted'; readonly turn: TurnName; readonly url: CanonicalUrl }
  /** `until`: it begins before this moment of the shared clock, or not at all. */
  | {
      readonly kind: 'turn'
      readonly turn: TurnName
      readonly lease: Lease
      readonly until: number
    }
  | {
      readonly kind: 'turn-over'
      readonly turn: TurnName
      /** The request went out. */
      readonly isSent: boolean
      readonly note: HostFeedback
    }

const LINKS = 1
const OTHER = 2

export function encodeMail(mail: Mail): Uint8Array {
  const isLinks = mail.kind === 'links'
  const content = isLinks
    ? encodeForeignLinks(mail.links)
    : Buffer.from(JSON.stringify(asSent(mail), asPlain))
  const body = new Uint8Array(1 + content.length)
  body[0] = isLinks ? LINKS : OTHER
  body.set(content, 1)
  return body
}

export function decodeMail(body: Uint8Array, hashUrl: UrlHasher): Mail {
  const content = body.subarray(1)
  if (body[0] === LINKS) return { kind: 'links', links: decodeForeignLinks(content, hashUrl) }
  const sent = JSON.parse(Buffer.from(content).toString(), (_, value) => withHash(value, hashUrl))
  return sent.kind === 'settled' ? { kind: 'settled', update: sent.settlement } : sent
}

/** Mail waits in inboxes, also for a later version: the names of its fields never change. */
function asSent(mail: Mail): object {
  return mail.kind === 'settled' ? { kind: 'settled', settlement: mail.update } : mail
}

/**
 * Links may be views of bytes whose URL JSON would not see (wire/receipt.ts). Hashes are left out: they are
 * computed again, from the URLs.
 */
function asPlain(_: string, value: unknown): unknown {
  if (!isFound(value)) return value
  const { url, nofollow, signals, refresh } = value
  return { url, nofollow, signals, refresh }
}

function withHash(value: unknown, hashUrl: UrlHasher): unknown {
  return isFound(value) ? { ...value, hash: hashUrl(value.url) } : value
}

function isFound(value: unknown): value is Omit<Found, 'hash'> {
  return typeof value === 'object' && value !== null && 'url' in value && 'nofollow' in value
}
