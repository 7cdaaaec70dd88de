// Every worker has its own network settings: those of the machine that started the crawl may be wrong here.
// But a worker without the settings that a crawl needs would only harm it.
import type { OwnNetwork } from '../core/job.ts'
import { isGranted } from '../core/private-access.ts'
import type { Announcement } from './worker-registry.ts'

export type Declined = { readonly crawl: number; readonly run: string; readonly why: string }

function allowing({ allowPrivate }: Pick<OwnNetwork, 'allowPrivate'>): string {
  if (typeof allowPrivate === 'boolean') return '--allow-private'
  return allowPrivate.map((entry) => `--allow-private=${entry}`).join(' ')
}

/** Null if it can join. */
export function whyNotJoin(
  { settings, isProxied }: Pick<Announcement, 'settings' | 'isProxied'>,
  own: OwnNetwork,
): string | null {
  const missing = [
    ...(isGranted(settings.allowPrivate, own.allowPrivate) ? [] : [allowing(settings)]),
    ...(settings.connectTo.length > 0 && own.connectTo.length === 0 ? ['--connect-to'] : []),
    ...(isProxied && own.proxies.length === 0 ? ['--proxy'] : []),
  ]
  if (missing.length === 0) return null
  return `it was started with ${missing.join(' and ')}: this worker needs its own to join`
}
