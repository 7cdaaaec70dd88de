// The available formats. Help, errors and tests read this list.
import { extname } from 'node:path'
import { csv } from './csv.ts'
import { edges } from './edges.ts'
import type { Exporter } from './exporter.ts'
import { markdown } from './markdown.ts'
import { ndjson } from './ndjson.ts'
import { parquet } from './parquet.ts'
import { textCorpus } from './text-corpus.ts'
import { warc } from './warc.ts'

export const EXPORTERS: readonly Exporter[] = [
  ndjson,
  csv,
  parquet,
  warc,
  textCorpus,
  markdown,
  edges,
]

/** The format for a file extension, also before `.gz`; null if there is none. */
export function exporterFor(path: string, exporters = EXPORTERS): Exporter | null {
  const name = path.toLowerCase()
  const isGzip = name.endsWith('.gz')
  const end = extname(isGzip ? name.slice(0, -3) : name).slice(1)
  const named = exporters.find(({ ends }) => ends.includes(end))
  return named === undefined || (isGzip && !named.takes.includes('gzip')) ? null : named
}

export function exporterNamed(name: string): Exporter | null {
  return EXPORTERS.find((exporter) => exporter.name === name) ?? null
}
