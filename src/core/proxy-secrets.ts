// Passwords of proxies are masked in stored settings. The process that fetches restores them from its own
// options.
import { InvalidInput } from './errors.ts'
import type { CrawlSettings } from './job.ts'
import { withoutPassword } from './workspace-url.ts'

const MASK = '***'

/** Settings that are safe to store, compare and show. */
export function maskProxies(settings: CrawlSettings): CrawlSettings {
  return { ...settings, proxies: settings.proxies.map(withoutPassword) }
}

/** True if masking would hide something. */
export function hasSecret(proxy: string): boolean {
  return withoutPassword(proxy) !== proxy
}

/** True for one whose password was masked. */
export function isMasked(proxy: string): boolean {
  return proxy.includes(MASK) && !hasSecret(proxy)
}

/** Replaces each masked proxy by the known one; unknown ones stay masked. */
export function unmaskProxies(proxies: readonly string[], known: readonly string[]): string[] {
  const byMask = new Map(known.map((proxy) => [withoutPassword(proxy), proxy]))
  return proxies.map((proxy) => (isMasked(proxy) ? (byMask.get(proxy) ?? proxy) : proxy))
}

/** Throws InvalidInput if a proxy lost its password: it would refuse every request. */
export function refuseMasked({ proxies }: Pick<CrawlSettings, 'proxies'>): void {
  const masked = proxies.filter(isMasked)
  if (masked.length === 0) return
  const message =
    `the password of ${masked.join(' and ')} is not kept with the crawl: ` +
    'give the proxy again, with --proxy or in JELAJAH_PROXY'
  throw new InvalidInput('--proxy', message)
}
