// The site map: hosts, and the links between their pages. Hosts that the crawl leads to and does not enter are
// in it, too, and below it as seeds of a next crawl.
import { useMemo } from 'preact/hooks'
import { createMap, type MapGraph } from '../../map/map-graph.ts'
import type { Beyond, BeyondHost, SiteGraph } from '../../reads/shapes/page.ts'
import { Button, ButtonLink } from '../components/button.tsx'
import { FailureNotice } from '../components/notice.tsx'
import { WebLink, WebText } from '../components/web-text.tsx'
import { startLayout } from '../explore/layout-link.ts'
import { MapView, NO_HOSTS, NoMap } from '../explore/map-view.tsx'
import { t } from '../i18n/i18n.ts'
import { hrefTo, useTitle, type ViewProps } from '../router.ts'
import { useAsked } from '../state/asked.ts'
import { useLiveJob } from '../state/live-job.ts'

/** More hosts than a map shows apart. */
const TOP = 2000
/** Hosts beyond the border that are shown. */
const BEYOND = 50

export function SiteMapView({ jobId }: ViewProps) {
  useTitle(t('map.sites'))
  const { value, failure, asking, again } = useAsked<SiteGraph>(`/crawl/${jobId}/graph/sites`, {
    top: TOP,
  })
  const beyond = useAsked<Beyond>(`/crawl/${jobId}/seeds`, { limit: BEYOND }).value
  const live = useLiveJob()
  const running = live.job.value?.status === 'running'
  const graph = useMemo(() => value && mapOf(value, beyond?.hosts ?? []), [value, beyond])
  if (failure !== null) return <FailureNotice failure={failure} onRetry={again} />
  if (value === null || graph === null) return <p class="view-loading">{t('map.loading')}</p>
  if (graph.nodes.length === 0) return <NoMap live={live} />
  const seeds = new Map((beyond?.hosts ?? []).map(({ host, url }) => [host, url]))
  const ofHost = (host: string): string => {
    const seed = seeds.get(host)
    if (seed !== undefined) return hrefTo('new', { query: { seeds: seed } })
    return hrefTo('map', { jobId, query: { host } })
  }
  return (
    <>
      <MapView
        key={jobId}
        graph={graph}
        asking={asking}
        before={
          running && (
            <Button small onClick={again}>
              {t('map.reload')}
            </Button>
          )
        }
        note={
          value.total_nodes > value.nodes.length
            ? t('map.bestSites', { n: value.nodes.length, total: value.total_nodes })
            : ''
        }
        layout={startLayout}
        links={{
          hrefOf: ({ host }) => ofHost(host),
          hrefOfHost: ofHost,
          openText: ({ host }) => t(seeds.has(host) ? 'map.crawlSite' : 'map.openSite'),
          more: ({ host }) =>
            !seeds.has(host) && (
              <ButtonLink small href={hrefTo('pages', { jobId, query: { host } })}>
                {t('map.pagesOfSite')}
              </ButtonLink>
            ),
        }}
        pagesPerHost={live.overview.value?.pages_per_host ?? NO_HOSTS}
      />
      {beyond !== null && beyond.hosts.length > 0 && <Seeds beyond={beyond} />}
    </>
  )
}

function Seeds({ beyond: { hosts, total } }: { readonly beyond: Beyond }) {
  return (
    <section class="card" aria-labelledby="beyond">
      <h2 id="beyond">{t('beyond.title', { n: total })}</h2>
      <p class="muted small">{t('beyond.text')}</p>
      <ol>
        {hosts.map((found) => (
          <li key={found.host}>
            <WebLink url={found.url} text={found.host} most={100} />{' '}
            <span class="muted small">
              {t('beyond.counts', { pages: found.pages, hosts: found.hosts })}{' '}
              {found.text !== '' && <WebText text={found.text} most={80} />}
            </span>{' '}
            <ButtonLink small href={hrefTo('new', { query: { seeds: found.url } })}>
              {t('map.crawlSite')}
            </ButtonLink>
          </li>
        ))}
      </ol>
    </section>
  )
}

/** `beyond`: hosts without pages, after all others. */
function mapOf({ nodes, edges }: SiteGraph, beyond: readonly BeyondHost[]): MapGraph {
  const named = nodes.map((node) => ({
    ...node,
    label: node.host,
    url: '',
    group: node.site,
    rank: node.pagerank,
    hot: node.hot > 0,
  }))
  const ids = new Map(nodes.map(({ host, id }) => [host, id]))
  const first = 1 + Math.max(-1, ...ids.values())
  const outside = beyond.map(({ host, site, hosts }, nth) => ({
    ...{ id: first + nth, label: host, url: '', host, group: site, rank: 0, relevance: null },
    ...{ hot: false, in: hosts, out: 0, pages: 0 },
  }))
  const across = beyond.flatMap(({ from }, nth) =>
    from.flatMap(({ host, pages }) => {
      const source = ids.get(host)
      return source === undefined ? [] : [{ source, target: first + nth, links: pages }]
    }),
  )
  return createMap([...named, ...outside], [...edges, ...across])
}
