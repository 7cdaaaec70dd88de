// The story of one URL, told as `jelajah explain --json` tells it.

import { explain } from '../cli/explain.ts'
import { explanationJson } from '../cli/print-explanation.ts'
import { InvalidInput } from '../core/errors.ts'
import type { JobRecord } from '../core/job.ts'
import { canonicalise } from '../core/url.ts'
import type { Place } from '../workspace/workspace.ts'

export async function readExplanation(
  job: JobRecord,
  text: string,
  { place, now }: { readonly place: Place; readonly now: number },
): Promise<Record<string, unknown>> {
  const url = canonicalise(text)
  if (url === null) throw new InvalidInput('url', 'must be an http or https URL')
  return JSON.parse(explanationJson({ ...(await explain(place, job, url)), now }))
}
