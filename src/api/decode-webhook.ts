// The field `webhook` of a request: where to report what happens to the job.
import { shown } from '../core/errors.ts'
import { WEBHOOK_EVENTS, type Webhook, type WebhookEvent } from '../core/job.ts'
import { canonicalise } from '../core/url.ts'
import { nearest } from '../lib/edit-steps.ts'
import type { Location, Problems } from '../options/bad-options.ts'

const WEBHOOK_LIMITS = { urlLength: 2048, minSecret: 16, maxSecret: 256 } as const
/** The default events: how the job ended. */
const DEFAULT_WEBHOOK_EVENTS: readonly WebhookEvent[] = [
  'completed',
  'incomplete',
  'stopped',
  'failed',
]

const FIELDS = ['url', 'secret', 'events'] as const
type Refuse = (field: string, message: string) => void

/**
 * Null if there is no webhook, or if it is invalid; then `problems` has every reason. `place`: the location
 * of the field itself.
 */
export function decodeWebhook(raw: unknown, problems: Problems, place: Location): Webhook | null {
  if (raw === undefined || raw === null) return null
  const { source, at } = place
  if (typeof raw !== 'object' || Array.isArray(raw)) {
    problems.add(source, at, `needs an object with url and secret, not ${shown(raw)}`)
    return null
  }
  const refuse: Refuse = (field, message) => problems.add(source, `${at}.${field}`, message)
  const given = new Map<string, unknown>(Object.entries(raw))
  refuseUnknown([...given.keys()], refuse)
  const url = urlFrom(given.get('url'), refuse)
  const secret = secretFrom(given.get('secret'), refuse)
  const events = eventsFrom(given.get('events') ?? DEFAULT_WEBHOOK_EVENTS, refuse)
  return url === null || secret === null || events === null ? null : { url, secret, events }
}

function refuseUnknown(names: readonly string[], refuse: Refuse): void {
  for (const name of names.filter((name) => !FIELDS.some((field) => field === name)).slice(0, 20)) {
    const meant = nearest(name.slice(0, 80), FIELDS)
    const hint = meant === null ? '' : `; did you mean ${meant}?`
    refuse(shownName(name), `there is no such field${hint}`)
  }
}

function urlFrom(raw: unknown, refuse: Refuse): string | null {
  const isText = typeof raw === 'string' && raw.length <= WEBHOOK_LIMITS.urlLength
  const url = isText ? canonicalise(raw.trim()) : null
  if (!isText || url === null) {
    const most = WEBHOOK_LIMITS.urlLength
    refuse('url', `needs an http or https URL of at most ${most} characters, not ${shown(raw)}`)
    return null
  }
  const { username, password } = new URL(raw.trim())
  if (username === '' && password === '') return url
  // Without the value: it contains a password.
  refuse('url', 'must not carry a user name or a password; calls are signed with the secret')
  return null
}

/** Never shown, not even if it is invalid. */
function secretFrom(raw: unknown, refuse: Refuse): string | null {
  const { minSecret, maxSecret } = WEBHOOK_LIMITS
  if (typeof raw === 'string' && raw.length >= minSecret && raw.length <= maxSecret) return raw
  refuse('secret', `needs a text of ${minSecret} to ${maxSecret} characters; it signs every call`)
  return null
}

function eventsFrom(raw: unknown, refuse: Refuse): readonly WebhookEvent[] | null {
  const named: readonly unknown[] = Array.isArray(raw) ? raw.slice(0, 100) : []
  const wrong = named.filter((name) => !WEBHOOK_EVENTS.some((event) => event === name))
  if (named.length === 0 || wrong.length > 0) {
    const given = shown(wrong.length > 0 ? wrong[0] : raw)
    refuse('events', `needs an array of some of ${WEBHOOK_EVENTS.join(', ')}, not ${given}`)
    return null
  }
  return WEBHOOK_EVENTS.filter((event) => named.includes(event))
}

function shownName(name: string): string {
  return name.length > 80 ? `${name.slice(0, 79)}…` : name
}
