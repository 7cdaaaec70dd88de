// `jelajah explain URL`: the story of one URL, put together from the frontier and the store.

import { type Clock, systemClock } from '../lib/clock.ts'
import { explain, explanationJson } from '../reads/explanation.ts'
import { chooseCrawl } from '../workspace/find-crawl.ts'
import { workspaceOf } from '../workspace/open-workspace.ts'
import { EXIT, type ExitCode } from './exit-codes.ts'
import type { Output } from './output.ts'
import { explanationText } from './print-explanation.ts'
import type { ExplainOptions } from './reader-commands.ts'

export async function runExplain(
  options: ExplainOptions,
  out: Output,
  clock: Clock = systemClock,
): Promise<ExitCode> {
  const { url, json } = options
  await using workspace = workspaceOf(options)
  const job = await chooseCrawl(workspace, options.crawl)
  const explanation = { ...(await explain(workspace, job, url)), now: clock.now() }
  await out.write(json ? explanationJson(explanation) : explanationText(explanation))
  return explanation.row === null ? EXIT.error : EXIT.done
}
