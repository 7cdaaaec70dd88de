// The page map: the most important pages of a crawl, or of one host, and the links between them.
import { useMemo } from 'preact/hooks'
import { createMap, type MapGraph } from '../../map/map-graph.ts'
import type { PageGraph } from '../../reads/shapes/page.ts'
import { Button } from '../components/button.tsx'
import { SelectField } from '../components/field.tsx'
import { FailureNotice } from '../components/notice.tsx'
import { startLayout } from '../explore/layout-link.ts'
import { MapView, NO_HOSTS, NoMap } from '../explore/map-view.tsx'
import { hostChoices } from '../explore/page-filters.tsx'
import { t } from '../i18n/i18n.ts'
import { hrefTo, replaceQuery, useTitle, type ViewProps } from '../router.ts'
import { useAsked } from '../state/asked.ts'
import { useLiveJob } from '../state/live-job.ts'

const TOPS = ['200', '1000', '3000', '10000'] as const
const TOP = '1000'

export function PageMapView({ jobId, query }: ViewProps) {
  const live = useLiveJob()
  const host = (query.host ?? '').slice(0, 300)
  const top = TOPS.find((offered) => offered === query.top) ?? TOP
  useTitle(t('map.pages'))
  const { value, failure, asking, again } = useAsked<PageGraph>(`/crawl/${jobId}/graph/pages`, {
    top,
    host,
  })
  const graph = useMemo(() => value && mapOf(value), [value])
  const choose = (change: { host?: string; top?: string }): void => {
    const chosen = { host, top, ...change }
    replaceQuery({ host: chosen.host, top: chosen.top === TOP ? '' : chosen.top })
  }
  const before = (
    <>
      <SelectField
        id="map-host"
        label={t('map.host')}
        value={host}
        choices={hostChoices(live.overview.value?.pages_per_host ?? {}, host, t('map.allHosts'))}
        onChange={(chosen) => choose({ host: chosen })}
      />
      <SelectField
        id="map-top"
        label={t('map.show')}
        value={top}
        choices={TOPS.map((offered) => ({
          value: offered,
          label: t('map.topPages', { n: Number(offered) }),
        }))}
        onChange={(chosen) => choose({ top: chosen })}
      />
      {live.job.value?.status === 'running' && (
        <Button small onClick={again}>
          {t('map.reload')}
        </Button>
      )}
    </>
  )
  if (failure !== null) return <FailureNotice failure={failure} onRetry={again} />
  if (value === null || graph === null) return <p class="view-loading">{t('map.loading')}</p>
  if (graph.nodes.length === 0) {
    return (
      <section class="stack">
        {host !== '' && <div class="filters">{before}</div>}
        <NoMap live={live} />
      </section>
    )
  }
  const { total_nodes: nodes, total_edges: links } = value
  return (
    <MapView
      key={jobId}
      graph={graph}
      asking={asking}
      before={before}
      note={nodes > graph.nodes.length ? t('map.wholeCrawl', { nodes, links }) : ''}
      layout={startLayout}
      links={{
        hrefOf: (node) => hrefTo('page', { jobId, pageId: node.id }),
        hrefOfHost: (of) => hrefTo('map', { jobId, query: { host: of } }),
        openText: t('map.openPage'),
      }}
      pagesPerHost={live.overview.value?.pages_per_host ?? NO_HOSTS}
    />
  )
}

/** The label of a page without a title; its host is shown anyway. */
function pathOf(url: string): string {
  return url.replace(/^https?:\/\/[^/]*/, '')
}

function mapOf({ nodes, edges }: PageGraph): MapGraph {
  const named = nodes.map((node) => ({
    ...node,
    label: node.title.trim() === '' ? pathOf(node.url) : node.title,
    group: node.host,
    rank: node.pagerank,
    pages: null,
  }))
  return createMap(named, edges)
}
