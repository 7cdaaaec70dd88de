// Many sites of very unequal size, most of them about one subject. Useful here: the host, which is about a
// topic or not; the text of the page with the link; sometimes the address. Misleading: external links, most
// of which lead to any subject; menus; and gateways, sites on topic that only pages off topic link to.
import { Chance, ENGLISH, type SampleWeb, type Subject, WebDraft } from './draft.ts'

const SITES = 64
const SIZE = { least: 6, most: 90 }
/** Sites in turn have one of the topics, another subject, or no subject. */
const OTHERS = 6
const MIXED_SITES = 6
const ON_SUBJECT = { least: 0.3, most: 0.9 }
const ELSEWHERE = 0.015
const CHILDREN = 5
const WITHIN = 2
const ABROAD = { share: 0.3, sameSubject: 0.35 }
const TOPICAL_TITLES = 0.4
const MENU = ['home', 'about', 'news']

type Site = {
  readonly host: string
  readonly start: number
  readonly size: number
}

export function makeSitesWeb(seed = 1): SampleWeb {
  const draft = new WebDraft(ENGLISH, new Chance(seed))
  const { chance } = draft
  const subjects = subjectsInTurn(draft)
  const sites: Site[] = []
  for (let number = 0; number < SITES; number++) {
    const subject =
      number === 0 ? draft.nothing() : (subjects[number % subjects.length] ?? draft.nothing())
    sites.push(addSite(draft, `${chance.name()}-${number}.test`, subject))
  }
  const bySubject = Map.groupBy(Array(draft.size).keys(), (page) => draft.subjectOf(page).words)
  for (const [number, site] of sites.entries()) {
    linkWithin(draft, site)
    for (let page = site.start; page < site.start + site.size; page++) {
      if (!chance.is(ABROAD.share)) continue
      const same = bySubject.get(draft.subjectOf(page).words) ?? []
      const to = chance.is(ABROAD.sameSubject) ? chance.any(same) : chance.below(draft.size)
      draft.link(page, to ?? 0)
    }
    // An earlier site links to this one.
    const known = chance.any(sites.slice(0, number))
    if (known) draft.link(known.start + chance.below(known.size), site.start, site.host)
  }
  return draft.finish()
}

function subjectsInTurn(draft: WebDraft): Subject[] {
  const others = Array.from({ length: OTHERS }, () => draft.otherSubject())
  const none = Array.from({ length: MIXED_SITES }, () => draft.nothing())
  return [...none, ...draft.subjects(), ...others]
}

function addSite(draft: WebDraft, host: string, subject: Subject): Site {
  const { chance } = draft
  const start = draft.size
  const size = Math.round(SIZE.least * (SIZE.most / SIZE.least) ** chance.next())
  const slugs = chance.is(0.5)
  const house = chance.names(12)
  const share = chance.between(ON_SUBJECT.least, ON_SUBJECT.most)
  for (let page = 0; page < size; page++) {
    const stray = chance.is(ELSEWHERE) ? chance.any(draft.subjects()) : undefined
    const own = page > 0 && chance.is(share) ? subject : (stray ?? draft.nothing())
    const telling = chance.is(TOPICAL_TITLES) ? 0.7 : 0
    const title = page === 0 ? host.replace(/-.*/, '') : draft.words(3, own, telling)
    const path = slugs ? `${title.replaceAll(' ', '-')}-${page}.html` : `p/${page}`
    const url = `http://${host}/${page === 0 ? '' : path}`
    draft.add({ url, title, subject: own, house })
  }
  return { host, start, size }
}

/** A tree below the front page, some links across it, and a menu on every page. */
function linkWithin(draft: WebDraft, { start, size }: Site): void {
  const { chance } = draft
  for (let page = 0; page < size; page++) {
    for (const [at, entry] of MENU.entries())
      if (at < size) draft.link(start + page, start + at, entry)
    for (let child = 1; child <= CHILDREN; child++) {
      const below = page * CHILDREN + child
      if (below < size) draft.link(start + page, start + below)
    }
    for (let left = WITHIN; left > 0; left--) {
      const to = start + chance.below(size)
      draft.link(start + page, to, chance.is(0.3) ? 'read more' : draft.titleOf(to))
    }
  }
}
