// `jelajah crawl --dry-run`: everything is checked and shown, nothing is fetched or stored.
import type { CrawlOptions } from '../cli/crawl-command.ts'
import { EXIT, type ExitCode } from '../cli/exit-codes.ts'
import { printDryRun } from '../cli/print-dry-run.ts'
import { safeText } from '../lib/terminal.ts'
import { lookedFor } from './looked-for.ts'
import type { Output } from './output.ts'

export async function runDry(options: CrawlOptions, out: Output): Promise<ExitCode> {
  const { seeds, settings, json, quiet } = options
  for (const warning of options.warnings) if (!quiet) out.warn(`warning: ${safeText(warning)}\n`)
  const topic = options.topic === null ? null : lookedFor(options.topic)
  const { ordering, languages } = settings
  const told = { seeds, ordering, topic, languages }
  await out.write(json ? `${JSON.stringify(told)}\n` : printDryRun(told))
  return EXIT.done
}
