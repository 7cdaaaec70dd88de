// Special link targets of a page besides ordinary pages: at most one per page, at a path spelled with the
// page's own words, so that both the link and the response follow from the index.
import { present } from '../lib/present.ts'
import { factsOf } from './facts.ts'
import { depthOf, levelStart, pathOf, slugOf } from './path.ts'
import { fraction, mix, Stream } from './random.ts'
import type { Site, SiteHost } from './site.ts'

export const SPECIALS = [
  'moved',
  'moved-away',
  'moved-twice',
  'missing',
  'gone',
  'copy',
  'private',
  'login',
  'file',
  'data',
] as const
export type SpecialKind = (typeof SPECIALS)[number]

/** The upper end of each kind on a scale of shares; see the table in site.ts. */
const SHARES: readonly (readonly [SpecialKind, number])[] = [
  ['moved', 0.01],
  ['moved-away', 0.013],
  ['moved-twice', 0.016],
  ['missing', 0.026],
  ['gone', 0.028],
  ['copy', 0.038],
  ['private', 0.048],
  ['login', 0.058],
  ['file', 0.068],
  ['data', 0.072],
]

export type Special = {
  readonly kind: SpecialKind
  /** The link target, on the page's own host. */
  readonly path: string
  /** 32 bits for choosing details. */
  readonly hash: number
}

const FILE_ENDINGS = ['.pdf', '.jpg', '.zip', '.mp4']
/** Paths of files whose extension shows that they are no pages. */
export const FILE_PATH = /\.(?:pdf|jpg|zip|mp4)$/

/** The special link target of page `index`; null for most pages. */
export function specialOf(site: Site, host: SiteHost, index: number): Special | null {
  if (site.specials === 0 || index >= host.pages) return null
  const hash = mix(host.key, index ^ 0x5bec)
  const draw = fraction(hash) / site.specials
  const kind = SHARES.find(([, end]) => draw < end)?.[0]
  if (kind === undefined || !fits(site, host, index, kind)) return null
  return { kind, path: pathOfSpecial(host, index, kind, mix(hash, 1)), hash: mix(hash, 1) }
}

function fits(site: Site, host: SiteHost, index: number, kind: SpecialKind): boolean {
  const facts = factsOf(site, host, index)
  // The target of a nofollow page must have another page that links to it, or be a sign-in page.
  if (facts.nofollow) return kind === 'login'
  if (kind === 'copy') return facts.noindex === 'no' && index > 0 && !facts.strayCanonical
  if (kind === 'private') return host.robots === 'rules'
  if (kind === 'moved-away') return site.hosts.length > 1
  return true
}

function pathOfSpecial(host: SiteHost, index: number, kind: SpecialKind, hash: number): string {
  const { folders } = host.words
  const slug = slugOf(host, index)
  switch (kind) {
    case 'moved':
    case 'moved-away':
      return `/${folders.old}/${slug}`
    case 'moved-twice':
      return `/${folders.old}/${slug}?v=1`
    case 'missing':
    case 'gone':
      return `/${folders.broken}/${slug}`
    case 'copy':
      return copyPath(host, index, slug, hash)
    case 'private':
      return hash % 3 === 0 ? `/${slug}?preview=${hash}` : `/${folders.private}/${slug}`
    case 'login':
      return `/${folders.login}/sign-in?next=${slug}`
    case 'file':
      return `/${folders.file}/${slug}${FILE_ENDINGS[hash % FILE_ENDINGS.length]}`
    case 'data':
      return `/${folders.data}/${slug}`
  }
}

function copyPath(host: SiteHost, index: number, slug: string, hash: number): string {
  const path = pathOf(host, index)
  const asQuery = hash % 2 === 0 && !path.includes('?')
  return asQuery ? `${path}?view=print` : `/${host.words.folders.print}/${slug}`
}

/** The final target of a redirect special; never deeper than a link from its page could be. */
export function destinationOf(
  site: Site,
  host: SiteHost,
  index: number,
  special: Special,
): { readonly host: SiteHost; readonly path: string } {
  const stream = new Stream(special.hash)
  if (special.kind === 'moved-away') {
    const step = 1 + stream.below(site.hosts.length - 1)
    return { host: present(site.hosts[(host.id + step) % site.hosts.length]), path: '/' }
  }
  const depth = depthOf(host.fanout, index)
  const limit = Math.min(host.pages, levelStart(host.fanout, depth + 2))
  return { host, path: pathOf(host, stream.below(limit)) }
}
