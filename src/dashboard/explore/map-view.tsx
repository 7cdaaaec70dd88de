// A map with what is around it: picture, list, legend, and what narrows it. The page map, the site map and
// a map that was saved as a file are all this, with other nodes.
import type { ComponentChildren } from 'preact'
import { useEffect, useMemo, useState } from 'preact/hooks'
import {
  type Colouring,
  defaultColouring,
  hostColours,
  MAP_COLOURS,
  type MapColours,
  nodeColours,
} from '../../map/map-colours.ts'
import { isOutside, type MapGraph, type MapNode, pictureEdges } from '../../map/map-graph.ts'
import { EmptyState } from '../components/notice.tsx'
import { Choice } from '../components/tabs.tsx'
import { language, t } from '../i18n/i18n.ts'
import { hasEnded } from '../job/job-words.ts'
import { goTo } from '../router.ts'
import type { LiveJob } from '../state/live-job.ts'
import { shownTheme } from '../state/preferences.ts'
import { visible } from '../web-text.ts'
import type { MapLayout } from './layout-link.ts'
import { HoverCard, MapFilters, MapLegend, OUTSIDE_MARK } from './map-controls.tsx'
import type { MapLook } from './map-drawing.ts'
import {
  firstShown,
  type MapFilter,
  shownCount,
  shownEdges,
  shownNodes,
  WHOLE_MAP,
} from './map-filter.ts'
import { type MapLinks, MapPanel } from './map-panel.tsx'
import { MapPicture } from './map-picture.tsx'

/** Characters: longer ones cover each other. Card and list have the whole of it. */
const LABEL = 32

type MapViewProps = {
  readonly graph: MapGraph
  readonly layout: MapLayout
  /** Null in a saved map, which has no other views. */
  readonly links: MapLinks | null
  /** What is chosen before the map is loaded. */
  readonly before?: ComponentChildren
  /** A line on what is not in the map. */
  readonly note: string
  /** Another one is on its way. */
  readonly asking: boolean
  /** Pages of each host in the whole crawl; empty while that is not known. */
  readonly pagesPerHost: Readonly<Record<string, number>>
}

export function MapView(props: MapViewProps) {
  const { graph, layout, links, pagesPerHost } = props
  const [filter, setFilter] = useState<MapFilter>(WHOLE_MAP)
  const isJudged = useMemo(() => graph.nodes.some(({ relevance }) => relevance !== null), [graph])
  const [chosen, setColouring] = useState<Colouring | null>(null)
  const colouring = isJudged ? (chosen ?? defaultColouring(graph)) : 'host'
  const [selected, setSelected] = useState<number | null>(null)
  const [hovered, setHovered] = useState<number | null>(null)
  const [wanted, setWanted] = useState<{ node: number } | null>(null)
  // Numbers of nodes mean something in one map only.
  useEffect(() => {
    setSelected(null)
    setHovered(null)
    setWanted(null)
  }, [graph])
  const { edges, alwaysDrawn, shaping } = useMemo(() => pictureEdges(graph), [graph])
  const labels = useMemo(() => graph.nodes.map(labelOf), [graph])
  const shown = useMemo(() => shownNodes(graph, filter), [graph, filter])
  const colours = MAP_COLOURS[shownTheme.value]
  const ofHosts = useMemo(
    () => hostColours(pagesPerHost, graph, colours),
    [pagesPerHost, graph, colours],
  )
  const look = useLook({ graph, colouring, colours, ofHosts, shown, selected, labels })
  const counts = useMemo(
    () => countText(graph, shown, edges.subarray(0, alwaysDrawn)),
    [graph, shown, edges, alwaysDrawn, language.value],
  )
  const open = (number: number): void => {
    const node = graph.nodes[number]
    if (node !== undefined && links !== null) goTo(links.hrefOf(node))
  }
  const pick = (node: number | null): void => {
    setSelected(node)
    if (node !== null) setWanted({ node })
  }
  const pointed = graph.nodes[hovered ?? -1]
  return (
    <section class="map-view stack" aria-busy={props.asking}>
      <div class="filters">
        {props.before}
        <MapFilters
          filter={filter}
          onChange={setFilter}
          onFirst={() => pick(firstShown(shown, 1)[0] ?? null)}
          hasHot={graph.nodes.some((n) => n.hot)}
        />
        {isJudged && (
          <div class="field">
            <span class="field-label">{t('map.colourBy')}</span>
            <Choice
              name="map-colouring"
              label={t('map.colourBy')}
              value={colouring}
              choices={[
                { value: 'host', label: t('map.byHost') },
                { value: 'relevance', label: t('map.byRelevance') },
              ]}
              onChange={setColouring}
            />
          </div>
        )}
      </div>
      <p class="small muted" role="status">
        {props.asking ? t('map.loading') : `${counts} ${props.note}`}
      </p>
      <div class="map-columns">
        <div class="map-main">
          <MapPicture
            graph={graph}
            edges={edges}
            alwaysDrawn={alwaysDrawn}
            shaping={shaping}
            layout={layout}
            look={look}
            wanted={wanted}
            events={{ onHover: setHovered, onSelect: setSelected, onOpen: open }}
          />
          {pointed && <HoverCard node={pointed} />}
          <MapLegend
            graph={graph}
            colouring={colouring}
            colours={colours}
            ofHosts={ofHosts}
            links={links}
          />
          <p class="small muted">
            {t('map.keys')} {links !== null && t('map.hint')}
          </p>
        </div>
        <MapPanel {...props} shown={shown} selected={selected} onSelect={pick} />
      </div>
      <p class="unseen" aria-live="polite">
        {visible(graph.nodes[selected ?? -1]?.label ?? '')}
      </p>
    </section>
  )
}

function labelOf(node: MapNode): string {
  const label = visible(node.label, LABEL)
  return isOutside(node) ? `${OUTSIDE_MARK} ${label}` : label
}

function useLook(of: {
  readonly graph: MapGraph
  readonly colouring: Colouring
  readonly colours: MapColours
  readonly ofHosts: ReadonlyMap<string, string>
  readonly shown: Uint8Array
  readonly selected: number | null
  readonly labels: readonly string[]
}): MapLook {
  const { graph, colouring, colours, ofHosts, shown, selected, labels } = of
  const painted = useMemo(
    () => nodeColours(graph, colouring, ofHosts, colours),
    [graph, colouring, ofHosts, colours],
  )
  const near = useMemo(() => nextTo(graph, selected), [graph, selected])
  return useMemo(
    () => ({ colours, nodeColours: painted, shown, selected, near, labels }),
    [colours, painted, shown, selected, near, labels],
  )
}

function nextTo({ sources, targets }: MapGraph, node: number | null): ReadonlySet<number> {
  const near = new Set<number>()
  if (node === null) return near
  for (const [edge, source] of sources.entries()) {
    const target = targets[edge] ?? 0
    if (source === node) near.add(target)
    if (target === node) near.add(source)
  }
  return near
}

function countText(graph: MapGraph, shown: Uint8Array, drawn: Uint32Array): string {
  const { nodes } = graph
  const count = shownCount(shown)
  const links = shownEdges(graph, drawn, shown)
  const ofNodes =
    count === nodes.length
      ? t('map.nodes', { n: count })
      : t('map.ofNodes', { shown: count, n: nodes.length })
  const ofEdges =
    links.drawn === links.all
      ? t('map.links', { n: links.all })
      : t('map.drawn', { drawn: links.drawn, n: links.all })
  return `${ofNodes}, ${ofEdges}.`
}

/** While it is not known how many pages each host has. */
export const NO_HOSTS: Readonly<Record<string, number>> = {}

/** There is nothing to draw: not yet, or never. */
export function NoMap({ live }: { readonly live: LiveJob }) {
  const job = live.job.value
  const isOver = job !== null && hasEnded(job)
  const text = !isOver ? 'map.noneText' : job.stored === 0 ? 'map.noneEver' : 'map.noneHere'
  return (
    <EmptyState title={t(isOver ? 'map.nothing' : 'map.none')}>
      <p>{t(text)}</p>
    </EmptyState>
  )
}
