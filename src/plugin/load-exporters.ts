// Formats from plug-ins, for `jelajah export`. Their code runs in the process of that command: it is the user's.
import type { Exporter } from '../export/exporter.ts'
import { Problems } from '../options/bad-options.ts'
import { checkPlugins } from './check-plugins.ts'
import { loadRecorded } from './load-plugin.ts'

type LoadExportersOptions = {
  readonly cwd: string
  /** The flag that names them. */
  readonly at: string
  /** Names that are taken. */
  readonly known: readonly string[]
}

/** Throws `BadOptions` with all that is wrong with them. */
export async function loadExporters(
  wanted: readonly string[],
  { cwd, at, known }: LoadExportersOptions,
): Promise<readonly Exporter[]> {
  const problems = new Problems()
  const refuse = (_from: string, message: string) => problems.add('flag', at, message)
  const records = await checkPlugins(wanted, cwd, refuse)
  for (const { from, hooks } of records) {
    if (!hooks.includes('exporter')) refuse(from, `${from} has no exporter`)
  }
  problems.throwIfAny()
  const exporters: Exporter[] = []
  for (const record of records) {
    const { exporter } = await loadRecorded(record)
    if (exporter === undefined) continue
    if (known.includes(exporter.name)) {
      refuse(
        record.from,
        `${record.from} calls its format ${exporter.name}, as one of ours is called`,
      )
    }
    exporters.push(exporter)
  }
  problems.throwIfAny()
  return exporters
}
