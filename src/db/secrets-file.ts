// What of jobs must stay secret and outlive the process that took them: passwords of proxies, and where and
// how webhooks are called. A file of its own beside the store, `secrets.db`, so that the store can be read
// and handed on without them. A job is named by its salt, which is never given twice.
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { withoutPassword } from '../core/workspace-url.ts'
import { makeOwnFile } from '../lib/own-files.ts'

const BUSY_MS = 10_000

/** As the store would have them: JSON, or null where there is none. */
type KeptSecrets = {
  readonly proxies: string | null
  readonly webhook: string | null
}

const NO_SECRETS: KeptSecrets = { proxies: null, webhook: null }

function secretsPath(storePath: string): string {
  return join(dirname(storePath), 'secrets.db')
}

/** Durable when it returns; in place of what was kept before. */
export function keepSecrets(storePath: string, salt: number, secrets: KeptSecrets): void {
  const { proxies, webhook } = secrets
  if (proxies === null && webhook === null) return
  const path = secretsPath(storePath)
  makeOwnFile(path)
  using db = openSecrets(path)
  db.exec(`
    CREATE TABLE IF NOT EXISTS crawl_secrets (
      salt INTEGER PRIMARY KEY, proxies TEXT, webhook TEXT
    ) STRICT`)
  db.prepare('INSERT OR REPLACE INTO crawl_secrets (salt, proxies, webhook) VALUES (?, ?, ?)').run(
    salt,
    proxies,
    webhook,
  )
}

export function secretsOf(storePath: string, salt: number): KeptSecrets {
  const path = secretsPath(storePath)
  if (!existsSync(path)) return NO_SECRETS
  using db = openSecrets(path)
  if (!hasTable(db)) return NO_SECRETS
  const row = db.prepare('SELECT proxies, webhook FROM crawl_secrets WHERE salt = ?').get(salt)
  const text = (value: unknown) => (typeof value === 'string' ? value : null)
  return { proxies: text(row?.proxies), webhook: text(row?.webhook) }
}

export function forgetSecrets(storePath: string, salt: number): void {
  const path = secretsPath(storePath)
  if (!existsSync(path)) return
  using db = openSecrets(path)
  if (hasTable(db)) db.prepare('DELETE FROM crawl_secrets WHERE salt = ?').run(salt)
}

function hasTable(db: DatabaseSync): boolean {
  return db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'crawl_secrets'").get() !== undefined
}

/** Deleted values are overwritten. There is no log, which would keep them for a while. */
function openSecrets(path: string): DatabaseSync {
  const db = new DatabaseSync(path)
  db.exec(`
    PRAGMA busy_timeout = ${BUSY_MS};
    PRAGMA secure_delete = ON;
    PRAGMA synchronous = FULL`)
  return db
}

/**
 * Brings an older store up to date: passwords of proxies and webhooks leave it for `secrets.db`. Those of
 * the command line are given again with every run, so they are not kept at all. Runs inside the transaction
 * of the migration. Running it twice gives the same result.
 */
export function moveSecrets(db: DatabaseSync, path: string): void {
  // Replaced values are overwritten, not only unlinked.
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
