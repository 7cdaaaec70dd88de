// What it costs to save a page: batches of pages with 60 links, durable, receipts acknowledged.
// Usage: bench/store.ts [pages] [batch]
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DEFAULT_SETTINGS } from '../src/options/settings.ts'
import type { PageToSave } from '../src/store/page-store.ts'
import { openSqlitePageStore } from '../src/store/sqlite/sqlite-page-store.ts'
import { sample, sampleJob } from '../test/contract/sample-page.ts'
import { openSqliteJobStore, openSqlitePageReader } from '../test/support/stores.ts'

const pages = Number(process.argv[2] ?? 20_000)
const batchSize = Number(process.argv[3] ?? 48)
const TEXT = 'Clear words about a thing that people search for. '.repeat(80)
const RECEIPT = new Uint8Array(60 * 70)

function batchFrom(first: number): PageToSave[] {
  return Array.from({ length: batchSize }, (_, at) => {
    const n = first + at
    const url = `http://host-${n % 50}.test/section/${(n * 2654435761) % 1000}/page-${n}`
    const links = JSON.stringify(
      Array.from({ length: 60 }, (_, link) => [`${url}/link-${link}`, `anchor text ${link}`, '']),
    )
    const contentHash = (BigInt(n + 1) * 0x9e3779b97f4a7c15n).toString(16).slice(-16)
    const changes = { contentHash, contentText: `${n} ${TEXT}` }
    return sample(url, changes, { parts: { links, images: '[]' }, receipt: RECEIPT })
  })
}

const dir = mkdtempSync(join(tmpdir(), 'jelajah-bench-'))
try {
  const path = join(dir, 'jelajah.db')
  await using jobs = await openSqliteJobStore(path)
  const job = await jobs.create(
    sampleJob({ settings: { ...DEFAULT_SETTINGS, maxPages: Number.MAX_SAFE_INTEGER } }),
  )
  await using store = await openSqlitePageStore({ path, job })
  let spent = 0
  let cpu = 0
  for (let first = 0; first < pages; first += batchSize) {
    const batch = batchFrom(first)
    const [start, before] = [performance.now(), process.cpuUsage()]
    await store.save(batch)
    store.acknowledge(batch.map(({ page }) => page.fields.url))
    spent += performance.now() - start
    const used = process.cpuUsage(before)
    cpu += used.user + used.system
  }
  const kib = statSync(path).size / 1024 / pages
  console.log(`save: ${((spent * 1000) / pages).toFixed(1)} µs per page, batches of ${batchSize}`)
  console.log(`      ${(cpu / pages).toFixed(1)} µs of CPU, ${kib.toFixed(1)} KiB on disk`)
  await using reader = await openSqlitePageReader(path)
  const start = performance.now()
  let read = 0
  for (let after = 0; ; ) {
    const found = await reader.list({ crawlId: job.id, after, limit: 256 })
    read += found.length
    after = found.at(-1)?.id ?? 0
    if (after === 0) break
  }
  console.log(`read: ${(((performance.now() - start) * 1000) / read).toFixed(1)} µs per page`)
} finally {
  rmSync(dir, { recursive: true })
}
