// One host, addresses without meaning, and a page for each entry. Useful here: the entries that link to an
// entry, the more the better; the words around the link; sometimes the anchor. Misleading: host and
// directories, which are the same everywhere; the neighbours in the alphabet; well-known entries, which every
// entry links to; and lists of contents, which link to all.
import { Chance, ENGLISH, type SampleWeb, type Subject, WebDraft } from './draft.ts'

const HOST = 'http://encyclopedia.test'
const ENTRIES = 1500
/** Subjects other than the topics; each subject and each topic has about as many entries. */
const OTHERS = 14
const NO_SUBJECT = 0.1
const TELLING_TITLES = 0.3
const REFERENCES = { least: 2, more: 6, sameSubject: 0.55, wellKnown: 0.5 }
const NEARBY = 2
const PER_LIST = 60

export function makeEncyclopediaWeb(seed = 1): SampleWeb {
  const draft = new WebDraft(ENGLISH, new Chance(seed))
  const lists = Math.ceil(ENTRIES / PER_LIST)
  const front = draft.add({ url: `${HOST}/`, title: 'encyclopedia', subject: draft.nothing() })
  for (let number = 1; number <= lists; number++) {
    const url = `${HOST}/contents/${number}`
    const list = draft.add({ url, title: `contents ${number}`, subject: draft.nothing() })
    draft.link(front, list, `${number}`)
  }
  const entries = addEntries(draft)
  const bySubject = Map.groupBy(entries, (page) => draft.subjectOf(page).words)
  for (const [at, page] of entries.entries()) {
    refer(draft, page, { same: bySubject.get(draft.subjectOf(page).words) ?? [], all: entries })
    for (let step = -NEARBY; step <= NEARBY; step++) draft.link(page, entries[at + step] ?? front)
    draft.link(1 + Math.floor(at / PER_LIST), page)
  }
  for (let left = 8; left > 0; left--) draft.link(front, draft.chance.any(entries) ?? front)
  return draft.finish()
}

/** In alphabetical order, which says nothing about subjects. */
function addEntries(draft: WebDraft): number[] {
  const { chance } = draft
  const others = Array.from({ length: OTHERS }, () => draft.otherSubject())
  const subjects: Subject[] = [...draft.subjects(), ...others]
  return Array.from({ length: ENTRIES }, () => {
    const subject = chance.is(NO_SUBJECT)
      ? draft.nothing()
      : (chance.any(subjects) ?? draft.nothing())
    const telling = chance.is(TELLING_TITLES) ? ` ${draft.words(1, subject, 1)}` : ''
    const url = `${HOST}/w/${10_000 + draft.size * 7}`
    return draft.add({ url, title: `${chance.name()}${telling}`, subject })
  })
}

type Targets = { readonly same: readonly number[]; readonly all: readonly number[] }

function refer(draft: WebDraft, page: number, { same, all }: Targets): void {
  const { chance } = draft
  const { least, more, sameSubject, wellKnown } = REFERENCES
  for (let left = least + chance.below(more); left > 0; left--) {
    const from = chance.is(sameSubject) ? same : all
    const to = chance.is(wellKnown) ? chance.favourite(from) : chance.any(from)
    if (to !== undefined) draft.link(page, to)
  }
}
