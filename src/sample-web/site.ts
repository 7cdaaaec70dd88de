// The sample web: many hosts of very unequal size on `*.localhost`, for the demo, the tests and the
// benchmarks. Everything is a pure function of a seed, computed when it is asked for: a web of a
// million pages costs no more memory than one of fifty, and what a crawl of it must find can be
// computed too (oracle.ts).
//
// A host has `pages` ordinary pages, 0 being its front page. They form a tree (tree.ts), so all of
// them can be reached from the front page; on top come links across the tree and to other hosts.
// No link leads more than one level further down than the page it stands on, so a page's depth is
// its depth in the tree whatever the order of the crawl (as long as front pages are the seeds).
//
// What is not ordinary, with its share of pages at `specials: 1` (special.ts, facts.ts):
//   1.0 %   link to a redirect on the host      0.3 %  link to a redirect to another host
//   0.3 %   link to a chain of two redirects    1.0 %  link to a page that is 404, 0.2 % 410
//   1.0 %   have an exact copy under another URL
//   1.0 %   link to what robots.txt forbids (on hosts that have rules)
//   1.0 %   link with rel=nofollow to a sign-in page; 0.5 % are leaves with meta robots nofollow
//   1.0 %   link to a file (.pdf, .jpg, .zip); 0.4 % to JSON under a URL that does not show it
//   1.0 %   are noindex, by meta or by header   0.5 %  are in windows-1252
//   0.2 %   name a quite different page as their canonical one
// Per host: robots.txt with rules 60 %, allowing all 15 %, absent (404) 25 %; a sitemap with a few
// pages that nobody links to 50 %; gzip 25 %; Crawl-delay 25 % when the option is given.
//
// Left out: hostile servers (slow, endless, lying), which need no web around them.
import { present } from '../lib/present.ts'
import { mix, Stream } from './random.ts'
import { LANGUAGES, type Language, type Topic, type Vocabulary } from './vocabulary.ts'
import { VOCABULARIES } from './words.ts'

export const HOST_STYLES = ['news', 'blog', 'forum', 'docs', 'shop'] as const
export type HostStyle = (typeof HOST_STYLES)[number]

export type HostSpec = {
  /** Without `.localhost`. */
  readonly name: string
  readonly pages: number
  readonly language?: Language
  readonly style?: HostStyle
}

export type SiteOptions = {
  readonly seed: number
  /** The hosts, or how many; by default as many as suits the number of pages. */
  readonly hosts?: readonly HostSpec[] | number
  /** Ordinary pages over all hosts, when `hosts` does not say; default 500. */
  readonly pages?: number
  /** Mean size of a page; default 11,000. Below 5,000 the frame of a page is most of it. */
  readonly meanBytes?: number
  /** How often special cases occur: 1 as documented above, 0 never. */
  readonly specials?: number
  /** Links between hosts; default true. */
  readonly crossLinks?: boolean
  /** A quarter of the hosts ask for this Crawl-delay; default 0, none does. */
  readonly crawlDelaySeconds?: number
  readonly sitemaps?: boolean
  readonly gzip?: boolean
}

export type Section = { readonly topic: Topic; readonly slug: string; readonly path: string }

export type SiteHost = {
  /** Its place in `site.hosts`. */
  readonly id: number
  /** With `.localhost`. */
  readonly name: string
  /** Ordinary pages; they have the indices from 0. */
  readonly pages: number
  /** Pages only the sitemap knows; they have the indices from `pages`. */
  readonly orphans: number
  /** Pages that were added later and edited pages link to; their indices come after those. */
  readonly late: number
  /** What all randomness of this host starts from. */
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
  /** The host this one is a subdomain of; null when it is none. */
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
  readonly crossLinks: boolean
  /** What became of it since it was made; see evolve.ts. */
  readonly later: Later
}

export type Later = {
  /** Pages whose text is another one now, with the page that they link to since; null: none. */
  readonly edited: ReadonlyMap<string, number | null>
  /** Pages that are not there any more. */
  readonly removed: ReadonlySet<string>
}

/** How `Later` names a page. */
export function pageKey(host: SiteHost, index: number): string {
  return `${host.id} ${index}`
}

/** More would not have slugs of their own, see path.ts. */
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
    crossLinks: options.crossLinks ?? true,
    later: { edited: new Map(), removed: new Set() },
  }
}

/** `http://name.localhost:port`; port 80 is left out, as URLs do. */
export function originAt(host: SiteHost, port: number): string {
  return port === 80 ? `http://${host.name}` : `http://${host.name}:${port}`
}

/** The front pages of all hosts but subdomains, which their parents link to. */
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

/** Sizes that fall with the rank and add up to `total`, none below 1. */
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
