// The picture of a map, with the buttons and keys that move it.
import { useEffect, useRef, useState } from 'preact/hooks'
import { type Room, USUAL_ROOM } from '../../map/in-room.ts'
import { type MapGraph, nodeSizes } from '../../map/map-graph.ts'
import { Button } from '../components/button.tsx'
import { Notice } from '../components/notice.tsx'
import { formatShare } from '../format.ts'
import { t } from '../i18n/i18n.ts'
import { STILL, useMedia } from '../state/preferences.ts'
import type { LayoutLink, LayoutNews, MapLayout } from './layout-link.ts'
import {
  hasWebGl,
  MARGIN,
  MapDrawing,
  type MapDrawingOptions,
  type MapEvents,
  type MapLook,
} from './map-drawing.ts'

type MapPictureProps = {
  readonly graph: MapGraph
  /** The most informative first. */
  readonly edges: Uint32Array
  /** So many of them are always seen, and so many shape the map. */
  readonly alwaysDrawn: number
  readonly shaping: number
  readonly layout: MapLayout
  readonly look: MapLook
  readonly events: Omit<MapEvents, 'onLost'>
  /** Changes when the node is to be brought to the middle. */
  readonly wanted: { readonly node: number } | null
}

/** A map is drawn again at most so often while it is laid out, and never for more than a third of the time. */
const DRAW_EVERY_MS = 200

export function MapPicture(props: MapPictureProps) {
  const { graph, edges, alwaysDrawn, shaping, layout: places, look, events, wanted } = props
  const place = useRef<HTMLDivElement>(null)
  const drawing = useRef<MapDrawing | null>(null)
  const layout = useRef<LayoutLink | null>(null)
  const latest = useRef(events)
  latest.current = events
  const still = useMedia(STILL)
  const [drawable, setDrawable] = useState(hasWebGl)
  const [turn, setTurn] = useState(0)
  /** From 0 to 1; null: it failed. */
  const [share, setShare] = useState<number | null>(0)

  useEffect(() => {
    if (place.current === null || !drawable) return
    const drawn = drawnIn(place.current, {
      graph,
      edges,
      alwaysDrawn,
      positions: places instanceof Float32Array ? places : null,
      look,
      glides: !still,
      events: {
        onHover: (node) => latest.current.onHover(node),
        onSelect: (node) => latest.current.onSelect(node),
        onOpen: (node) => latest.current.onOpen(node),
        onLost: () => setTurn(turn + 1),
      },
    })
    if (drawn === null) {
      setDrawable(false)
      return
    }
    drawing.current = drawn
    if (places instanceof Float32Array) setShare(1)
    else {
      setShare(0)
      const draw = paced((news: LayoutNews) => drawn.place(news.positions))
      layout.current = places({
        graph,
        edges: edges.subarray(0, shaping),
        sizes: nodeSizes(graph),
        room: roomOf(place.current),
        onNews: (news) => {
          setShare(news.share)
          // Those who asked for less motion see where it ends, not how it gets there.
          if (!still || news.share === 1) draw(news, news.share === 1)
        },
        onFailure: () => setShare(null),
      })
    }
    return () => {
      layout.current?.close()
      layout.current = null
      drawn.close()
      drawing.current = null
    }
  }, [graph, edges, alwaysDrawn, shaping, places, still, drawable, turn])
  useEffect(() => drawing.current?.show(look), [look])
  useEffect(() => {
    if (wanted !== null) drawing.current?.goTo(wanted.node)
  }, [wanted])

  if (!drawable) {
    return (
      <Notice tone="warning" title={t('map.noWebGl')}>
        <p>{t('map.noWebGlText')}</p>
      </Notice>
    )
  }
  return (
    <div class="map-picture">
      <div
        ref={place}
        class="map-canvas"
        role="application"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: an application has keys of its own
        tabIndex={0}
        aria-label={t('map.picture', { n: graph.nodes.length })}
        data-share={share}
        onKeyDown={(event) => {
          if (event.ctrlKey || event.metaKey || event.altKey || drawing.current === null) return
          if (pressKey(event.key, drawing.current, events)) event.preventDefault()
        }}
      />
      <div class="map-buttons">
        <Button small label={t('map.zoomIn')} onClick={() => drawing.current?.zoom(1.6)}>
          +
        </Button>
        <Button small label={t('map.zoomOut')} onClick={() => drawing.current?.zoom(1 / 1.6)}>
          −
        </Button>
        <Button small onClick={() => drawing.current?.fit()}>
          {t('map.fit')}
        </Button>
        {!(places instanceof Float32Array) && <Arranging share={share} layout={layout} />}
      </div>
    </div>
  )
}

function Arranging({
  share,
  layout,
}: {
  readonly share: number | null
  readonly layout: { readonly current: LayoutLink | null }
}) {
  return (
    <>
      {share !== null && share < 1 ? (
        <Button small onClick={() => layout.current?.stop()}>
          {t('map.stop')}
        </Button>
      ) : (
        <Button small onClick={() => layout.current?.more()}>
          {t('map.settleMore')}
        </Button>
      )}
      <span class="map-state small muted">{stateText(share)}</span>
    </>
  )
}

/** Without the margin that the drawing keeps. */
function roomOf({ clientWidth, clientHeight }: HTMLElement): Room {
  const [width, height] = [clientWidth - 2 * MARGIN, clientHeight - 2 * MARGIN]
  return width > 0 && height > 0 ? { width, height } : USUAL_ROOM
}

const PAN = 60

/** Whether the key means something on a map. */
function pressKey(key: string, drawing: MapDrawing, { onSelect }: MapPictureProps['events']) {
  const acts: Readonly<Record<string, () => void>> = {
    ArrowLeft: () => drawing.pan(-PAN, 0),
    ArrowRight: () => drawing.pan(PAN, 0),
    ArrowUp: () => drawing.pan(0, -PAN),
    ArrowDown: () => drawing.pan(0, PAN),
    '+': () => drawing.zoom(1.4),
    '=': () => drawing.zoom(1.4),
    '-': () => drawing.zoom(1 / 1.4),
    '0': () => drawing.fit(),
    Home: () => drawing.fit(),
    Escape: () => onSelect(null),
    Enter: () => onSelect(drawing.nodeInMiddle()),
  }
  acts[key]?.()
  return key in acts
}

/** Null where there is no WebGL to be had after all. */
function drawnIn(place: HTMLElement, options: MapDrawingOptions): MapDrawing | null {
  try {
    return new MapDrawing(place, options)
  } catch {
    return null
  }
}

function stateText(share: number | null): string {
  if (share === null) return t('map.layoutFailed')
  return share === 1 ? t('map.settled') : t('map.settling', { share: formatShare(share) })
}

/** Leaves news out that come sooner than the last ones could be drawn; the last of all is drawn. */
function paced(draw: (news: LayoutNews) => void): (news: LayoutNews, isLast: boolean) => void {
  let next = 0
  return (news, isLast) => {
    const start = performance.now()
    if (start < next && !isLast) return
    draw(news)
    next = start + Math.max(DRAW_EVERY_MS, (performance.now() - start) * 3)
  }
}
