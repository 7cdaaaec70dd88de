// What the colours of a map mean.
import { WebText } from '../components/web-text.tsx'
import { t } from '../i18n/i18n.ts'
import { type Colouring, groupColours, type MapColours } from './map-colours.ts'
import type { MapGraph } from './map-graph.ts'

export function MapLegend({
  graph,
  colouring,
  colours,
  hrefOfGroup,
}: {
  readonly graph: MapGraph
  readonly colouring: Colouring
  readonly colours: MapColours
  /** Where a group leads; null: nowhere. */
  readonly hrefOfGroup: ((group: string) => string) | null
}) {
  if (colouring === 'relevance') return <RelevanceScale colours={colours} />
  const named = [...groupColours(graph, colours)]
  const others = graph.groups.length - named.length
  return (
    <ul class="legend">
      {named.map(([group, colour]) => (
        <li key={group}>
          <Swatch colour={colour} />
          {hrefOfGroup === null ? (
            <WebText text={group} most={50} />
          ) : (
            <a href={hrefOfGroup(group)}>
              <WebText text={group} most={50} />
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
