// A page as HTML: head, header with navigation, trail, main part, sidebar, footer.
import { factsOf, type PageFacts } from './facts.ts'
import { linksOf, type Place, type SiteLink } from './links.ts'
import { pathOf, sectionAt, spellingOf } from './path.ts'
import { capital, hostTitle, titleOf, Writer } from './prose.ts'
import { mix, Stream } from './random.ts'
import { DRAW } from './shapes.ts'
import { originAt, pageKey, type Site, type SiteHost } from './site.ts'
import type { SpecialKind } from './special.ts'
import type { Label } from './vocabulary.ts'

const SPECIAL_LABELS: Readonly<Record<SpecialKind, Label>> = {
  moved: 'old',
  'moved-away': 'old',
  'moved-twice': 'old',
  missing: 'broken',
  gone: 'broken',
  copy: 'print',
  private: 'private',
  login: 'login',
  file: 'file',
  data: 'data',
}

const STYLE = `<style>
body { font: 16px/1.5 Georgia, serif; margin: 0 auto; max-width: 64rem; color: #222 }
header, footer { background: #f3f1ea; padding: 1rem } nav ul { display: flex; gap: 1rem; list-style: none }
main { float: left; width: 70% } aside { float: right; width: 26% } footer { clear: both }
.teaser, .post, .review { border-top: 1px solid #ccc; padding: .5rem 0 } .price { font-weight: bold }
</style>`
const SCRIPT = `<script>
document.addEventListener('click', function (event) {
  var menu = event.target.closest('.menu'); if (menu && window.innerWidth < 640) menu.classList.toggle('open')
})
</script>`

type View = {
  readonly site: Site
  readonly host: SiteHost
  readonly index: number
  readonly port: number
  readonly facts: PageFacts
}

/** The same for every path of a page, so that an exact copy is exact. */
export function renderPage(site: Site, host: SiteHost, index: number, port: number): string {
  const facts = factsOf(site, host, index)
  const stream = new Stream(mix(host.key, index ^ 0x9a9e))
  const writer = new Writer(stream, host, index)
  const view = { site, host, index, port, facts }
  const page = new Anchors(view)
  const title = titleOf(host, index)
  const top = head(view) + header(host, page) + trail(page)
  const bottom = sidebar(host, page, writer) + footer(host, page, stream)
  const main = DRAW[facts.shape]({
    title,
    writer,
    stream,
    words: host.words,
    publishedAt: facts.publishedAt,
    room: roomOf(site, stream) - top.length - bottom.length,
    children: page.at('child'),
    inline: page.at('inline'),
    turns: page.at('turn'),
  })
  const accent =
    facts.charset !== 'utf-8' || stream.chance(0.1) ? `<p>${host.words.accented}</p>\n` : ''
  const edited = site.later.edited.has(pageKey(host, index)) ? `<p>${writer.sentence()}</p>\n` : ''
  return `${top}<main id="content">\n${main}${accent}${edited}${page.at('special').join('')}\n</main>\n${bottom}`
}

/** Half of the mean is fixed, the rest exponential: many small pages and a long tail. */
function roomOf(site: Site, stream: Stream): number {
  return site.meanBytes * (0.5 - 0.5 * Math.log(1 - stream.next()))
}

/** The links of a page as anchors, by their position on the page. */
class Anchors {
  readonly #byPlace = new Map<Place, string[]>()
  readonly #host: SiteHost
  readonly #port: number
  readonly #base: string | null

  constructor(view: View) {
    const { site, host, index } = view
    this.#host = host
    this.#port = view.port
    this.#base = baseOf(view)
    linksOf(site, host, index).forEach((link, nth) => {
      const list = this.#byPlace.get(link.place)
      const anchor = this.#anchor(link, nth)
      if (list) list.push(anchor)
      else this.#byPlace.set(link.place, [anchor])
    })
  }

  at(place: Place): readonly string[] {
    return this.#byPlace.get(place) ?? []
  }

  #anchor(link: SiteLink, nth: number): string {
    const { labels } = this.#host.words
    const text =
      link.special !== null
        ? labels[SPECIAL_LABELS[link.special]]
        : link.place === 'nav' && link.index === 0
          ? labels.home
          : titleOf(link.host, link.index ?? 0)
    const rel = link.nofollow ? ' rel="nofollow"' : link.place === 'turn' ? ' rel="bookmark"' : ''
    return `<a href="${this.#href(link, nth)}"${rel}>${text}</a>`
  }

  /** A link in one of the usual forms: absolute, without scheme, from the root, from the base. */
  #href(link: SiteLink, nth: number): string {
    const path = link.path.includes('&') ? link.path.replaceAll('&', '&amp;') : link.path
    if (link.host !== this.#host || nth % 9 === 4)
      return `${originAt(link.host, this.#port)}${path}`
    if (nth % 17 === 8) return `${originAt(link.host, this.#port).slice('http:'.length)}${path}`
    if (this.#base !== null && path.startsWith(this.#base))
      return path.slice(this.#base.length) || '.'
    return nth % 13 === 6 ? `${path}#content` : path
  }
}

/** Documentation has a base element, and links that depend on it. */
function baseOf({ host, index, facts }: View): string | null {
  return facts.shape === 'documentation' && index > 0 ? sectionAt(host, index).path : null
}

function head(view: View): string {
  const { host, index, port, facts } = view
  const { noun, words } = spellingOf(host, index)
  const origin = originAt(host, port)
  // One more sentence could pass for decoration; a changed description cannot.
  const edition = view.site.later.edited.has(pageKey(host, index)) ? ' (2)' : ''
  const canonical = facts.strayCanonical ? '/' : pathOf(host, index)
  const asks = [facts.noindex === 'meta' && 'noindex', facts.nofollow && 'nofollow'].filter(Boolean)
  const base = baseOf(view)
  const parts = [
    `<!DOCTYPE html>\n<html lang="${host.words.language}">\n<head>`,
    facts.declared === 'meta' || index % 2 === 0 ? `<meta charset="${facts.charset}">` : '',
    `<title>${titleOf(host, index)}${index === 0 ? '' : ` - ${hostTitle(host)}`}</title>`,
    base === null ? '' : `<base href="${origin}${base}">`,
    `<meta name="viewport" content="width=device-width">`,
    `<meta name="description" content="${capital(noun)}: ${words.join(', ')}. ${hostTitle(host)}${edition}.">`,
    `<meta name="keywords" content="${sectionAt(host, index).topic.title.toLowerCase()}, ${noun}, ${words[1]}">`,
    asks.length === 0 ? '' : `<meta name="robots" content="${asks.join(', ')}">`,
    `<link rel="canonical" href="${origin}${canonical.replaceAll('&', '&amp;')}">`,
    `<link rel="stylesheet" href="/css/site.css">`,
    STYLE,
    '</head>\n',
  ]
  return parts.filter((part) => part !== '').join('\n')
}

function header(host: SiteHost, page: Anchors): string {
  const nav = page.at('nav').map((anchor) => `<li>${anchor}</li>`)
  const { search } = host.words.labels
  const form =
    host.key % 2 === 0
      ? `<form action="/search" role="search"><input name="q" placeholder="${search}"><button>${search}</button></form>\n`
      : ''
  return `<body class="${host.style}">\n<header><strong>${hostTitle(host)}</strong>\n<nav class="menu"><ul>\n${nav.join('\n')}\n</ul></nav>\n${form}</header>\n`
}

function trail(page: Anchors): string {
  const steps = page.at('trail').toReversed()
  return steps.length === 0 ? '' : `<div class="trail">${steps.join(' &raquo; ')}</div>\n`
}

function sidebar(host: SiteHost, page: Anchors, writer: Writer): string {
  const { labels } = host.words
  const items = (place: Place) =>
    page
      .at(place)
      .map((anchor) => `<li>${anchor}</li>`)
      .join('\n')
  const partners = page.at('partner').length
    ? `<h3>${labels.partners}</h3>\n<ul>${items('partner')}</ul>\n`
    : ''
  return `<aside>\n<h3>${labels.related}</h3>\n<ul>${items('aside')}</ul>\n${partners}<p class="note">${writer.sentence()}</p>\n</aside>\n`
}

function footer(host: SiteHost, page: Anchors, stream: Stream): string {
  const { labels } = host.words
  const letter = stream.chance(0.3)
    ? `<form action="#letter" method="post"><label>${labels.mail} <input type="email" name="mail"></label></form>\n`
    : ''
  const mail = `<a href="mailto:redaksi@${host.name}">${labels.about}</a>`
  const home = page.at('nav')[0] ?? ''
  return `<footer>\n<p>&copy; ${hostTitle(host)} ${mail} ${home}</p>\n${letter}</footer>\n${SCRIPT}\n</body>\n</html>\n`
}
