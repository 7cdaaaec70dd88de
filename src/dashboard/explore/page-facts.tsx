// What is known of a page in figures and words.
import type { ComponentChildren } from 'preact'
import type { PageInFull } from '../../reads/shapes/page.ts'
import { FailureNotice } from '../components/notice.tsx'
import { WebLink, WebText } from '../components/web-text.tsx'
import type { KnownOptions } from '../form/known-options.ts'
import { formatBytes, formatDay, formatMoment, formatRate } from '../format.ts'
import { messageFor, t } from '../i18n/i18n.ts'
import { orderingAbout } from '../i18n/option-words.ts'
import { hrefTo } from '../router.ts'
import { useAsked } from '../state/asked.ts'
import { safeHref, visible } from '../web-text.ts'
import { type Explanation, readExplanation, short } from './explanation.ts'
import { kindName, languageName, stateName } from './words.ts'

const DAY_MS = 86_400_000

export type Fact = readonly [name: string, value: ComponentChildren]

/** Facts side by side; those that are empty are left out. */
export function Facts({ facts }: { readonly facts: readonly Fact[] }) {
  const told = facts.filter(([, value]) => value !== '' && value !== null && value !== undefined)
  return (
    <dl class="facts">
      {told.map(([name, value]) => (
        <>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </>
      ))}
    </dl>
  )
}

export function PageFacts({ page }: { readonly page: PageInFull }) {
  return <Facts facts={[...ofPage(page), ...ofFetch(page), ...ofWorth(page)]} />
}

const web = (text: string, most = 400): ComponentChildren =>
  text.trim() === '' ? '' : <WebText text={text} most={most} />

function ofPage(page: PageInFull): Fact[] {
  return [
    [t('page.rawTitle'), page.raw_title === page.title ? '' : web(page.raw_title, 600)],
    [t('page.description'), web(page.description, 600)],
    [t('page.keywords'), web(page.keywords)],
    [t('page.author'), web(page.author, 200)],
    [t('page.published'), publishedText(page)],
    [t('pages.kind'), kindName(page.kind)],
    [t('pages.language'), languageName(page.language)],
    [t('page.canonical'), page.canonical_url && <WebLink url={page.canonical_url} />],
    [t('page.duplicateOf'), page.duplicate_of && <Original page={page} id={page.duplicate_of} />],
  ]
}

/** The day as the page writes it, and the moment where it gives one. */
function publishedText({ published_at: at, published_day: day }: PageInFull): string {
  if (at === null || day === null) return ''
  const shown = formatDay(day)
  return at % DAY_MS === 0 ? shown : `${shown} (${formatMoment(at)})`
}

function Original({ page, id }: { readonly page: PageInFull; readonly id: number }) {
  return (
    <a href={hrefTo('page', { jobId: page.crawl, pageId: id })}>
      {t('page.pageNumber', { n: id })}
    </a>
  )
}

function ofFetch(page: PageInFull): Fact[] {
  const type = page.html5 ? `${page.content_type}, HTML5` : page.content_type
  const took = t('page.tookMs', { fetch: page.fetch_ms, parse: formatRate(page.parse_ms) })
  return [
    [t('page.status'), String(page.status_code)],
    [t('page.type'), visible(type, 120)],
    [t('page.charset'), visible(page.charset, 60)],
    [t('page.size'), formatBytes(page.size_bytes)],
    [t('page.fetched'), `${formatMoment(page.fetched_at)}, ${took}`],
    [t('page.depth'), page.depth === 0 ? t('page.seed') : t('page.depthText', { n: page.depth })],
    [t('page.hash'), <code key="hash">{visible(page.content_hash, 80)}</code>],
  ]
}

function ofWorth({ relevance, hot, importance: known }: PageInFull): Fact[] {
  const judged = relevance === null ? '' : short(relevance) + (hot ? `, ${t('mark.hot')}` : '')
  if (known === null) return [[t('page.relevance'), judged]]
  const { importance, pagerank, backlinks, location, similarity } = known
  const figures = { rank: short(pagerank), n: backlinks, location: short(location) }
  return [
    [t('page.relevance'), judged],
    [t('page.similarity'), similarity === null ? '' : short(similarity)],
    [t('page.importance'), `${short(importance)} (${t('page.importanceText', figures)})`],
  ]
}

/** Why a page was fetched when it was: the way from the seed, its score, its state. */
export function PageWhy({ jobId, url }: { readonly jobId: string; readonly url: string }) {
  // What is no address of the web has no story, and may be too long to ask with.
  const path = safeHref(url) === null ? null : `/crawl/${jobId}/explain`
  const asked = useAsked<Readonly<Record<string, unknown>>>(path, { url })
  if (path === null) return <p class="muted">{t('page.whyUnknown')}</p>
  if (asked.failure !== null) {
    if (asked.failure.status === 404) return <p class="muted">{t('page.whyUnknown')}</p>
    return <FailureNotice failure={asked.failure} onRetry={asked.again} />
  }
  if (asked.value === null) return <p class="muted">{t('shell.loading')}</p>
  const told = readExplanation(asked.value)
  return told === null ? <p class="muted">{t('page.whyUnknown')}</p> : <WhyShown told={told} />
}

function WhyShown({ told }: { readonly told: Explanation }) {
  const known = useAsked<KnownOptions>('/options').value
  const ordering = known?.orderings.find(({ name }) => name === told.ordering)
  return (
    <>
      <Facts facts={factsOf(told, ordering === undefined ? '' : orderingAbout(ordering))} />
      {told.path.length > 0 && (
        <>
          <h4>{t('why.path')}</h4>
          <ol class="way">
            {told.path.toReversed().map((url) => (
              <li key={url}>
                <WebLink url={url} most={160} />
              </li>
            ))}
          </ol>
        </>
      )}
    </>
  )
}

/** `about`: what the ordering goes by; ''. */
function factsOf(told: Explanation, about: string): Fact[] {
  const { state, reason, path, via, tries, ahead, nextAt } = told
  const found = path[0]
  const score =
    told.score === null ? t('why.noScore') : t('why.higher', { score: short(told.score) })
  const name = visible(told.ordering, 60)
  return [
    [t('why.state'), stateName(state) + (reason === '' ? '' : `: ${visible(reason)}`)],
    [
      t('why.found'),
      found === undefined ? (
        t('why.isSeed')
      ) : (
        <>
          {messageFor('why.via', via) ?? t('why.via.link')} <WebText text={found} most={160} />
        </>
      ),
    ],
    [t('why.ordering'), about === '' ? name : `${name}: ${about}`],
    [t('why.score'), score + partsText(told)],
    [t('why.tries'), tries === null ? '' : String(tries)],
    [stateName('queued'), ahead === null ? '' : t('why.ahead', { n: ahead })],
    [t('page.fetched'), nextAt === null ? '' : formatMoment(nextAt)],
  ]
}

function partsText({ scoreParts }: Explanation): string {
  const parts = scoreParts.map(([name, value]) => `${visible(name, 40)} ${value}`)
  return parts.length === 0 ? '' : ` (${t('why.parts')} ${parts.join(', ')})`
}

type Marked = {
  readonly hot?: boolean
  readonly noindex?: boolean
  readonly truncated?: boolean
  readonly duplicate_of?: number | null
}

/** What is special about a page, in a word each. */
export function PageMarks({ page }: { readonly page: Marked }) {
  return (
    <>
      {page.hot && <span class="mark-word hot">{t('mark.hot')}</span>}
      {typeof page.duplicate_of === 'number' && (
        <span class="mark-word">{t('mark.duplicate')}</span>
      )}
      {page.noindex && <span class="mark-word">{t('mark.noindex')}</span>}
      {page.truncated && <span class="mark-word">{t('mark.truncated')}</span>}
    </>
  )
}
