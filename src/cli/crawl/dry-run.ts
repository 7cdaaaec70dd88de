// `jelajah crawl --dry-run`: everything is checked and shown, nothing is fetched or stored.

import { lookedFor } from '../../crawl/looked-for.ts'
import { safeText } from '../../lib/terminal.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import type { Output } from '../output.ts'
import type { CrawlOptions } from './crawl-command.ts'
import { printDryRun } from './print-dry-run.ts'

export async function runDry(options: CrawlOptions, out: Output): Promise<ExitCode> {
  const { seeds, settings, json, quiet } = options
  for (const warning of options.warnings) if (!quiet) out.warn(`warning: ${safeText(warning)}\n`)
  const topic = options.topic === null ? null : lookedFor(options.topic)
  const { ordering, languages } = settings
  const told = { seeds, ordering, topic, languages }
  await out.write(json ? `${JSON.stringify(told)}\n` : printDryRun(told))
  return EXIT.done
}
