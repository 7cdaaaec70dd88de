// Runs `jelajah cluster`: reads pages in steps, keeps where each belongs, and prints the clusters.
import { createReadStream } from 'node:fs'
import { type Agreement, agreementOf } from '../../cluster/agreement.ts'
import type { Assigned, ClusterText, FoundCluster } from '../../cluster/cluster.ts'
import { type ClusterPass, clusterTexts } from '../../cluster/cluster-texts.ts'
import { CrawlerError, InvalidInput, shown } from '../../core/errors.ts'
import type { WorkspaceChoice } from '../../core/workspace-url.ts'
import { systemClock } from '../../lib/clock.ts'
import { showCount, showNumber } from '../../lib/format.ts'
import { jsonLine } from '../../lib/json-line.ts'
import { safeText } from '../../lib/terminal.ts'
import type { ClusterStore, PageCluster } from '../../store/cluster-store.ts'
import type { PageReader, WholePageRange } from '../../store/page-reader.ts'
import { detectLanguage } from '../../text/language.ts'
import { readTexts } from '../../topic/labelled-texts.ts'
import { chooseCrawl } from '../../workspace/find-crawl.ts'
import { workspaceOf } from '../../workspace/open-workspace.ts'
import { writeAtomically } from '../atomic-write.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import type { Output } from '../output.ts'
import { ProgressPrinter } from '../progress-printer.ts'
import { type Column, fitLines, table } from '../table.ts'
import { reportOf, type ShownCluster, type TypicalPage } from './cluster-report.ts'

export type ClusterCommand = WorkspaceChoice & {
  /** Null: chosen from the texts. */
  readonly k: number | null
  readonly seed: number
  /** Null: the newest. */
  readonly crawl: string | null
  readonly host: string | null
  readonly language: string | null
  /** Shows what the last run found. */
  readonly kept: boolean
  /** Where the report goes, absolute. */
  readonly out: string | null
  /** A file of texts in place of pages. */
  readonly texts: { readonly path: string; readonly name: string } | null
  readonly json: boolean
  readonly quiet: boolean
}

/** Pages per read, and rows per write. */
const CHUNK = 200
const ROWS_AT_ONCE = 1_000
const TYPICAL = 5
/** Languages of one cluster that are counted by name. */
const MAX_LANGUAGES = 100
/** Texts of a file are read three times from the disk, and labels are held: 100 MB or so. */
const MAX_LABELS = 1_000_000

export async function runCluster(command: ClusterCommand, out: Output): Promise<ExitCode> {
  const { texts } = command
  if (texts !== null) return clusterFile(command, texts, out)
  await using workspace = workspaceOf(command)
  const { id, name } = await chooseCrawl(workspace, command.crawl)
  const crawl = { id, name: name ?? `crawl ${id}` }
  if (command.kept) {
    await using reader = await workspace.pageReader()
    const kept = await reader.clusters(id)
    if (kept.length === 0) {
      throw new InvalidInput('--kept', `${crawl.name} was not clustered yet; leave it away`)
    }
    await print(
      command,
      crawl,
      kept.map((one) => ({ ...one, typical: [], languages: {} })),
      out,
    )
    return EXIT.done
  }
  // If two ran at a time, each would keep some of its pages.
  await using lock = await workspace.lock(`cluster-${id}`)
  if (lock === null) {
    const message = `${crawl.name} is being clustered by another process: wait for it`
    throw new CrawlerError('store-busy', message)
  }
  await using pages = await workspace.pageReader()
  await using store = await workspace.clusterStore()
  const shown = await clusterPages(command, id, { pages, store })
  await print(command, crawl, shown, out)
  if (command.out !== null) await writeAtomically(command.out, [reportOf(crawl, shown)])
  return EXIT.done
}

type PageToCluster = ClusterText & { readonly id: number; readonly url: string }
type Stores = { readonly pages: PageReader; readonly store: ClusterStore }

async function clusterPages(
  { k, seed, host, language, quiet }: ClusterCommand,
  crawlId: number,
  { pages, store }: Stores,
): Promise<readonly ShownCluster[]> {
  const filter = {
    crawlIds: [crawlId],
    ...(host === null ? {} : { host }),
    ...(language === null ? {} : { language }),
  }
  // Pages that are stored meanwhile wait for the next time.
  const range = { filter, after: 0, upTo: await pages.lastId() }
  const total = await pages.count(range)
  if (total === 0) throw new InvalidInput('cluster', nothingIn(crawlId, { host, language }))
  const bar = new ProgressPrinter({ stream: process.stderr, clock: systemClock, quiet })
  const notes = new Notes()
  const waiting: PageCluster[] = []
  const flush = () => store.add(crawlId, waiting.splice(0))
  let isCleared = false
  const found = await clusterTexts<PageToCluster>({
    texts: () => pagesIn(pages, range),
    k,
    seed,
    onPass: (pass, done) => bar.show(shareOf(pass, done / Math.max(1, total)), pass),
    onText: async (page, assigned) => {
      // The result of the last run stays until there is a new one.
      if (!isCleared) await store.clear(crawlId)
      isCleared = true
      notes.add(page, assigned)
      waiting.push({ pageId: page.id, ...assigned })
      if (waiting.length >= ROWS_AT_ONCE) await flush()
    },
  })
  await flush()
  await store.finish(crawlId, found)
  bar.end()
  return found.map((cluster) => ({ ...cluster, ...notes.of(cluster.id) }))
}

function nothingIn(crawlId: number, filter: Pick<ClusterCommand, 'host' | 'language'>): string {
  const given = Object.values(filter).flatMap((value) => (value === null ? [] : [shown(value)]))
  const what = ['has no pages', ...given].join(' of ')
  return `crawl ${crawlId} ${what}; --crawl takes another, jelajah crawls lists them`
}

/** Passes over the texts cost about as much each; clustering depends on the number of clusters. */
function shareOf(pass: ClusterPass, share: number): number {
  const from = { counting: 0, sampling: 0.25, clustering: 0.5, assigning: 0.75 }[pass]
  return from + share / 4
}

async function* pagesIn(pages: PageReader, range: WholePageRange): AsyncGenerator<PageToCluster> {
  for (let { after } = range; ; ) {
    const chunk = await pages.wholePages({ ...range, after }, {}, CHUNK)
    const last = chunk.at(-1)
    if (last === undefined) return
    for (const { id, url, title, contentText: text, language } of chunk) {
      yield { id, url, title, text, language }
    }
    after = last.id
  }
}

type Note = { readonly typical: TypicalPage[]; readonly languages: Map<string, number> }

/** What the report says of each cluster besides its words. */
class Notes {
  readonly #byCluster = new Map<number, Note>()

  add({ url, title, language }: PageToCluster, { cluster, score }: Assigned): void {
    const known: Note = this.#byCluster.get(cluster) ?? { typical: [], languages: new Map() }
    this.#byCluster.set(cluster, known)
    const tag = language === '' ? 'und' : language
    const isKnown = known.languages.has(tag) || known.languages.size < MAX_LANGUAGES
    const name = isKnown ? tag : 'others'
    known.languages.set(name, (known.languages.get(name) ?? 0) + 1)
    const worst = known.typical.at(-1)
    if (known.typical.length >= TYPICAL && score <= (worst?.score ?? 0)) return
    known.typical.push({ url, title, score })
    known.typical.sort((a, b) => b.score - a.score)
    known.typical.splice(TYPICAL)
  }

  of(cluster: number): Pick<ShownCluster, 'typical' | 'languages'> {
    const { typical = [], languages = new Map() } = this.#byCluster.get(cluster) ?? {}
    const byCount = [...languages].sort(([, a], [, b]) => b - a)
    return { typical, languages: Object.fromEntries(byCount) }
  }
}

async function print(
  { json, quiet }: ClusterCommand,
  crawl: { readonly id: number; readonly name: string },
  clusters: readonly ShownCluster[],
  out: Output,
): Promise<void> {
  const pages = clusters.reduce((sum, { size }) => sum + size, 0)
  if (json) {
    await out.write(jsonLine({ crawl: crawl.id, pages, clusters: clusters.map(rounded) }))
    return
  }
  await printTable(clusters, out)
  const of = `${showNumber(pages, 'page')} of ${safeText(crawl.name)}`
  if (!quiet) out.warn(`${of} in ${clusters.length} clusters\n`)
}

async function printTable(clusters: readonly FoundCluster[], out: Output): Promise<void> {
  const width = process.stdout.isTTY ? process.stdout.columns : Number.POSITIVE_INFINITY
  await out.write(fitLines(table(COLUMNS, clusters), width))
}

const COLUMNS: readonly Column<FoundCluster>[] = [
  { title: 'CLUSTER', align: 'right', of: ({ id }) => String(id) },
  { title: 'SIZE', align: 'right', of: ({ size }) => showCount(size) },
  { title: 'COHESION', align: 'right', of: ({ cohesion }) => cohesion.toFixed(2) },
  { title: 'TERMS', of: ({ terms }) => terms.join(' '), max: 100 },
]

function rounded<T extends { readonly cohesion: number }>(cluster: T): T {
  return { ...cluster, cohesion: Number(cluster.cohesion.toFixed(4)) }
}

/** Texts of a file: nothing is kept, and labels tell how right the clusters are. */
async function clusterFile(
  { k, seed, language, json, quiet }: ClusterCommand,
  { path, name }: { readonly path: string; readonly name: string },
  out: Output,
): Promise<ExitCode> {
  const bar = new ProgressPrinter({ stream: process.stderr, clock: systemClock, quiet })
  const pairs: [cluster: number, label: string][] = []
  let total = 1
  const clusters = await clusterTexts({
    texts: () => textsIn(path, name, language),
    k,
    seed,
    onPass: (pass, done) => {
      if (pass === 'counting') total = done
      // Their number is not known before they are counted.
      bar.show(shareOf(pass, pass === 'counting' ? 0.5 : done / total), pass)
    },
    onText: ({ label }, { cluster }) => {
      if (label !== '' && pairs.length < MAX_LABELS) pairs.push([cluster, label])
    },
  })
  bar.end()
  const agreement = pairs.length === 0 ? null : agreementOf(pairs)
  if (json) {
    await out.write(jsonLine({ clusters: clusters.map(rounded), agreement }))
    return EXIT.done
  }
  await printTable(clusters, out)
  if (agreement !== null) await out.write(agreementText(agreement))
  return EXIT.done
}

function agreementText({ texts, labels, purity, nmi }: Agreement): string {
  const of = `${showNumber(texts, 'labelled text')}, ${showNumber(labels, 'label')}`
  return `${of}: purity ${purity.toFixed(3)}, NMI ${nmi.toFixed(3)}\n`
}

async function* textsIn(path: string, name: string, language: string | null) {
  for await (const line of readTexts(createReadStream(path), name)) {
    if (line.problem !== undefined) {
      throw new InvalidInput(name, `line ${line.line} ${line.problem}`)
    }
    const { text, label } = line
    const tag = language ?? detectLanguage(text).language
    yield { title: '', text, language: tag, label }
  }
}
