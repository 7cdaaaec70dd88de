// The edge between a row of `crawls` and a job: both directions, in one place.
import {
  type CrawlSettings,
  JOB_ORIGINS,
  JOB_STATUSES,
  type JobRecord,
  type JobRunRecord,
  type KeptTopic,
  WEBHOOK_EVENTS,
  type Webhook,
} from '../../core/job.ts'
import { hasSecret, unmaskProxies } from '../../core/proxy-secrets.ts'
import { type CanonicalUrl, canonicalise } from '../../core/url.ts'
import { decodeSettings } from '../../options/settings.ts'
import type { JobOrder } from '../job-store.ts'
import { jsonOf, numberOf, numberOrNull, type Row, textOf } from '../row-values.ts'

/** With `topic`, or with `topic_fingerprint` alone where the topic itself may be large. */
export function jobFromRow(row: Row): JobRecord {
  const status = textOf(row, 'status')
  const origin = textOf(row, 'origin')
  return {
    id: numberOf(row, 'id'),
    name: textOf(row, 'name'),
    origin: JOB_ORIGINS.find((known) => known === origin) ?? 'api',
    status: JOB_STATUSES.find((known) => known === status) ?? 'failed',
    note: textOf(row, 'note'),
    seeds: seedsFrom(jsonOf(row, 'seeds')),
    settings: settingsFrom(row),
    topic: topicFrom(row),
    salt: numberOf(row, 'salt'),
    ...(numberOf(row, 'round') === 0 ? {} : { round: numberOf(row, 'round') }),
    startedAt: numberOf(row, 'started_at'),
    endedAt: numberOrNull(row, 'ended_at'),
    ranMs: numberOf(row, 'ran_ms'),
  }
}

/** From a row of `crawl_runs`. */
export function runFromRow(row: Row): JobRunRecord {
  return {
    startedAt: numberOf(row, 'started_at'),
    settings: decodeSettings(jsonOf(row, 'settings')),
    topicFingerprint: row.topic_fingerprint === null ? null : textOf(row, 'topic_fingerprint'),
  }
}

/** From a row of `crawl_orders` with `webhook`, which is kept apart, and the job it was made into. */
export function orderFromRow(row: Row, { name, seeds, settings }: JobRecord): JobOrder {
  return {
    name,
    seeds,
    settings,
    topicRequest: jsonOf(row, 'topic_request') as JobOrder['topicRequest'],
    webhook: webhookFrom(jsonOf(row, 'webhook', 'null')),
    key: row.key === null ? null : textOf(row, 'key'),
    fingerprint: textOf(row, 'fingerprint'),
  }
}

/** What of an order must not be in its rows, as JSON; null where it has none. */
export function secretsIn({ settings: { proxies }, webhook }: JobOrder): {
  readonly proxies: string | null
  readonly webhook: string | null
} {
  return {
    proxies: proxies.some(hasSecret) ? JSON.stringify(proxies) : null,
    webhook: webhook === null ? null : JSON.stringify(webhook),
  }
}

/** The job with the proxies as they were just given, which its row only has masked. */
export function withProxies(job: JobRecord, given: CrawlSettings | undefined): JobRecord {
  if (given === undefined) return job
  return { ...job, settings: { ...job.settings, proxies: given.proxies } }
}

/** With `proxies`, the passwords that are kept apart are put back. */
function settingsFrom(row: Row): CrawlSettings {
  const settings = decodeSettings(jsonOf(row, 'settings'))
  const proxies = jsonOf(row, 'proxies', 'null')
  if (!Array.isArray(proxies)) return settings
  return { ...settings, proxies: unmaskProxies(settings.proxies, proxies.map(String)) }
}

function topicFrom(row: Row): KeptTopic | null {
  if (typeof row.topic_fingerprint === 'string') return { fingerprint: row.topic_fingerprint }
  const json = jsonOf(row, 'topic', 'null')
  if (typeof json !== 'object' || json === null || !('fingerprint' in json)) return null
  return { ...json, fingerprint: String(json.fingerprint) }
}

function seedsFrom(json: unknown): CanonicalUrl[] {
  const seeds = Array.isArray(json) ? json : []
  return seeds.map((seed) => canonicalise(String(seed))).filter((seed) => seed !== null)
}

function webhookFrom(json: unknown): Webhook | null {
  if (typeof json !== 'object' || json === null || !('url' in json)) return null
  const events = 'events' in json && Array.isArray(json.events) ? json.events : []
  return {
    url: String(json.url),
    secret: 'secret' in json ? String(json.secret) : '',
    events: WEBHOOK_EVENTS.filter((event) => events.includes(event)),
  }
}
