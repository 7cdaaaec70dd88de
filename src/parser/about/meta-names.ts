// The names that `<meta>` goes by, and what each tells. Many systems invent their own; those that
// name a date are known by the words in them.

export type MetaUse =
  | 'description'
  | 'keywords'
  | 'tag'
  | 'author'
  | 'published'
  | 'modified'
  | 'date'
  | 'openGraph'
  | 'generator'
  | 'label'

const USES = new Map<string, MetaUse>()
const add = (use: MetaUse, names: string): void => {
  for (const name of names.split(' ')) USES.set(name, use)
}
add('description', 'description og:description twitter:description dc.description')
add('description', 'dcterms.description sailthru.description')
add('keywords', 'keywords news_keywords')
add('tag', 'article:tag')
add('author', 'author article:author article:author_name og:article:author og:author byl')
add('author', 'parsely-author sailthru.author dc.creator dc:creator dcterms.creator creator')
add('author', 'citation_author cxenseparse:author shareaholic:article_author_name')
add('date', 'date dc.date dcterms.date dc:date sailthru.date citation_date')
add('date', 'citation_publication_date article.date')
add('openGraph', 'og:title og:type og:image og:url og:site_name og:locale twitter:title')
add('openGraph', 'twitter:image twitter:card application-name')
add('generator', 'generator')
add('label', 'twitter:label1 twitter:data1 twitter:label2 twitter:data2')

/** Those that say most surely who it was come first; the rest as they stand in the page. */
export const AUTHOR_ORDER: readonly string[] = [
  'author',
  'parsely-author',
  'sailthru.author',
  'article:author_name',
  'article:author',
]

const MODIFIED = /modif|updat|lastmod/
const PUBLISHED = /publi(?!sher)|pubdate|issued|created|release_?date|upload_?date/
const NO_DAY = /expir|publisher|render|timestamp|config/

/** What a name in lower case tells; null when it is of no interest here. */
export function metaUse(name: string): MetaUse | null {
  const use = USES.get(name)
  if (use !== undefined) return use
  if (!/dat|time|publi|modif|creat|issued/.test(name) || NO_DAY.test(name)) return null
  if (MODIFIED.test(name)) return 'modified'
  return PUBLISHED.test(name) ? 'published' : null
}
