// A folder for one store, gone with the test.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export function openStoreFolder(): AsyncDisposable & { readonly path: string } {
  const dir = mkdtempSync(join(tmpdir(), 'jelajah-store-'))
  return {
    path: join(dir, 'jelajah.db'),
    async [Symbol.asyncDispose]() {
      rmSync(dir, { recursive: true })
    },
  }
}
