// Brings an older store up to date: passwords of proxies and webhooks leave it for `secrets.db`. Those of the
// command line are given again with every run, so they are not kept at all.
import type { DatabaseSync } from 'node:sqlite'
import { withoutPassword } from '../core/workspace-url.ts'
import { keepSecrets } from './secrets-file.ts'

/** Inside the transaction of the migration. Done twice it comes to the same. */
export function moveSecrets(db: DatabaseSync, path: string): void {
  // What is replaced is written over, not only left behind.
  db.exec('PRAGMA secure_delete = ON')
  const rows = db
    .prepare(
      `SELECT id, salt, origin, settings, webhook
       FROM crawls LEFT JOIN crawl_orders ON crawl_id = id
       WHERE settings LIKE '%"proxies":["%' OR webhook IS NOT NULL`,
    )
    .all()
  const setSettings = db.prepare('UPDATE crawls SET settings = ? WHERE id = ?')
  for (const { id = null, salt, origin, settings, webhook } of rows) {
    const { proxies, masked } = maskedSettings(String(settings))
    const isKept = origin === 'api' && proxies !== null
    keepSecrets(path, Number(salt), {
      proxies: isKept ? proxies : null,
      webhook: typeof webhook === 'string' ? webhook : null,
    })
    if (proxies !== null) setSettings.run(masked, id)
  }
}

/** `proxies`: as they were, in JSON; null when they hold no secret. */
function maskedSettings(json: string): {
  readonly proxies: string | null
  readonly masked: string
} {
  const settings: unknown = JSON.parse(json)
  const nothing = { proxies: null, masked: json }
  if (typeof settings !== 'object' || settings === null || !('proxies' in settings)) return nothing
  const proxies = Array.isArray(settings.proxies) ? settings.proxies.map(String) : []
  const masked = proxies.map(withoutPassword)
  if (masked.every((proxy, at) => proxy === proxies[at])) return nothing
  return {
    proxies: JSON.stringify(proxies),
    masked: JSON.stringify({ ...settings, proxies: masked }),
  }
}
