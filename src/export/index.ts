// The formats there are. Help, errors and tests read this list.
import type { Exporter } from './exporter.ts'

export const EXPORTERS: readonly Exporter[] = []

export function exporterNamed(name: string): Exporter | null {
  return EXPORTERS.find((exporter) => exporter.name === name) ?? null
}
