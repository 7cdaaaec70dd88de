// What the colours of a map mean.

import type { Colouring, MapColours } from '../../map/map-colours.ts'
import type { MapGraph } from '../../map/map-graph.ts'
import { WebText } from '../components/web-text.tsx'
import { t } from '../i18n/i18n.ts'
import type { MapLinks } from './map-panel.tsx'

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
  if (colouring === 'relevance') return <RelevanceScale colours={colours} />
  const hosts = new Set(graph.nodes.map(({ host }) => host))
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
    </ul>
  )
}

function RelevanceScale({ colours }: { readonly colours: MapColours }) {
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
    </ul>
  )
}

function Swatch({ colour }: { readonly colour: string }) {
  return <span class="swatch" aria-hidden="true" style={{ background: colour }} />
}
