// A map drawn by WebGL (sigma). It knows numbers of nodes and what is to be seen of them; what they
// are, and what becomes of a click, is the view's business.
import Graph from 'graphology'
import type { Attributes } from 'graphology-types'
import Sigma from 'sigma'
import { EdgeLineProgram, EdgeRectangleProgram } from 'sigma/rendering'
import type { EdgeDisplayData, NodeDisplayData } from 'sigma/types'
import { edgeColour, type MapColours } from '../../map/map-colours.ts'
import { edgeStrength, lineClarity, type MapGraph, nodeSizes } from '../../map/map-graph.ts'
import { startPositions } from '../../map/start-positions.ts'
import { labelSettings, MapNames } from './map-labels.ts'

export type MapEvents = {
  readonly onHover: (node: number | null) => void
  readonly onSelect: (node: number | null) => void
  readonly onOpen: (node: number) => void
  /** The graphics card took the picture away: it has to be drawn again. */
  readonly onLost: () => void
}

/** What is seen of a map, and how. */
export type MapLook = {
  readonly colours: MapColours
  /** By number of node. */
  readonly nodeColours: readonly string[]
  readonly shown: Uint8Array
  readonly selected: number | null
  /** Next to the selected one. */
  readonly near: ReadonlySet<number>
  readonly labels: readonly string[]
}

export type MapDrawingOptions = {
  readonly graph: MapGraph
  /** Numbers of edges, the most informative first. */
  readonly edges: Uint32Array
  /** So many of them are always seen, the others only beside a selected node. */
  readonly alwaysDrawn: number
  /** Where nodes are already; null: where a layout begins. */
  readonly positions: Float32Array | null
  readonly look: MapLook
  readonly events: MapEvents
  /** Whether the camera glides; it jumps for those who asked for less motion. */
  readonly glides: boolean
}

/** Beyond these a frame takes too long while the map is moved. */
const MANY_EDGES = 4_000
const MANY_NODES = 2_000
const GLIDE_MS = 250
/** Pixels around the outermost nodes. */
export const MARGIN = 40
/** Labels that are forced around a selection; more cover each other. */
const MOST_FORCED = 40

export class MapDrawing {
  readonly #sigma: Sigma
  readonly #graph: Graph
  readonly #glides: boolean
  readonly #alwaysDrawn: number
  readonly #unlisten = new AbortController()
  readonly #names = new MapNames()
  #look: MapLook

  constructor(container: HTMLElement, options: MapDrawingOptions) {
    this.#look = options.look
    this.#glides = options.glides
    this.#alwaysDrawn = options.alwaysDrawn
    this.#graph = drawnGraph(options)
    this.#sigma = new Sigma(this.#graph, container, {
      ...labelSettings(options.look.colours, container, this.#names),
      allowInvalidContainer: true,
      edgeProgramClasses: { line: hasWidths(options) ? EdgeRectangleProgram : EdgeLineProgram },
      defaultEdgeColor: edgeColour(options.look.colours, options.alwaysDrawn),
      hideEdgesOnMove: options.alwaysDrawn > MANY_EDGES,
      hideLabelsOnMove: options.graph.nodes.length > MANY_NODES,
      minCameraRatio: 0.01,
      maxCameraRatio: 4,
      stagePadding: MARGIN,
      zoomDuration: this.#glides ? 200 : 1,
      inertiaDuration: this.#glides ? 200 : 1,
      nodeReducer: (node, attributes) => this.#drawnNode(Number(node), attributes),
      edgeReducer: (edge, { size }) => this.#drawnEdge(edge, Number(size)),
    })
    this.#listen(options.events)
    this.#sigma.on('beforeRender', () => this.#names.clear())
    this.#sigma.on('afterRender', () => this.#writeNames())
    // The first frame was drawn before anybody listened.
    this.#writeNames()
  }

  /** x and y of each node, by number. */
  place(positions: Float32Array): void {
    this.#graph.updateEachNodeAttributes(
      (node, attributes) => {
        attributes.x = positions[Number(node) * 2] ?? 0
        attributes.y = positions[Number(node) * 2 + 1] ?? 0
        return attributes
      },
      { attributes: ['x', 'y'] },
    )
  }

  show(look: MapLook): void {
    const themeChanged = look.colours !== this.#look.colours
    this.#look = look
    if (themeChanged) {
      const { colours } = look
      this.#sigma.setSettings(labelSettings(colours, this.#sigma.getContainer(), this.#names))
      this.#sigma.setSetting('defaultEdgeColor', edgeColour(colours, this.#alwaysDrawn))
    }
    this.#sigma.refresh({ skipIndexation: true })
  }

  /** Brings a node to the middle, near enough to see what is around it. */
  goTo(node: number): void {
    const at = this.#sigma.getNodeDisplayData(String(node))
    if (at === undefined) return
    const camera = this.#sigma.getCamera()
    this.#move({ x: at.x, y: at.y, ratio: Math.min(camera.ratio, nearRatio(this.#graph.order)) })
  }

  /** Above 1: nearer. */
  zoom(factor: number): void {
    const camera = this.#sigma.getCamera()
    this.#move({ ratio: camera.getBoundedRatio(camera.ratio / factor) })
  }

  /** By so many pixels. */
  pan(x: number, y: number): void {
    const { width, height } = this.#sigma.getDimensions()
    this.#move(this.#sigma.viewportToFramedGraph({ x: width / 2 + x, y: height / 2 + y }))
  }

  /** The node that is nearest to the middle of the picture; null: none is shown. */
  nodeInMiddle(): number | null {
    const { x, y } = this.#sigma.getCamera()
    let nearest: number | null = null
    let least = Number.POSITIVE_INFINITY
    for (const name of this.#graph.nodes()) {
      const at = this.#sigma.getNodeDisplayData(name)
      if (at === undefined || at.hidden) continue
      const away = Math.hypot(at.x - x, at.y - y)
      if (away < least) {
        least = away
        nearest = Number(name)
      }
    }
    return nearest
  }

  fit(): void {
    this.#move({ x: 0.5, y: 0.5, ratio: 1, angle: 0 })
  }

  close(): void {
    this.#unlisten.abort()
    this.#sigma.kill()
  }

  #writeNames(): void {
    this.#names.write(this.#sigma.getDimensions(), this.#look.colours)
  }

  #move(state: { x?: number; y?: number; ratio?: number; angle?: number }): void {
    const camera = this.#sigma.getCamera()
    if (this.#glides) void camera.animate(state, { duration: GLIDE_MS })
    else camera.setState(state)
  }

  #listen({ onHover, onSelect, onOpen, onLost }: MapEvents): void {
    // The event does not bubble: it is caught on its way down to the canvas.
    this.#sigma.getContainer().addEventListener('webglcontextlost', onLost, {
      capture: true,
      once: true,
      signal: this.#unlisten.signal,
    })
    this.#sigma.on('enterNode', ({ node }) => onHover(Number(node)))
    this.#sigma.on('leaveNode', () => onHover(null))
    this.#sigma.on('clickNode', ({ node }) => onSelect(Number(node)))
    this.#sigma.on('clickStage', () => onSelect(null))
    this.#sigma.on('doubleClickNode', ({ node, preventSigmaDefault }) => {
      preventSigmaDefault()
      onOpen(Number(node))
    })
  }

  #drawnNode(node: number, attributes: Attributes): Partial<NodeDisplayData> {
    const { nodeColours, shown, selected, near, colours, labels } = this.#look
    const drawn: Partial<NodeDisplayData> = {
      x: Number(attributes.x),
      y: Number(attributes.y),
      size: Number(attributes.size),
      label: labels[node] ?? '',
      color: nodeColours[node] ?? colours.other,
      hidden: shown[node] !== 1,
    }
    if (selected === null) return drawn
    if (node === selected) return { ...drawn, hidden: false, highlighted: true, forceLabel: true }
    if (near.has(node)) return { ...drawn, forceLabel: near.size <= MOST_FORCED }
    return { ...drawn, color: colours.faded, label: '' }
  }

  #drawnEdge(edge: string, size: number): Partial<EdgeDisplayData> {
    const { selected, colours } = this.#look
    if (selected === null) {
      const color = edgeColour(colours, this.#alwaysDrawn)
      return { color, size, hidden: Number(edge) >= this.#alwaysDrawn }
    }
    const [source, target] = this.#graph.extremities(edge)
    const touches = Number(source) === selected || Number(target) === selected
    return { color: colours.strongEdge, size, hidden: !touches }
  }
}

/** Thin lines of one width are drawn by a quicker program. */
function hasWidths({ graph, alwaysDrawn }: MapDrawingOptions): boolean {
  return lineClarity(alwaysDrawn) > 0 || graph.weights.some((links) => edgeStrength(links) > 0)
}

/** How near the camera goes to a node: so that some tens of others are seen around it. */
function nearRatio(nodes: number): number {
  return Math.min(1, Math.max(0.08, Math.sqrt(60 / Math.max(1, nodes))))
}

function drawnGraph(options: MapDrawingOptions): Graph {
  const { graph, edges, positions: known, alwaysDrawn } = options
  const drawn = new Graph({ type: 'directed', multi: false, allowSelfLoops: false })
  const positions = known ?? startPositions(graph)
  const sizes = nodeSizes(graph)
  // What is added last is drawn on top: the most important ones.
  for (let node = graph.nodes.length - 1; node >= 0; node--) {
    drawn.addNode(String(node), {
      x: positions[node * 2],
      y: positions[node * 2 + 1],
      size: sizes[node],
    })
  }
  for (const [at, edge] of edges.entries()) {
    const size = 1 + lineClarity(alwaysDrawn) / 2 + edgeStrength(graph.weights[edge] ?? 1)
    drawn.addEdgeWithKey(String(at), graph.sources[edge], graph.targets[edge], { size })
  }
  return drawn
}

/** Whether a map can be drawn here at all. */
export function hasWebGl(): boolean {
  const canvas = document.createElement('canvas')
  const context = canvas.getContext('webgl2') ?? canvas.getContext('webgl')
  // Browsers keep only some contexts: this one was for the question alone.
  context?.getExtension('WEBGL_lose_context')?.loseContext()
  return context !== null
}
