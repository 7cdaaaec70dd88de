// GEXF, the format of Gephi. Version 1.2: Debian's networkx reads no later version, and Gephi reads all.
import { shownXml, xmlText } from '../lib/xml-text.ts'
import type { MapColumn, MapFormat, MapRow } from './map-format.ts'

const TYPES: Readonly<Record<MapColumn['type'], string>> = {
  text: 'string',
  whole: 'integer',
  number: 'double',
  truth: 'boolean',
}

export const gexf: MapFormat = {
  name: 'gexf',
  about: 'for Gephi and networkx',
  isPicture: false,
  async *write({ title, columns, ...map }) {
    yield '<?xml version="1.0" encoding="UTF-8"?>\n'
    yield '<gexf xmlns="http://www.gexf.net/1.2draft" version="1.2">\n'
    yield `<meta><creator>Jelajah</creator><description>${shownXml(title)}</description></meta>\n`
    yield '<graph defaultedgetype="directed" mode="static">\n<attributes class="node">\n'
    for (const [nth, { name, type }] of columns.entries()) {
      yield `<attribute id="${nth}" title="${name}" type="${TYPES[type]}"/>\n`
    }
    yield '</attributes>\n<nodes>\n'
    for await (const row of map.nodes()) yield nodeOf(row)
    yield '</nodes>\n<edges>\n'
    let id = 0
    for (const { source, target, links = 1 } of map.edges()) {
      yield `<edge id="${id++}" source="${source}" target="${target}" weight="${links}"/>\n`
    }
    yield '</edges>\n</graph>\n</gexf>\n'
  },
}

function nodeOf({ id, label, values }: MapRow): string {
  const cells = values.map((value, nth) =>
    value === null ? '' : `<attvalue for="${nth}" value="${xmlText(String(value))}"/>`,
  )
  return `<node id="${id}" label="${shownXml(label)}"><attvalues>${cells.join('')}</attvalues></node>\n`
}
