// The one door for pages of other sites: the public search.
//
// Browsers keep a page from reading the answers of another origin unless the answer names that origin. Here it
// is named only if the operator listed it. No answer allows credentials, and no cookie or token is looked at,
// so a visitor who is signed in to this server gets what any other visitor gets. Programs other than browsers
// can claim any origin: for those there are the key and the limits.
import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { PublicSearch } from './api-deps.ts'
import { Refusal } from './errors.ts'

/** How long a browser remembers that it may ask. */
const PREFLIGHT_SECONDS = '600'

type DoorDeps = {
  readonly search: PublicSearch | null
  /** The page is one that this server delivered itself. */
  readonly isOwn: boolean
}

/** Throws a `Refusal` for pages of sites that are not listed. Otherwise the answer names the site. */
export function openPublicDoor(
  { headers: { origin, 'sec-fetch-site': site } }: FastifyRequest,
  reply: FastifyReply,
  { search, isOwn }: DoorDeps,
): void {
  // Also on a refusal: a cache must not show it to another site.
  reply.header('vary', 'Origin')
  if (origin === undefined) {
    // Without an origin it is no page that could read the answer, or a page behind the same proxy.
    const isAbroad = site === 'cross-site' || site === 'same-site'
    if (isAbroad) throw new Refusal(403, 'ask with fetch from a page of a site that is listed')
    return
  }
  // Exactly as the browser writes it. A page without an origin of its own sends "null", which is never listed.
  if (search?.origins.includes(origin) !== true && !isOwn) {
    throw new Refusal(403, 'pages of this site may not search here')
  }
  reply.header('access-control-allow-origin', origin)
  reply.header('access-control-expose-headers', 'retry-after')
}

/** The answer to a browser that asks whether it may ask. No header but the usual ones is allowed. */
export function answerPreflight(reply: FastifyReply): FastifyReply {
  return reply
    .status(204)
    .header('access-control-allow-methods', 'GET')
    .header('access-control-max-age', PREFLIGHT_SECONDS)
    .send()
}

/** In constant time, although the key is no secret. */
export function isPublicKey(given: unknown, { key }: PublicSearch): boolean {
  const hash = (text: string) => createHash('sha256').update(text).digest()
  return typeof given === 'string' && timingSafeEqual(hash(given), hash(key))
}
