// The site map: hosts, and the links between their pages.
import { useMemo } from 'preact/hooks'
import { createMap, type MapGraph } from '../../map/map-graph.ts'
import type { SiteGraph } from '../../reads/shapes/page.ts'
import { Button, ButtonLink } from '../components/button.tsx'
import { FailureNotice } from '../components/notice.tsx'
import { startLayout } from '../explore/layout-link.ts'
import { MapView, NO_HOSTS, NoMap } from '../explore/map-view.tsx'
import { t } from '../i18n/i18n.ts'
import { hrefTo, useTitle, type ViewProps } from '../router.ts'
import { useAsked } from '../state/asked.ts'
import { useLiveJob } from '../state/live-job.ts'

/** More hosts than a map shows apart. */
const TOP = 2000

export function SiteMapView({ jobId }: ViewProps) {
  useTitle(t('map.sites'))
  const { value, failure, asking, again } = useAsked<SiteGraph>(`/crawl/${jobId}/graph/sites`, {
    top: TOP,
  })
  const live = useLiveJob()
  const running = live.job.value?.status === 'running'
  const graph = useMemo(() => value && mapOf(value), [value])
  if (failure !== null) return <FailureNotice failure={failure} onRetry={again} />
  if (value === null || graph === null) return <p class="view-loading">{t('map.loading')}</p>
  if (graph.nodes.length === 0) return <NoMap live={live} />
  const ofHost = (host: string): string => hrefTo('map', { jobId, query: { host } })
  return (
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
        value.total_nodes > graph.nodes.length
          ? t('map.ofNodes', { shown: graph.nodes.length, n: value.total_nodes })
          : ''
      }
      layout={startLayout}
      links={{
        hrefOf: ({ host }) => ofHost(host),
        hrefOfHost: ofHost,
        openText: t('map.openSite'),
        more: ({ host }) => (
          <ButtonLink small href={hrefTo('pages', { jobId, query: { host } })}>
            {t('map.pagesOfSite')}
          </ButtonLink>
        ),
      }}
      pagesPerHost={live.overview.value?.pages_per_host ?? NO_HOSTS}
    />
  )
}

function mapOf({ nodes, edges }: SiteGraph): MapGraph {
  const named = nodes.map((node) => ({
    ...node,
    label: node.host,
    url: '',
    group: node.site,
    rank: node.pagerank,
    hot: node.hot > 0,
  }))
  return createMap(named, edges)
}
