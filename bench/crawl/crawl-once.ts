// One measured crawl.
import { readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Crawler } from './crawlers.ts'
import { meter } from './meter.ts'
import type { Server } from './nginx.ts'
import type { Run } from './report.ts'

/** It may take this long; several times what Crawlee needs for the largest web. */
const LIMIT_MS = 600_000

export type CrawlOnceOptions = {
  readonly crawler: Crawler
  readonly server: Server
  /** Removed afterwards. */
  readonly work: string
  readonly env?: Readonly<Record<string, string>>
}

export async function crawlOnce({ crawler, server, work, env }: CrawlOnceOptions): Promise<Run> {
  const command = crawler.command(server.seeds, work)
  const metered = await meter({ command, limitMs: LIMIT_MS, ...(env && { env }) })
  if (metered.exitCode !== 0) {
    const end =
      metered.exitCode === null ? 'was killed (time limit?)' : `left with ${metered.exitCode}`
    throw new Error(`${crawler.name} ${end}:\n${metered.stderr.slice(-4000)}`)
  }
  const served = await server.takeLog()
  const stored = crawler.stored(work)
  const bytesOnDisk = sizeOf(work)
  rmSync(work, { recursive: true, force: true })
  return { crawler: crawler.name, metered, served, stored, bytesOnDisk }
}

function sizeOf(folder: string): number {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
  return files
    .filter((file) => file.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0)
}
