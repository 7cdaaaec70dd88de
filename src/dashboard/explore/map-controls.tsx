// What narrows a map, and the card about a node.
import type { ComponentChildren } from 'preact'
import type { Colouring, MapColours } from '../../map/map-colours.ts'
import { isOutside, type MapGraph, type MapNode } from '../../map/map-graph.ts'
import { CheckField, SelectField, TextField } from '../components/field.tsx'
import { WebText } from '../components/web-text.tsx'
import { formatCount, formatShare } from '../format.ts'
import { t } from '../i18n/i18n.ts'
import { short } from './explanation.ts'
import { type MapFilter, TOP_SHARES } from './map-filter.ts'
import type { MapLinks } from './map-panel.tsx'

export function MapFilters({
  filter,
  hasHot,
  onChange,
  onFirst,
}: {
  readonly filter: MapFilter
  readonly hasHot: boolean
  readonly onChange: (filter: MapFilter) => void
  /** Selects the best of what was found. */
  readonly onFirst: () => void
}) {
  const shares = TOP_SHARES.map((share) => ({
    value: String(share),
    label: share === 1 ? t('map.everyRank') : t('map.topShare', { share: formatShare(share) }),
  }))
  return (
    <>
      <TextField
        id="map-find"
        label={t('map.find')}
        value={filter.text}
        onChange={(text) => onChange({ ...filter, text })}
        onEnter={onFirst}
      />
      <SelectField
        id="map-rank"
        label={t('map.rank')}
        value={String(filter.topShare)}
        choices={shares}
        onChange={(share) => onChange({ ...filter, topShare: Number(share) })}
      />
      {hasHot && (
        <div class="filter-checks">
          <CheckField
            id="map-hot"
            label={t('map.hot')}
            checked={filter.hot}
            onChange={(hot) => onChange({ ...filter, hot })}
          />
        </div>
      )}
    </>
  )
}

/** About the node that is pointed at; the list says the same without a pointer. */
export function HoverCard({ node }: { readonly node: MapNode }) {
  const figures = [
    ...(node.pages === null ? [] : [t('count.pages', { n: node.pages })]),
    `${t('map.pageRank')} ${short(node.rank)}`,
    ...(node.relevance === null ? [] : [`${t('map.relevance')} ${short(node.relevance)}`]),
    `${t('map.linksIn')} ${formatCount(node.in)}`,
    `${t('map.linksOut')} ${formatCount(node.out)}`,
  ]
  return (
    <div class="map-card" aria-hidden="true">
      <strong>
        <WebText text={node.label} most={120} />
      </strong>
      {node.url !== '' && (
        <span class="small muted">
          <WebText text={node.url} most={120} />
        </span>
      )}
      <span class="small">{figures.join(' · ')}</span>
    </div>
  )
}

/** Before the name of a host outside the crawl: colour alone says nothing to some. */
export const OUTSIDE_MARK = '↗'

/** What the colours of a map mean. */
export function MapLegend({
  graph,
  colouring,
  colours,
  ofHosts,
  links,
}: {
  readonly graph: MapGraph
  readonly colouring: Colouring
  readonly colours: MapColours
  /** The colours of hosts; what else there is is grey. */
  readonly ofHosts: ReadonlyMap<string, string>
  readonly links: MapLinks | null
}) {
  const outside = graph.nodes.filter(isOutside).length
  const border = outside > 0 && (
    <li>
      <Swatch colour={colours.outside} />
      {OUTSIDE_MARK} {t('map.outsideHosts', { n: outside })}
    </li>
  )
  if (colouring === 'relevance') return <RelevanceScale colours={colours} border={border} />
  const hosts = new Set(graph.nodes.filter((node) => !isOutside(node)).map(({ host }) => host))
  const named = [...ofHosts].filter(([host]) => hosts.has(host))
  const others = hosts.size - named.length
  return (
    <ul class="legend">
      {named.map(([host, colour]) => (
        <li key={host}>
          <Swatch colour={colour} />
          {links === null ? (
            <WebText text={host} most={50} />
          ) : (
            <a href={links.hrefOfHost(host)}>
              <WebText text={host} most={50} />
            </a>
          )}
        </li>
      ))}
      {others > 0 && (
        <li>
          <Swatch colour={colours.other} />
          {t('map.otherHosts', { n: others })}
        </li>
      )}
      {border}
    </ul>
  )
}

function RelevanceScale({
  colours,
  border,
}: {
  readonly colours: MapColours
  readonly border: ComponentChildren
}) {
  return (
    <ul class="legend">
      <li>
        {t('map.byRelevance')} {t('map.leastRelevant')}
        {colours.scale.map((colour) => (
          <Swatch key={colour} colour={colour} />
        ))}
        {t('map.mostRelevant')}
      </li>
      <li>
        <Swatch colour={colours.faded} />
        {t('map.notJudged')}
      </li>
      {border}
    </ul>
  )
}

function Swatch({ colour }: { readonly colour: string }) {
  return <span class="swatch" aria-hidden="true" style={{ background: colour }} />
}
