// What a text that is being typed may become: words that begin like its last word, and titles that have all its
// words. Each list costs a bounded number of rows, whatever the size of the index.
import { isStopWord } from '../text/stop-words.ts'
import type { ListedWord, WordList } from './near-words.ts'
import type { Completing, Completions, PagesOf } from './search-index.ts'
import { asWritten, type SearchToken, searchTokens } from './search-tokens.ts'
import { type Marked, markAll } from './snippet.ts'
import {
  afterPrefix,
  MAX_PROMINENCE,
  type TitledPage,
  type TitleList,
  type TitleRange,
  type TitleWord,
} from './title-words.ts'

/** Nobody types so much by hand; the end of a longer text counts. */
const MAX_TYPED = 400
/** Only so many of the newest crawls are read. */
const MAX_CRAWLS = 100
/** Rows read per prominence, and title words that are enough. */
const ROWS = 300
const ENOUGH = 100
/** So many more words are read as stop words may be left out. */
const SPARE = 10

type CompletionLists = { readonly words: WordList; readonly titles: TitleList }

/** Completions before the titles are read from the store. */
type CompletionIds = Pick<Completions, 'words'> & {
  readonly typed: Typed
  readonly pages: readonly TitledPage[]
}

export async function completionIds(
  { words, titles }: CompletionLists,
  { text, crawlIds, limit }: Completing,
): Promise<CompletionIds> {
  const from = Math.max(0, text.length - MAX_TYPED)
  const tokens = searchTokens(text.slice(from))
  const last = tokens.at(-1)
  if (last === undefined) return { words: [], typed: { before: [], prefix: '' }, pages: [] }
  const before = tokens.slice(0, -1).flatMap(({ word }) => (isStopWord(word) ? [] : [word]))
  const typed: Typed = { before, prefix: last.word }
  const crawls = (crawlIds ?? (await titles.crawls(MAX_CRAWLS))).slice(0, MAX_CRAWLS)
  const listed =
    crawlIds === undefined
      ? await words.startingWith(last.word, limit + SPARE)
      : await wordsOfTitles(titles, crawls, last.word)
  const telling = listed.filter(({ word }) => !isStopWord(word)).slice(0, limit)
  const start = text.slice(0, from + last.start)
  const typedWord = text.slice(from + last.start, from + last.end)
  const completed = (word: string) => (word === last.word ? typedWord : asWritten(word))
  return {
    words: telling.map(({ word, pages }) => {
      return { text: start + completed(word), word: asWritten(word), pages }
    }),
    typed,
    pages: await titledPages(typed, { words, titles, crawls, limit }),
  }
}

type Typed = { readonly before: readonly string[]; readonly prefix: string }

type TitleOptions = CompletionLists & {
  readonly crawls: readonly number[]
  readonly limit: number
}

async function titledPages(typed: Typed, options: TitleOptions): Promise<TitledPage[]> {
  const { titles, crawls, limit } = options
  const [from, to] = await rangeFor(typed, options.words)
  const offered: TitledPage[] = []
  for (let prominence = MAX_PROMINENCE; prominence >= 0 && offered.length < ENOUGH; prominence--) {
    const rows = await titles.inRange({ ...rangeOf(crawls, from, to), prominence })
    const ids = new Set(rows.map(({ pageId }) => pageId))
    const pages = ids.size === 0 ? [] : await titles.pages([...ids])
    offered.push(...pages.filter((page) => fits(page, typed)))
  }
  return withoutCopies(offered.sort(byStanding)).slice(0, limit)
}

/** Pages that are gone from the store are left out. */
export async function completionsFrom(
  { words, typed, pages }: CompletionIds,
  pagesOf: PagesOf,
): Promise<Completions> {
  const stored = new Map((await pagesOf(pages.map(({ id }) => id))).map((page) => [page.id, page]))
  const titles = pages.flatMap(({ id, crawlId }) => {
    const page = stored.get(id)
    if (page === undefined || page.crawlId !== crawlId) return []
    const { contentText: _, ...rest } = page
    return [{ page: rest, title: marked(page.title, typed) }]
  })
  return { words, titles }
}

/** Looks titles up by the rarest of the whole words, or else by the beginning of the last one. */
async function rangeFor({ before, prefix }: Typed, words: WordList): Promise<[string, string]> {
  if (before.length === 0) return [prefix, afterPrefix(prefix)]
  const counts = await words.pages(before)
  let [rarest = ''] = before
  let fewest = Number.POSITIVE_INFINITY
  for (const [at, word] of before.entries()) {
    const pages = counts[at] ?? 0
    if (pages >= fewest) continue
    fewest = pages
    rarest = word
  }
  return [rarest, `${rarest}\x01`]
}

function rangeOf(
  crawlIds: readonly number[],
  from: string,
  to: string,
): Omit<TitleRange, 'prominence'> {
  return { crawlIds, from, to, limit: Math.ceil(ROWS / Math.max(1, crawlIds.length)) }
}

function fits({ titleWords }: TitledPage, { before, prefix }: Typed): boolean {
  const words = titleWords.split(' ')
  return before.every((word) => words.includes(word)) && words.some((w) => w.startsWith(prefix))
}

function byStanding(a: TitledPage, b: TitledPage): number {
  return b.standing - a.standing || a.id - b.id
}

/** One of several near-duplicates, of several crawls of a URL, and of pages with the same title. */
function withoutCopies(pages: readonly TitledPage[]): TitledPage[] {
  const seen = new Set<string>()
  return pages.filter(({ cluster, urlKey, titleWords }) => {
    const marks = [`url ${urlKey}`, `title ${titleWords}`]
    if (cluster !== null) marks.push(`cluster ${cluster}`)
    const isNew = !marks.some((mark) => seen.has(mark))
    for (const mark of marks) seen.add(mark)
    return isNew
  })
}

function marked(title: string, { before, prefix }: Typed): Marked {
  const isTyped = ({ word }: SearchToken) => before.includes(word) || word.startsWith(prefix)
  const tokens = searchTokens(title).filter(isTyped)
  return markAll(
    title,
    tokens.map(({ start, end }) => ({ start, end, term: 0 })),
  )
}

/** Words that titles of some crawls have, so that nothing of other crawls is shown. */
async function wordsOfTitles(
  titles: TitleList,
  crawls: readonly number[],
  prefix: string,
): Promise<ListedWord[]> {
  const rows: TitleWord[] = []
  for (let prominence = MAX_PROMINENCE; prominence >= 0; prominence--) {
    const range = rangeOf(crawls, prefix, afterPrefix(prefix))
    rows.push(...(await titles.inRange({ ...range, prominence })))
  }
  const counts = new Map<string, number>()
  for (const { word } of rows) counts.set(word, (counts.get(word) ?? 0) + 1)
  return [...counts]
    .map(([word, pages]) => ({ word, pages }))
    .sort((a, b) => b.pages - a.pages || (a.word < b.word ? -1 : 1))
}
