// The formats there are. Help, errors and tests read this list.
import { csv } from './csv.ts'
import { edges } from './edges.ts'
import type { Exporter } from './exporter.ts'
import { ndjson } from './ndjson.ts'
import { parquet } from './parquet.ts'
import { textCorpus } from './text-corpus.ts'
import { warc } from './warc.ts'

export const EXPORTERS: readonly Exporter[] = [ndjson, csv, parquet, warc, textCorpus, edges]

export function exporterNamed(name: string): Exporter | null {
  return EXPORTERS.find((exporter) => exporter.name === name) ?? null
}
