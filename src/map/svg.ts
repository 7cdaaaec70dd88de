// A map as a still picture: SVG for any browser, light or dark as the reader prefers. It runs and fetches
// nothing. The largest nodes have labels where there is room; the others show theirs on hover.
import { cells, fit, safeText } from '../lib/terminal.ts'
import { shownXml } from '../lib/xml-text.ts'
import { type DrawnMap, drawMap } from './drawn-map.ts'
import { placeLabels, type WantedLabel } from './label-room.ts'
import {
  defaultColouring,
  hostColours,
  MAP_COLOURS,
  type MapColours,
  pagesPerHost,
  relevanceColour,
} from './map-colours.ts'
import type { MapFormat, MapSource } from './map-format.ts'
import {
  EDGE_STRENGTHS,
  edgeStrength,
  isOutside,
  lineClarity,
  type MapGraph,
  type MapNode,
} from './map-graph.ts'

const LABEL = 32
/** A generous guess of the letter width at this size, since the reader's font is unknown. */
const CELL = 6.4
const FONT = 11
const LEGEND_LINE = 18
const LINE = 0.6

export const svg: MapFormat = {
  name: 'svg',
  about: 'a still picture for browsers, documents and print',
  isPicture: true,
  async *write(source) {
    const map = await drawMap(source)
    const legend = legendOf(map)
    const top = 34
    const bottom = top + map.height + 16
    const outside = map.graph.nodes.filter(isOutside).length
    const height = bottom + (legend.length + Math.sign(outside)) * LEGEND_LINE + 10
    yield `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${short(map.width)} ${short(height)}" `
    yield `font-family="system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans','DejaVu Sans',sans-serif">\n`
    yield `<title>${shownXml(source.title)}</title>\n<style>${styleOf()}</style>\n`
    yield `<rect class="ground" width="100%" height="100%"/>\n`
    yield `<text class="head" x="10" y="22">${shownXml(headOf(source, map))}</text>\n`
    yield `<g transform="translate(0 ${top})">\n`
    yield* linesOf(map)
    yield* circlesOf(map)
    yield* namesOf(map)
    yield '</g>\n'
    for (const [nth, { host, place, count }] of legend.entries()) {
      const y = bottom + nth * LEGEND_LINE
      yield `<circle class="h${place}" cx="16" cy="${short(y)}" r="5"/>`
      yield `<text class="soft" x="28" y="${short(y + 4)}">${shownXml(`${host}: ${count}`)}</text>\n`
    }
    if (outside > 0) yield* outsideLegend(outside, bottom + legend.length * LEGEND_LINE)
    yield '</svg>\n'
  },
}

/** In the language of the reader. */
function* outsideLegend(count: number, y: number): Generator<string> {
  const at = `class="soft" x="28" y="${short(y + 4)}"`
  const english = `outside the crawl: ${count} ${count === 1 ? 'host' : 'hosts'} that it links to`
  yield `<circle class="out" cx="16" cy="${short(y)}" r="5"/><switch>`
  yield `<text ${at} systemLanguage="id">di luar perayapan: ${count} host yang ditautkan</text>`
  yield `<text ${at}>${english}</text></switch>\n`
}

function headOf({ title, totalNodes, kind }: MapSource, { graph }: DrawnMap): string {
  const shown = graph.nodes.filter((node) => !isOutside(node)).length
  const count = shown === totalNodes ? `${shown}` : `the best ${shown} of ${totalNodes}`
  return `${title}: ${count} ${kind}`
}

function themeOf(colours: MapColours): string {
  const hosts = [...colours.hosts, colours.other].map((colour, at) => `.h${at}{fill:${colour}}`)
  const scale = [...colours.scale, colours.faded].map((colour, at) => `.r${at}{fill:${colour}}`)
  return `.ground{fill:${colours.ground}}text{fill:${colours.text}}.name{stroke:${colours.ground}}
.edges{stroke:${colours.strongEdge}}.out{fill:${colours.ground};stroke:${colours.outside}}${hosts.join('')}${scale.join('')}`
}

function styleOf(): string {
  return `text{font-size:${FONT}px}.head{font-size:14px;font-weight:600}
.name{paint-order:stroke;stroke-width:3px;stroke-linejoin:round}
.edges{fill:none}circle{stroke:none}.out{stroke-width:1.5px}
${themeOf(MAP_COLOURS.light)}
@media (prefers-color-scheme:dark){${themeOf(MAP_COLOURS.dark)}}`
}

/** One path per strength: a tenth of the size of one element per edge. */
function* linesOf({ graph, edges, alwaysDrawn, positions }: DrawnMap): Generator<string> {
  const clarity = lineClarity(alwaysDrawn)
  for (let strength = 0; strength < EDGE_STRENGTHS; strength++) {
    const some = edges
      .subarray(0, alwaysDrawn)
      .filter((edge) => edgeStrength(graph.weights[edge] ?? 1) === strength)
    const lines = Array.from(some, (edge) => {
      const from = placeOf(positions, graph.sources[edge] ?? 0)
      return `M${from}L${placeOf(positions, graph.targets[edge] ?? 0)}`
    })
    const width = LINE * (1 + strength + clarity)
    const opacity = `stroke-opacity="${(0.28 + 0.42 * clarity).toFixed(2)}"`
    yield `<path class="edges" stroke-width="${short(width)}" ${opacity} d="${lines.join('')}"/>\n`
  }
}

/** The most important nodes come last, on top. */
function* circlesOf(map: DrawnMap): Generator<string> {
  const { graph, positions, sizes } = map
  const classOf = classesOf(map)
  for (let number = graph.nodes.length - 1; number >= 0; number--) {
    const node = graph.nodes[number]
    if (node === undefined) continue
    const [x, y] = [short(positions[number * 2] ?? 0), short(positions[number * 2 + 1] ?? 0)]
    const circle = `<circle class="${classOf(node)}" cx="${x}" cy="${y}" r="${short(sizes[number] ?? 1)}">`
    yield `${circle}<title>${shownXml(tipOf(node))}</title></circle>\n`
  }
}

function tipOf({ label, url, host, in: from, out, pages }: MapNode): string {
  if (isOutside({ pages })) return `${label} · outside the crawl · ${from} in`
  const what =
    pages === null ? `${label} · ${url === '' ? host : url}` : `${label} · ${pages} pages`
  return `${what} · ${from} in, ${out} out`
}

function classesOf(map: DrawnMap): (node: MapNode) => string {
  const inside = insideClasses(map)
  return (node) => (isOutside(node) ? 'out' : inside(node))
}

function insideClasses({ graph }: DrawnMap): (node: MapNode) => string {
  const { scale, faded } = MAP_COLOURS.light
  if (defaultColouring(graph) === 'relevance') {
    const shades = [...scale, faded]
    return ({ relevance }) => `r${shades.indexOf(relevanceColour(relevance, MAP_COLOURS.light))}`
  }
  const places = colouredHosts(graph)
  return ({ host }) => `h${places.get(host) ?? MAP_COLOURS.light.hosts.length}`
}

/** Maps hosts with their own colour to its number. */
function colouredHosts(graph: MapGraph): ReadonlyMap<string, number> {
  const hosts = hostColours(pagesPerHost(graph), graph, MAP_COLOURS.light)
  return new Map([...hosts.keys()].map((host, place) => [host, place]))
}

/** Empty if sites have their labels beside them, or all nodes have one colour. */
function legendOf({ graph }: DrawnMap) {
  const isOfPages = graph.nodes[0]?.pages === null
  if (!isOfPages || defaultColouring(graph) === 'relevance') return []
  const counts = pagesPerHost(graph)
  const hosts = Array.from(colouredHosts(graph), ([host, place]) => ({ host, place }))
  return hosts.length < 2 ? [] : hosts.map((each) => ({ ...each, count: counts[each.host] ?? 0 }))
}

function* namesOf({ graph, positions, sizes, width, height }: DrawnMap): Generator<string> {
  const wanted = graph.nodes.map((node, number): WantedLabel => {
    const text = fit(safeText(node.label).trim(), LABEL)
    return {
      ...{ text, width: cells(text) * CELL, forced: false, framed: false },
      x: positions[number * 2] ?? 0,
      y: positions[number * 2 + 1] ?? 0,
      size: sizes[number] ?? 1,
    }
  })
  for (const { text, x, y } of placeLabels(wanted, { width, height })) {
    yield `<text class="name" x="${short(x)}" y="${short(y + FONT / 3)}">${shownXml(text)}</text>\n`
  }
}

function placeOf(positions: Float32Array, node: number): string {
  return `${short(positions[node * 2] ?? 0)} ${short(positions[node * 2 + 1] ?? 0)}`
}

/** A tenth of a pixel is finer than any screen. */
function short(value: number): number {
  return Math.round(value * 10) / 10
}
