// The sample web: many hosts of very unequal size on `*.localhost`, for the demo, the tests and the
// benchmarks. Everything is a pure function of a seed, computed on request: a web of a million pages takes no
// more memory than one of fifty, and the expected result of a crawl can be computed too (oracle.ts).
//
// A host has `pages` ordinary pages; 0 is its front page. They form a tree (path.ts), so all of them are
// reachable from the front page; there are also links across the tree and to other hosts. No link leads more
// than one level further down than its page, so a page's depth is its depth in the tree whatever the order of
// the crawl (as long as front pages are the seeds).
//
// Special cases, with their share of pages at `specials: 1` (special.ts, facts.ts):
//   1.0 %   link to a redirect on the host      0.3 %  link to a redirect to another host
//   0.3 %   link to a chain of two redirects    1.0 %  link to a page that is 404, 0.2 % 410
//   1.0 %   have an exact copy under another URL
//   1.0 %   link to a URL that robots.txt forbids (on hosts that have rules)
//   1.0 %   link with rel=nofollow to a sign-in page; 0.5 % are leaves with meta robots nofollow
//   1.0 %   link to a file (.pdf, .jpg, .zip); 0.4 % to JSON under a URL that does not show it
//   1.0 %   are noindex, by meta or by header   0.5 %  are in windows-1252
//   0.2 %   name a quite different page as their canonical one
// Per host: robots.txt with rules 60 %, allowing all 15 %, absent (404) 25 %; a sitemap with a few pages that
// have no links to them 50 %; gzip 25 %; Crawl-delay 25 % if the option is given.
//
// Left out: hostile servers (slow, endless, lying), which need no web around them.
import { present } from '../lib/present.ts'
import { mix, Stream } from './random.ts'
import {
  LANGUAGES,
  type Language,
  type Topic,
  VOCABULARIES,
  type Vocabulary,
} from './vocabulary.ts'

const HOST_STYLES = ['news', 'blog', 'forum', 'docs', 'shop'] as const
export type HostStyle = (typeof HOST_STYLES)[number]

type HostSpec = {
  /** Without `.localhost`. */
  readonly name: string
  readonly pages: number
  readonly language?: Language
  readonly style?: HostStyle
}

type SiteOptions = {
  readonly seed: number
  /** The hosts, or their number; the default suits the number of pages. */
  readonly hosts?: readonly HostSpec[] | number
  /** Ordinary pages over all hosts, unless `hosts` gives them; default 500. */
  readonly pages?: number
  /** Mean size of a page; default 11,000. Below 5,000 most of a page is its frame. */
  readonly meanBytes?: number
  /** Frequency of special cases: 1 as documented above, 0 never. */
  readonly specials?: number
  /** Crawl-delay of a quarter of the hosts; default 0: none. */
  readonly crawlDelaySeconds?: number
  readonly sitemaps?: boolean
  readonly gzip?: boolean
}

export type Section = { readonly topic: Topic; readonly slug: string; readonly path: string }

export type SiteHost = {
  /** Its index in `site.hosts`. */
  readonly id: number
  /** With `.localhost`. */
  readonly name: string
  /** Number of ordinary pages; their indexes start at 0. */
  readonly pages: number
  /** Number of pages that only the sitemap lists; their indexes start at `pages`. */
  readonly orphans: number
  /** Number of pages that were added later and that edited pages link to; their indexes come last. */
  readonly late: number
  /** The seed of all randomness of this host. */
  readonly key: number
  /** Children of a page in the tree. */
  readonly fanout: number
  readonly style: HostStyle
  readonly words: Vocabulary
  /** Section s is the page with index s; 0 is the front page. */
  readonly sections: readonly Section[]
  readonly robots: 'rules' | 'open' | 'absent'
  /** `plain`: at the usual path. `listed`: an index that robots.txt names. */
  readonly sitemap: 'none' | 'plain' | 'listed'
  readonly crawlDelaySeconds: number
  readonly gzip: boolean
  /** The host this one is a subdomain of; null if it is none. */
  readonly parent: number | null
}

export type Site = {
  readonly seed: number
  readonly hosts: readonly SiteHost[]
  readonly byName: ReadonlyMap<string, SiteHost>
  /** Ordinary pages over all hosts. */
  readonly pages: number
  readonly meanBytes: number
  readonly specials: number
  /** Changes since it was created. */
  readonly later: Later
}

type Later = {
  /** Edited pages, each with the new page it links to; null: none. */
  readonly edited: ReadonlyMap<string, number | null>
  /** Pages that were removed. */
  readonly removed: ReadonlySet<string>
}

/** The name of a page in `Later`. */
export function pageKey(host: SiteHost, index: number): string {
  return `${host.id} ${index}`
}

/** More pages would not have unique slugs, see path.ts. */
const MAX_PAGES_PER_HOST = 4_000_000

export function createSite(options: SiteOptions): Site {
  const specs = Array.isArray(options.hosts) ? options.hosts : inventHosts(options)
  const hosts = specs.map((spec, id) => createHost(spec, id, specs, options))
  const byName = new Map(hosts.map((host) => [host.name, host]))
  if (byName.size < hosts.length) throw new RangeError('two hosts of one name')
  return {
    seed: options.seed,
    hosts,
    byName,
    pages: hosts.reduce((sum, host) => sum + host.pages, 0),
    meanBytes: options.meanBytes ?? 11_000,
    specials: options.specials ?? 1,
    later: { edited: new Map(), removed: new Set() },
  }
}

/** `http://name.localhost:port`; port 80 is omitted, as in URLs. */
export function originAt(host: SiteHost, port: number): string {
  return port === 80 ? `http://${host.name}` : `http://${host.name}:${port}`
}

/** The front pages of all hosts except subdomains, which their parents link to. */
export function seedsOf(site: Site, port: number): string[] {
  return site.hosts.filter((host) => host.parent === null).map((host) => `${originAt(host, port)}/`)
}

function inventHosts(options: SiteOptions): HostSpec[] {
  const pages = options.pages ?? 500
  const wanted = typeof options.hosts === 'number' ? options.hosts : Math.sqrt(pages) / 3
  const count = Math.min(pages, 500, Math.max(3, Math.round(wanted)))
  const names = inventNames(options.seed, count)
  return powerLaw(pages, count).map((size, id) => ({ ...present(names[id]), pages: size }))
}

/** Sizes that fall with the rank and add up to `total`, each at least 1. */
function powerLaw(total: number, count: number): number[] {
  const weights = Array.from({ length: count }, (_, rank) => (rank + 1) ** -1.1)
  const sum = weights.reduce((a, b) => a + b, 0)
  const sizes = weights.map((weight) => 1 + Math.floor(((total - count) * weight) / sum))
  const rest = total - sizes.reduce((a, b) => a + b, 0)
  sizes[0] = present(sizes[0]) + rest
  return sizes
}

const SUBDOMAINS: readonly (readonly [string, HostStyle])[] = [
  ['forum', 'forum'],
  ['docs', 'docs'],
  ['shop', 'shop'],
]

/** Every sixth host is a subdomain of the host five before it. */
function inventNames(seed: number, count: number): Omit<HostSpec, 'pages'>[] {
  const found: Omit<HostSpec, 'pages'>[] = []
  const taken = new Set<string>()
  for (let id = 0; id < count; id++) {
    const above = found[id - 5]
    if (id % 6 === 5 && above) {
      const [prefix, style] = present(SUBDOMAINS[Math.floor(id / 6) % SUBDOMAINS.length])
      found.push({ name: `${prefix}.${above.name}`, style, language: present(above.language) })
      continue
    }
    const language = present(LANGUAGES[id % 2])
    const name = inventName(new Stream(mix(mix(seed, id), 11)), VOCABULARIES[language], taken)
    taken.add(name)
    found.push({ name, language })
  }
  return found
}

function inventName(stream: Stream, words: Vocabulary, taken: ReadonlySet<string>): string {
  for (;;) {
    const pair = [stream.pick(words.adjectives), stream.pick(words.nouns)]
    const name = (words.language === 'id' ? pair.reverse() : pair).join('-')
    if (!taken.has(name)) return name
  }
}

function createHost(
  spec: HostSpec,
  id: number,
  specs: readonly HostSpec[],
  options: SiteOptions,
): SiteHost {
  if (!(spec.pages >= 1 && spec.pages <= MAX_PAGES_PER_HOST)) throw new RangeError('pages')
  const key = mix(mix(options.seed, id), 1)
  const stream = new Stream(mix(key, 2))
  const words = VOCABULARIES[spec.language ?? stream.pick(LANGUAGES)]
  const fanout = 6 + stream.below(7)
  const robots = stream.pick(['rules', 'rules', 'rules', 'open', 'absent'] as const)
  const placed = stream.pick(
    robots === 'absent' ? (['plain'] as const) : (['plain', 'listed'] as const),
  )
  const sitemap = stream.chance(0.5) && options.sitemaps !== false ? placed : 'none'
  const parent = specs.findIndex((other) => spec.name.endsWith(`.${other.name}`))
  return {
    id,
    name: `${spec.name}.localhost`,
    pages: spec.pages,
    orphans: sitemap === 'none' ? 0 : Math.min(40, 2 + Math.floor(spec.pages / 40)),
    late: 0,
    key,
    fanout,
    style: spec.style ?? stream.pick(HOST_STYLES),
    words,
    sections: createSections(stream, words, fanout),
    robots,
    sitemap,
    crawlDelaySeconds: stream.chance(0.25) ? (options.crawlDelaySeconds ?? 0) : 0,
    gzip: stream.chance(0.25) && options.gzip !== false,
    parent: parent < 0 ? null : parent,
  }
}

/** More than half of a host's sections share one topic, as on the real web. */
function createSections(stream: Stream, words: Vocabulary, fanout: number): Section[] {
  const first = stream.below(words.topics.length)
  const used = new Map<Topic, number>()
  return Array.from({ length: fanout + 1 }, (_, section) => {
    const away = section % 5 < 3 ? 0 : 1 + stream.below(words.topics.length - 1)
    const topic = present(words.topics[(first + away) % words.topics.length])
    if (section === 0) return { topic, slug: '', path: '/' }
    const turn = used.get(topic) ?? 0
    used.set(topic, turn + 1)
    const slug = present(topic.sections[turn])
    return { topic, slug, path: `/${slug}/` }
  })
}
