// A map as one self-contained HTML file that needs no network. The dashboard's code draws it; the positions
// of the nodes are computed here, so the picture opens finished.
import { InvalidInput } from '../core/errors.ts'
import { NOT_BUILT, savedPage } from '../lib/built-pages.ts'
import { safeText } from '../lib/terminal.ts'
import { drawMap } from './drawn-map.ts'
import type { MapFormat } from './map-format.ts'
import { saveMap } from './saved-map.ts'

/** Longer titles are cut: nobody reads them. */
const MAX_LABEL = 200

export const html: MapFormat = {
  name: 'html',
  about: 'one page that stands alone: search it, zoom, follow links',
  isPicture: true,
  async *write(source) {
    const map = await drawMap(source)
    const nodes = map.graph.nodes.map((node) => ({
      ...node,
      label: safeText(node.label).trim().slice(0, MAX_LABEL).toWellFormed(),
    }))
    const page = savedPage('map', saveMap(source, { ...map, graph: { ...map.graph, nodes } }))
    if (page === null) throw new InvalidInput('--format', `html needs the dashboard. ${NOT_BUILT}`)
    yield page
  },
}
