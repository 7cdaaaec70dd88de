// The options of `jelajah serve` that open search to pages of other sites, and what they need of each other.
import { randomBytes } from 'node:crypto'
import { isIP } from 'node:net'
import type { PublicSearch } from '../../api/api-deps.ts'
import { Refused } from '../../core/errors.ts'
import type { Problems } from '../../options/bad-options.ts'
import { list, number, type Option, text } from '../../options/option.ts'
import type { Sources } from '../sources.ts'

export type PublicChoices = {
  readonly publicOrigins: readonly string[]
  readonly publicCrawls: readonly string[]
  readonly publicKey: string
  readonly publicRate: number
  readonly trustedProxies: readonly string[]
}

/** A fast typist asks five times a second. */
export const PUBLIC_RATE = 60
const MIN_KEY = 16

/** No file of the folder that the server is started in may open a door. */
const BY_HAND = { fromDotenv: false, weighty: true } as const

export const PUBLIC_OPTIONS: readonly Option<PublicChoices>[] = [
  list({
    ...BY_HAND,
    name: 'public-search',
    value: 'ORIGIN',
    help: 'pages of this site, such as https://example.org, may search the --public-crawl',
    to: (origins) => ({ publicOrigins: origins.map(originOf) }),
  }),
  list({
    ...BY_HAND,
    name: 'public-crawl',
    value: 'NAME',
    // Names have spaces and commas.
    separator: /\n/,
    help: 'a crawl that they may search, by name or number; all others stay closed',
    to: (publicCrawls) => ({ publicCrawls }),
  }),
  text({
    name: 'public-key',
    env: 'JELAJAH_PUBLIC_KEY',
    help:
      `what those pages show, at least ${MIN_KEY} characters; everybody can read it there, and it ` +
      'opens nothing else',
    to: (publicKey) => ({ publicKey: keyOf(publicKey) }),
  }),
  number({
    name: 'public-rate',
    min: 1,
    max: 100_000,
    default: String(PUBLIC_RATE),
    help: 'public searches per address in 10 seconds',
  }),
  list({
    ...BY_HAND,
    name: 'trust-proxy',
    value: 'ADDR|CIDR',
    help: 'a proxy before the server that says in X-Forwarded-For whom it asks for',
    to: (proxies) => ({ trustedProxies: proxies.map(proxyOf) }),
  }),
]

/** Null where nothing is public. Adds a problem for everything that is missing. */
export function readPublicSearch(
  chosen: Partial<PublicChoices> & { readonly token?: string | null },
  { locations }: Pick<Sources, 'locations'>,
  problems: Problems,
): PublicSearch | null {
  const { publicOrigins: origins = [], publicCrawls = [], publicKey: key, publicRate } = chosen
  const [first, ...rest] = publicCrawls
  // Values that are given but unusable are reported separately.
  const isGiven = (name: string): boolean => locations.has(name)
  if (origins.length === 0) {
    const isHalf = first !== undefined && !isGiven('public-search')
    if (isHalf) problems.add('flag', '--public-search', 'is missing: no site may search')
    return null
  }
  if (!isGiven('public-crawl')) {
    problems.add('flag', '--public-crawl', 'is missing: name the crawls that may be searched')
  }
  if (!isGiven('public-key')) problems.add('flag', '--public-key', keyMissing())
  if (key !== undefined && key === chosen.token) {
    problems.add('flag', '--public-key', 'is the token: everybody could read it. Take another')
  }
  if (!isGiven('token')) refuseWithoutToken(origins, problems)
  if (first === undefined || key === undefined) return null
  return { origins, crawls: [first, ...rest], key, rate: publicRate ?? PUBLIC_RATE }
}

function keyMissing(): string {
  const fresh = randomBytes(16).toString('hex')
  return `is missing; set JELAJAH_PUBLIC_KEY or take this new one: --public-key ${fresh}`
}

/** What others can search they reach, through a proxy perhaps: nothing else may be open to them. */
function refuseWithoutToken(origins: readonly string[], problems: Problems): void {
  const outside = origins.find((origin) => !isOnThisMachine(origin))
  if (outside === undefined) return
  const message =
    `visitors of ${outside} reach this server: set JELAJAH_TOKEN to a secret of at least 16 ` +
    'characters (openssl rand -hex 16 makes one), so that they can search and nothing else'
  problems.add('flag', '--public-search', message)
}

function isOnThisMachine(origin: string): boolean {
  const name = new URL(origin).hostname
  if (name === 'localhost' || name.endsWith('.localhost') || name === '[::1]') return true
  return isIP(name) === 4 && name.startsWith('127.')
}

/** As a browser writes it in the header `Origin`. */
function originOf(written: string): string {
  const url = URL.parse(written)
  const isHttp = url !== null && /^https?:$/.test(url.protocol) && url.hostname !== ''
  // `URL` accepts more than an origin, and a star is none.
  const isBare = /^https?:\/\/[^/?#@\\*\s]+\/?$/i.test(written)
  if (isHttp && isBare) return url.origin
  throw new Refused('needs an origin such as https://example.org, with a port where it has one')
}

/** It stands in URLs and in HTML. */
function keyOf(key: string): string {
  if (/^[A-Za-z0-9._~-]{16,512}$/.test(key)) return key
  throw new Refused(`needs ${MIN_KEY} to 512 letters, digits and - . _ ~`)
}

function proxyOf(written: string): string {
  const [address = '', bits, ...more] = written.split('/')
  const version = isIP(address)
  const widest = version === 4 ? 32 : 128
  const isNetwork = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= widest)
  if (version !== 0 && more.length === 0 && isNetwork) return written
  throw new Refused('needs an address such as 127.0.0.1, or a network such as 10.0.0.0/8')
}
