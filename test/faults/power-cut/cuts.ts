// For every cut a disk that may be left is made of the record, the same command is run on it, and what it
// ends with is held against the truth.
import { cpSync, existsSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Stream } from '../../../src/sample-web/random.ts'
import type { ServedSite } from '../../../src/sample-web/server.ts'
import { jelajah, query, readPages, readUrls, temporaryFolder } from '../../e2e/crawling.ts'
import { brokenByRows } from '../../e2e/kills.ts'
import { Disk, type DiskOptions, KEEPS, type Keep } from './disk.ts'
import type { Scene } from './scene.ts'

/** What belongs together, and fares alike in a cut. */
const DATABASE = /[a-z]+(-\d+)?\.db/
/** Pages that the crawl has no need to ask for any more. */
const STORED = 'SELECT url FROM pages'
/** The same for the round of it that is open. */
const LOOKED_AT = `
  SELECT p.url FROM pages p JOIN crawls ON crawls.id = p.crawl_id
  JOIN crawl_rounds r ON r.crawl_id = crawls.id AND r.round = crawls.round
  LEFT JOIN page_checks c ON c.page_id = p.id
  WHERE r.ended_at IS NULL AND (c.round = crawls.round OR p.id > r.after_page)`

export type Cut = {
  /** So many records are before it. */
  readonly upTo: number
  readonly keepOf: (path: string) => Keep
  readonly random: Stream
  readonly ignoresSync?: DiskOptions['ignoresSync']
}

export type CutResult = {
  readonly broken: readonly string[]
  /** Pages that were done with before the cut. */
  readonly done: number
  /** Of the run after it. */
  readonly requests: number
}

/** The same seed makes the same cut of the same record; `shown` says which. */
export function cutOf({ records, cutsFrom }: Scene, seed: number): Cut & { shown: () => string } {
  const random = new Stream(seed)
  const upTo = cutsFrom + 1 + random.below(records.length - cutsFrom)
  const usual = random.pick(KEEPS)
  // Half of the time each database fares by itself.
  const isMixed = random.chance(0.5)
  const keeps = new Map<string, Keep>()
  const keepOf = (path: string): Keep => {
    const name = DATABASE.exec(path)?.[0] ?? 'others'
    if (!keeps.has(name)) keeps.set(name, isMixed ? random.pick(KEEPS) : usual)
    return keeps.get(name) ?? usual
  }
  const shown = () =>
    `seed ${seed}, record ${upTo} of ${records.length}: ` +
    [...keeps].map(([name, keep]) => `${name} ${keep}`).join(', ')
  return { upTo, keepOf, random, shown }
}

/** Whatever is not as it must be after the cut and another run. */
export async function goOnAfter(scene: Scene, cut: Cut, keepAs = ''): Promise<CutResult> {
  const { records, root, served, argsFor, checkout } = scene
  await using folder = await temporaryFolder()
  const { ignoresSync } = cut
  const disk = new Disk({ root, ...(ignoresSync === undefined ? {} : { ignoresSync }) })
  for (const record of records.slice(0, cut.upTo)) disk.take(record)
  disk.write(folder.path, cut.keepOf, cut.random)
  const dataDir = join(folder.path, 'data')
  const copy = join(folder.path, 'copy')
  if (existsSync(dataDir)) cpSync(dataDir, copy, { recursive: true })
  const done = pagesDone(copy, scene.cutsFrom > 0 ? LOOKED_AT : STORED)
  const before = served.log.length
  const run = jelajah(argsFor(dataDir), checkout === undefined ? {} : { root: checkout })
  const { code, stderr } = await run.ended
  const log = served.log.slice(before)
  const broken =
    code === 0 ? brokenBy(scene, { dataDir, done, log }) : [`exit code ${code}: ${stderr}`]
  if (broken.length > 0 && keepAs !== '') broken.push(`kept in ${keep(folder.path, keepAs)}`)
  return { broken, done: done.length, requests: log.length }
}

/** For whoever wants to see it: `copy` is what the cut left. */
function keep(folder: string, name: string): string {
  const to = join(tmpdir(), `jelajah-cut-${name}`)
  rmSync(to, { recursive: true, force: true })
  cpSync(folder, to, { recursive: true })
  return to
}

/** Read from a copy: a look would tidy up. */
function pagesDone(dataDir: string, sql: string): readonly string[] {
  try {
    return query<{ url: string }>(join(dataDir, 'jelajah.db'), sql).map(({ url }) => url)
  } catch {
    // It, or its tables, are not there yet.
    return []
  }
}

function brokenBy(
  { site, served, delayMs }: Scene,
  run: {
    readonly dataDir: string
    readonly done: readonly string[]
    readonly log: ServedSite['log']
  },
): string[] {
  const { dataDir, done, log } = run
  const evidence = { site, served: { ...served, log }, seeds: served.seeds, delayMs }
  const rows = { pages: readPages(dataDir), urls: readUrls(dataDir) }
  const asked = new Set(log.map(({ host, path }) => `http://${host}${path}`))
  const stored = rows.urls.filter(({ state }) => state === 'stored').length
  const pages = rows.pages.filter(({ duplicate_of }) => duplicate_of === null).length
  return [
    ...brokenByRows(evidence, rows),
    ...done.filter((url) => asked.has(url)).map((url) => `asked for again: ${url}`),
    ...(stored === pages ? [] : [`${stored} URLs are stored, and ${pages} pages`]),
  ]
}
