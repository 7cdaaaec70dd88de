// The DOT language of Graphviz. A node's number is its name; all texts are quoted.
import { safeText } from '../lib/terminal.ts'
import type { MapFormat, MapRow, MapSource, MapValue } from './map-format.ts'

/** In characters. Graphviz makes a node as wide as its label. */
const LABEL = 40

export const dot: MapFormat = {
  name: 'dot',
  about: 'for Graphviz',
  isPicture: false,
  async *write(map) {
    yield `digraph ${quoted(`Jelajah: ${map.title}`)} {\n`
    yield '  graph [overlap="prism", splines="false", outputorder="edgesfirst"]\n'
    yield '  node [shape="box", style="rounded", fontname="sans-serif", fontsize="10"]\n'
    yield '  edge [color="#00000040", arrowsize="0.5"]\n'
    for await (const row of map.nodes()) yield `  ${row.id} [${attributesOf(row, map)}]\n`
    for (const { source, target, links = 1 } of map.edges()) {
      yield map.kind === 'sites'
        ? `  ${source} -> ${target} [weight=${links}, links=${links}]\n`
        : `  ${source} -> ${target}\n`
    }
    yield '}\n'
  },
}

function attributesOf(row: MapRow, { columns }: MapSource): string {
  const cells = columns.flatMap(({ name }, nth) => {
    const value = row.values[nth] ?? null
    return value === null ? [] : [`${name}=${written(value)}`]
  })
  const label = `label=${quoted(labelOf(row.label))}`
  // Graphviz makes a link of it.
  const link = row.url === '' ? [] : [`URL=${quoted(row.url)}`]
  return [label, ...link, ...cells].join(', ')
}

function written(value: Exclude<MapValue, null>): string {
  return typeof value === 'string' ? quoted(value) : quoted(String(value))
}

/** Graphviz interprets entities and backslashes in labels. */
function labelOf(text: string): string {
  const letters = [...safeText(text).trim()]
  const short =
    letters.length > LABEL ? `${letters.slice(0, LABEL - 1).join('')}…` : letters.join('')
  return short.replaceAll('&', '&amp;')
}

/**
 * A quoted DOT string. Only the quote can be escaped; a backslash is literal. Backslashes are doubled anyway,
 * since one before the closing quote would keep the string open, and labels read two as one.
 */
function quoted(text: string): string {
  const plain = text.toWellFormed().replace(CONTROLS, ' ')
  return `"${plain.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`
}

const CONTROLS = /[\0-\x1f\x7f]+/g
