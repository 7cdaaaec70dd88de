// GraphML, for networkx, igraph, yEd and Gephi.
import { xmlText } from '../lib/xml-text.ts'
import type { MapColumn, MapFormat, MapRow, MapSource } from './map-format.ts'

const TYPES: Readonly<Record<MapColumn['type'], string>> = {
  text: 'string',
  whole: 'int',
  number: 'double',
  truth: 'boolean',
}

const SCHEMA = 'http://graphml.graphdrawing.org/xmlns'

export const graphml: MapFormat = {
  name: 'graphml',
  about: 'for networkx, igraph, yEd and Gephi',
  isPicture: false,
  async *write(map) {
    yield `<?xml version="1.0" encoding="UTF-8"?>\n<graphml xmlns="${SCHEMA}">\n`
    for (const { name, type } of map.columns) {
      yield `<key id="${name}" for="node" attr.name="${name}" attr.type="${TYPES[type]}"/>\n`
    }
    yield '<key id="weight" for="edge" attr.name="weight" attr.type="int"/>\n'
    yield `<graph id="${map.kind}" edgedefault="directed">\n`
    for await (const row of map.nodes()) yield nodeOf(row, map)
    for (const { source, target, links = 1 } of map.edges()) {
      yield `<edge source="${source}" target="${target}"><data key="weight">${links}</data></edge>\n`
    }
    yield '</graph>\n</graphml>\n'
  },
}

function nodeOf({ id, values }: MapRow, { columns }: MapSource): string {
  const cells = columns.map(({ name }, nth) => {
    const value = values[nth] ?? null
    return value === null ? '' : `<data key="${name}">${xmlText(String(value))}</data>`
  })
  return `<node id="${id}">${cells.join('')}</node>\n`
}
