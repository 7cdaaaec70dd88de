// An Indonesian news portal: one host, sections, an article per page. Useful here: headlines as anchors and
// in addresses, if they are informative; tags, which list the articles on a topic; related articles; and a
// little the section, since most articles on a topic are in one of them. Misleading: teasing headlines,
// popular articles beside every article, and "baca juga" links to anything.
import { Chance, INDONESIAN, type SampleWeb, type Subject, WebDraft } from './draft.ts'

const HOST = 'http://www.kabar.test'
const SECTIONS = ['nasional', 'daerah', 'ekonomi', 'kesehatan', 'teknologi', 'olahraga', 'wisata']
const ARTICLES = 1400
/** Number of subjects other than the topics. */
const OTHERS = 12
const NO_SUBJECT = 0.2
/** Share of a subject's articles that are in its own section. */
const AT_HOME = 0.6
const TELLING_HEADLINES = 0.55
const PER_LIST = 25
const RELATED = { links: 3, sameSubject: 0.65 }
const READ_ALSO = 2
const POPULAR = { links: 4, known: 60 }
const TAGGED = { own: 0.5, any: 0.3 }

export function makeNewsWeb(seed = 1): SampleWeb {
  const draft = new WebDraft(INDONESIAN, new Chance(seed))
  const subjects = [
    ...draft.subjects(),
    ...Array.from({ length: OTHERS }, () => draft.otherSubject()),
  ]
  const front = draft.add({ url: `${HOST}/`, title: 'kabar', subject: draft.nothing() })
  const articles: number[] = []
  const sectionOf = new Map<number, string>()
  for (let number = 0; number < ARTICLES; number++) {
    const { page, section } = addArticle(draft, subjects)
    articles.push(page)
    sectionOf.set(page, section)
  }
  const lists = new Map(
    SECTIONS.map((section) => {
      const own = articles.filter((page) => sectionOf.get(page) === section)
      return [section, addLists(draft, own, section)]
    }),
  )
  const tags = new Map(
    subjects.map((subject) => {
      const own = articles.filter((page) => draft.subjectOf(page).words === subject.words)
      const tagged = own.filter(() => draft.chance.is(TAGGED.own))
      return [subject.words, addLists(draft, tagged, `tag/${subject.words[0]}`)]
    }),
  )
  const everywhere = [front, ...lists.values()]
  for (const page of [front, ...articles]) {
    for (const list of everywhere) draft.link(page, list)
  }
  linkArticles(draft, { articles, sectionOf, tags })
  for (const page of articles.slice(-12)) draft.link(front, page)
  return draft.finish()
}

function addArticle(draft: WebDraft, subjects: readonly Subject[]) {
  const { chance } = draft
  const at = chance.below(subjects.length)
  const subject = chance.is(NO_SUBJECT) ? draft.nothing() : (subjects[at] ?? draft.nothing())
  const home = chance.is(AT_HOME) ? SECTIONS[at % SECTIONS.length] : chance.any(SECTIONS)
  const section = home ?? ''
  const title = draft.words(6, subject, chance.is(TELLING_HEADLINES) ? 0.4 : 0)
  const slug = title.replaceAll(' ', '-')
  const url = `${HOST}/${section}/2026/${1 + chance.below(12)}/${slug}-${draft.size}`
  return { page: draft.add({ url, title, subject }), section }
}

/**
 * Lists the newest first, some on each page, each page with a link to the next; returns the first page's
 * number.
 */
function addLists(draft: WebDraft, pages: readonly number[], path: string): number {
  const newest = pages.toReversed()
  const first = draft.size
  for (let at = 0, number = 1; at < newest.length || number === 1; at += PER_LIST, number++) {
    const url = `${HOST}/${path}${number === 1 ? '' : `/indeks/${number}`}`
    const list = draft.add({ url, title: path.replace(/.*\//, ''), subject: draft.nothing() })
    for (const page of newest.slice(at, at + PER_LIST)) draft.link(list, page)
    if (number > 1) draft.link(list - 1, list, 'halaman berikutnya')
  }
  return first
}

type Portal = {
  readonly articles: readonly number[]
  readonly sectionOf: ReadonlyMap<number, string>
  readonly tags: ReadonlyMap<readonly string[], number>
}

function linkArticles(draft: WebDraft, { articles, sectionOf, tags }: Portal): void {
  const { chance } = draft
  const bySubject = Map.groupBy(articles, (page) => draft.subjectOf(page).words)
  const bySection = Map.groupBy(articles, (page) => sectionOf.get(page))
  const popular = Array.from({ length: POPULAR.known }, () => chance.any(articles) ?? 0)
  const tagPages = [...tags.values()]
  for (const page of articles) {
    const { words } = draft.subjectOf(page)
    const nearby = bySection.get(sectionOf.get(page)) ?? articles
    for (let left = RELATED.links; left > 0; left--) {
      const from = chance.is(RELATED.sameSubject) ? (bySubject.get(words) ?? nearby) : nearby
      draft.link(page, chance.any(from) ?? page)
    }
    for (let left = POPULAR.links; left > 0; left--)
      draft.link(page, chance.favourite(popular) ?? page)
    for (let left = READ_ALSO; left > 0; left--) draft.link(page, chance.any(articles) ?? page)
    const own = tags.get(words)
    if (own !== undefined && chance.is(TAGGED.own)) draft.link(page, own)
    if (chance.is(TAGGED.any)) draft.link(page, chance.any(tagPages) ?? page)
  }
}
