// A request to the web without a crawl, the same for every way of asking: our routes, those of other clients, tools.
import type { NotScraped } from '../reads/scrape.ts'
import { type DecodeDeps, seedOf, settingsFor } from './decode-crawl.ts'
import { Refusal } from './errors.ts'

/** Clients and proxies often give up after two minutes. */
export const MAX_WEB_MS = 110_000
export const DEFAULT_WEB_MS = 30_000

/** With the settings of the server: its guards and its pace hold whoever asks. */
export function webRequest(url: unknown, timeoutMs: number, deps: DecodeDeps) {
  return { url: seedOf(url, 'url'), timeoutMs, settings: settingsFor({}, deps) }
}

/** Throws a `Refusal` with the reason where there is nothing. */
export function foundOrRefused<T extends object>(answer: T | NotScraped): T {
  if ('reason' in answer) throw new Refusal(422, answer.message, { code: 'no-page' })
  return answer
}
