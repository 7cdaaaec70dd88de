// Why a page was fetched when it was: the way from the seed, its score, its state.
import { FailureNotice } from '../components/notice.tsx'
import { WebLink, WebText } from '../components/web-text.tsx'
import type { KnownOptions } from '../form/known-options.ts'
import { formatMoment } from '../format.ts'
import { type MessageKey, t } from '../i18n/i18n.ts'
import { orderingAbout } from '../i18n/option-words.ts'
import { useAsked } from '../state/asked.ts'
import { safeHref, visible } from '../web-text.ts'
import { type Explanation, readExplanation, short } from './explanation.ts'
import { type Fact, Facts } from './page-facts.tsx'
import { stateName } from './words.ts'

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
  return told === null ? <p class="muted">{t('page.whyUnknown')}</p> : <Told told={told} />
}

function Told({ told }: { readonly told: Explanation }) {
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

const VIA: Readonly<Record<string, MessageKey>> = {
  link: 'why.via.link',
  redirect: 'why.via.redirect',
  sitemap: 'why.via.sitemap',
}

/** `about`: what the ordering goes by; ''. */
function factsOf(told: Explanation, about: string): Fact[] {
  const { state, reason, path, via, tries, ahead, nextAt } = told
  const found = path[0]
  const key = Object.hasOwn(VIA, via) ? VIA[via] : undefined
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
          {t(key ?? 'why.via.link')} <WebText text={found} most={160} />
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
