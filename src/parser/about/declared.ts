// What the `<meta>` of a page declare, sorted by what it is about.
import { shortened } from '../html/text-sink.ts'
import { AUTHOR_ORDER } from './meta-names.ts'
import type { AuthorSources } from './page-author.ts'
import type { DateSources } from './page-dates.ts'
import { ITEMPROP, type Meta, type PageNotes } from './page-notes.ts'
import { plain } from './tidied.ts'

/** By name without `og:`; of a Twitter card where OpenGraph says nothing. */
export type OpenGraph = Readonly<Record<string, string>>

const MAX_VALUE = 1024
const MAX_TAGS = 24
const PREFIX = /^(?:og|twitter):/
/** What a Twitter card calls the author, whose name stands beside it. */
const WRITTEN_BY =
  /written|author|\bby\b|verfasst|geschrieben|\bvon\b|ditulis|oleh|escrit|écrit|auteur|autor|scritto|geschreven|yazan|автор/i

export function openGraphOf(notes: PageNotes): OpenGraph {
  const graph: Record<string, string> = {}
  const metas = notes.metas('openGraph')
  for (const [name, content] of metas) if (name.startsWith('og:')) put(graph, name, content)
  for (const [name, content] of metas) if (!name.startsWith('og:')) put(graph, name, content)
  return graph
}

function put(graph: Record<string, string>, name: string, content: string): void {
  graph[name.replace(PREFIX, '')] ??= shortened(plain(content), MAX_VALUE)
}

type DeclaredDates = Pick<
  DateSources,
  'metaPublished' | 'metaModified' | 'metaDates' | 'itemPublished' | 'itemModified'
>

export function declaredDates(notes: PageNotes): DeclaredDates {
  const published = notes.metas('published')
  const modified = notes.metas('modified')
  return {
    metaPublished: contents(published, false),
    metaModified: contents(modified, false),
    metaDates: contents(notes.metas('date'), false),
    itemPublished: contents(published, true),
    itemModified: contents(modified, true),
  }
}

/** Several of one name are several authors. */
export function declaredAuthors(
  notes: PageNotes,
): Pick<AuthorSources, 'metaAuthors' | 'itemAuthors'> {
  const byName = new Map<string, string>()
  for (const name of AUTHOR_ORDER) byName.set(name, '')
  const metas = notes.metas('author')
  for (const [name, content] of metas) {
    if (name.startsWith(ITEMPROP)) continue
    const others = byName.get(name) ?? ''
    byName.set(name, others === '' ? content : `${others}, ${content}`)
  }
  return {
    metaAuthors: [...byName.values(), ...labelled(notes)].map(plain),
    itemAuthors: contents(metas, true).map(plain),
  }
}

/** `twitter:label1` says what `twitter:data1` is. */
function labelled(notes: PageNotes): readonly string[] {
  const labels = new Map(notes.metas('label'))
  const names: string[] = []
  for (const number of ['1', '2']) {
    const label = labels.get(`twitter:label${number}`) ?? ''
    if (WRITTEN_BY.test(label)) names.push(labels.get(`twitter:data${number}`) ?? '')
  }
  return names
}

export function keywordsOf(notes: PageNotes): string {
  if (notes.keywords !== '') return plain(notes.keywords)
  const tags = new Set(notes.metas('tag').map(([, content]) => plain(content)))
  return [...tags].slice(0, MAX_TAGS).join(', ')
}

function contents(metas: readonly Meta[], byItemprop: boolean): readonly string[] {
  return metas
    .filter(([name]) => name.startsWith(ITEMPROP) === byItemprop)
    .map(([, content]) => content)
}
