import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { webhookOutboxContract } from '../../../test/contract/webhook-outbox.contract.ts'
import { openSqliteWebhookOutbox } from '../../../test/support/stores.ts'

webhookOutboxContract('SQLite', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'jelajah-outbox-'))
  return {
    open: (limits) => openSqliteWebhookOutbox(join(dir, 'jelajah.db'), limits),
    async [Symbol.asyncDispose]() {
      rmSync(dir, { recursive: true })
    },
  }
})
