import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type FrontierFixture, frontierContract } from '../../../test/contract/frontier.contract.ts'
import type { Frontier } from '../frontier.ts'
import { beginSqliteRecrawl, openSqliteFrontier } from './sqlite-frontier.ts'
import { openSqliteUrlStates } from './sqlite-url-states.ts'

async function openFixture(): Promise<FrontierFixture> {
  const folder = mkdtempSync(join(tmpdir(), 'frontier-'))
  const killed: Frontier[] = []
  let file = 0
  let open: Frontier | null = null
  const path = (): string => join(folder, `${file}.db`)
  return {
    open: async (setup) => {
      // Idle hosts leave memory at once, and nobody must notice.
      open = await openSqliteFrontier({ path: path(), idleInMemory: 0, ...setup })
      return open
    },
    urlStates: (job) => openSqliteUrlStates(path(), job),
    beginRecrawl: (round) => beginSqliteRecrawl(path(), round),
    // A killed process leaves the files in their current state.
    crash: async () => {
      if (open) killed.push(open)
      const from = path()
      file += 1
      for (const part of ['', '-wal']) {
        if (existsSync(from + part)) copyFileSync(from + part, path() + part)
      }
    },
    [Symbol.asyncDispose]: async () => {
      for (const frontier of killed) await frontier[Symbol.asyncDispose]()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

frontierContract('SQLite', openFixture)
