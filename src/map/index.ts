// The formats of maps. Add new formats here.
import { dot } from './dot.ts'
import { gexf } from './gexf.ts'
import { graphml } from './graphml.ts'
import { html } from './html.ts'
import { json } from './json.ts'
import type { MapFormat, MapFormatName } from './map-format.ts'
import { svg } from './svg.ts'

export const MAP_FORMATS: Readonly<Record<MapFormatName, MapFormat>> = {
  html,
  svg,
  dot,
  gexf,
  graphml,
  json,
}
