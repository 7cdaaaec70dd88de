// The map in words: its nodes by rank, and all that the map knows of a selected one. Readers
// who cannot see the picture, or use a keyboard, miss nothing.
import type { ComponentChildren } from 'preact'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { isOutside, type MapGraph, type MapNode, Neighbours } from '../../map/map-graph.ts'
import { Button, ButtonLink } from '../components/button.tsx'
import { WebLink, WebText } from '../components/web-text.tsx'
import { formatCount } from '../format.ts'
import { t } from '../i18n/i18n.ts'
import { short } from './explanation.ts'
import { Shown } from './fold.tsx'
import { firstShown, shownCount } from './map-filter.ts'
import { type Fact, Facts, PageMarks } from './page-facts.tsx'

/** Where nodes and hosts lead in the dashboard. */
export type MapLinks = {
  readonly hrefOf: (node: MapNode) => string
  readonly hrefOfHost: (host: string) => string
  readonly openText: string | ((node: MapNode) => string)
  /** More about a selected node. */
  readonly more?: (node: MapNode) => ComponentChildren
}

type MapPanelProps = {
  readonly graph: MapGraph
  readonly shown: Uint8Array
  readonly selected: number | null
  readonly onSelect: (node: number | null) => void
  readonly links: MapLinks | null
}

export function MapPanel(props: MapPanelProps) {
  const { graph, selected } = props
  const node = selected === null ? undefined : graph.nodes[selected]
  if (node === undefined || selected === null) return <ByRank {...props} />
  return <Selected {...props} node={node} number={selected} />
}

const AT_FIRST = 60

function ByRank({ graph, shown, onSelect }: MapPanelProps) {
  const [most, setMost] = useState(AT_FIRST)
  const first = firstShown(shown, most)
  return (
    <section class="map-panel card flush" aria-label={t('map.listLabel')}>
      <h3 class="card-head">{t('map.list')}</h3>
      {first.length === 0 && <p class="map-none muted">{t('map.noneShown')}</p>}
      <NodeList graph={graph} numbers={first} onSelect={onSelect} ranked />
      {shownCount(shown) > first.length && (
        <p class="map-none">
          <Button small onClick={() => setMost(most + 200)}>
            {t('action.more')}
          </Button>
        </p>
      )}
    </section>
  )
}

function NodeList({
  graph,
  numbers,
  onSelect,
  ranked = false,
}: Pick<MapPanelProps, 'graph' | 'onSelect'> & {
  readonly numbers: readonly number[]
  readonly ranked?: boolean
}) {
  return (
    <ol class="map-list">
      {numbers.map((number) => {
        const node = graph.nodes[number]
        if (node === undefined) return null
        return (
          <li key={number}>
            <button type="button" class="map-entry" onClick={() => onSelect(number)}>
              <span class="map-name">
                <WebText text={node.label} most={90} />
                <PageMarks page={{ hot: node.hot && node.pages === null }} />
              </span>
              <span class="small muted">
                {node.pages === null ? <WebText text={node.host} most={60} /> : pagesText(node)}
                {ranked && <span class="number"> {short(node.rank)}</span>}
              </span>
            </button>
          </li>
        )
      })}
    </ol>
  )
}

const pagesText = (node: MapNode): string =>
  isOutside(node) ? t('map.outside') : t('count.pages', { n: node.pages ?? 0 })

function Selected(props: MapPanelProps & { readonly node: MapNode; readonly number: number }) {
  const { graph, node, number, onSelect, links: to } = props
  const heading = useRef<HTMLHeadingElement>(null)
  const links = useMemo(() => {
    const { nodes, sources, targets } = graph
    return {
      out: new Neighbours(nodes.length, sources, targets),
      in: new Neighbours(nodes.length, targets, sources),
    }
  }, [graph])
  // The list is gone: those who chose from it go on here, those who chose in the picture stay there.
  useEffect(() => {
    if (document.activeElement?.closest('.map-picture')) return
    heading.current?.focus({ preventScroll: true })
  }, [number])
  return (
    <section class="map-panel card flush" aria-label={t('map.selected')}>
      <div class="map-selected">
        <Button small look="quiet" onClick={() => onSelect(null)}>
          ← {t('map.unselect')}
        </Button>
        <h3 ref={heading} tabIndex={-1}>
          <WebText text={node.label} most={200} />
        </h3>
        {node.url !== '' && (
          <p class="small">
            <WebLink url={node.url} most={160} />
          </p>
        )}
        {to !== null && (
          <p class="row">
            <ButtonLink small look="primary" href={to.hrefOf(node)}>
              {typeof to.openText === 'string' ? to.openText : to.openText(node)}
            </ButtonLink>
            {to.more?.(node)}
          </p>
        )}
        <Facts facts={factsOf(node)} />
      </div>
      <Around
        {...props}
        title={t('map.linksIn')}
        count={node.in}
        numbers={[...links.in.of(number)]}
      />
      <Around
        {...props}
        title={t('map.linksOut')}
        count={node.out}
        numbers={[...links.out.of(number)]}
      />
    </section>
  )
}

function Around({
  graph,
  onSelect,
  title,
  count,
  numbers,
}: MapPanelProps & {
  readonly title: string
  readonly count: number
  readonly numbers: readonly number[]
}) {
  const inMap = numbers.length === count ? '' : ` (${t('map.inMap', { n: numbers.length })})`
  return (
    <>
      <h4>
        {title} <span class="muted number">{formatCount(count) + inMap}</span>
      </h4>
      <Shown key={title + numbers.length} rows={numbers} first={30} step={100}>
        {(first) => <NodeList graph={graph} numbers={first} onSelect={onSelect} />}
      </Shown>
    </>
  )
}

function pageCount(node: MapNode): string {
  return isOutside(node) ? t('map.outside') : formatCount(node.pages ?? 0)
}

function factsOf(node: MapNode): Fact[] {
  return [
    [t('map.pageCount'), node.pages === null ? '' : pageCount(node)],
    [t('map.pageRank'), short(node.rank)],
    [t('map.relevance'), node.relevance === null ? '' : short(node.relevance)],
    [t('map.host'), node.pages === null ? <WebText text={node.host} most={120} /> : ''],
  ]
}
