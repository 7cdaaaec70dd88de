// A map that was saved as one HTML file: the map of the dashboard, without a server behind it.
import { render } from 'preact'
import { useLayoutEffect, useMemo } from 'preact/hooks'
import '../styles/tokens.css'
import '../styles/base.css'
import '../styles/components.css'
import '../styles/explore.css'
import '../styles/saved.css'
import { pagesPerHost } from '../../map/map-colours.ts'
import { isOutside } from '../../map/map-graph.ts'
import { readSavedMap, type SavedMap } from '../../map/saved-map.ts'
import { MapView } from '../explore/map-view.tsx'
import { t } from '../i18n/i18n.ts'
import { followSystem } from '../state/preferences.ts'
import { visible } from '../web-text.ts'
import { savedData } from './saved-data.ts'

function SavedMapPage({ map }: { readonly map: SavedMap }) {
  const { graph, positions } = useMemo(() => readSavedMap(map), [map])
  const pages = useMemo(() => pagesPerHost(graph), [graph])
  const heading = headingOf(map)
  useLayoutEffect(() => {
    document.title = heading
  }, [heading])
  return (
    <main class="saved">
      <h1 title={visible(map.subject.name, 2000)}>
        <bdi>{heading}</bdi>
      </h1>
      <MapView
        graph={graph}
        layout={positions}
        links={null}
        asking={false}
        note={noteOf(map, graph.nodes.filter((node) => !isOutside(node)).length)}
        pagesPerHost={pages}
      />
    </main>
  )
}

function headingOf({ kind, subject: { crawl, short, more, host } }: SavedMap): string {
  const name = more === 0 ? short : t('map.andMore', { name: short, n: more })
  const ofHost = host === null ? 'Title' : 'OfTitle'
  return visible(t(`map.${kind}${ofHost}`, { crawl: String(crawl), name, host: host ?? '' }))
}

function noteOf({ kind, totalNodes: total }: SavedMap, n: number): string {
  if (n === total) return ''
  return t(kind === 'pages' ? 'map.bestPages' : 'map.bestSites', { n, total })
}

followSystem()
const place = document.querySelector('#app')
if (place !== null) render(<SavedMapPage map={savedData<SavedMap>()} />, place)
