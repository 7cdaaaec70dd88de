// A web archive: WARC 1.1 files and the CDXJ index with the position of each page, for pywb and other archive
// tools. Only for crawls that kept the HTML.
//
// Each page is two records, the response and its metadata, in files of at most a gigabyte. An interrupted
// export continues at a page. The index is sorted when all pages are written.
import { InvalidInput } from '../core/errors.ts'
import { VERSION } from '../core/version.ts'
import type { WholePage } from '../store/page-reader.ts'
import type { Exporter, ExportJob, Kept, Sink } from './exporter.ts'
import { type CaptureLog, openCaptureLog } from './warc/capture-log.ts'
import { cdxjLine, recordsOf } from './warc/page-records.ts'
import { encodeRecord, linesOf, type RecordField, recordId, timeOf } from './warc/record.ts'

const MAX_FILE_BYTES = 1_000_000_000
const INDEX_NAME = 'index.cdxj'
const INDEX_PIECE = 65_536

export const warc = createWarc(MAX_FILE_BYTES)

/** `maxFileBytes`: no record starts beyond it. */
export function createWarc(maxFileBytes: number): Exporter {
  return {
    name: 'warc',
    about: 'a web archive (WARC 1.1) with a CDXJ index; of crawls with --keep-html',
    ends: [],
    whats: ['pages'],
    takes: ['duplicates'],
    steps: ['minWords', 'withoutNearDuplicates'],
    output: () => 'folder',
    async write(job) {
      await checkHtml(job)
      await using log = await openCaptureLog(await job.target.workFolder(), keptNumber(job, 'log'))
      const files = new WarcFiles(job, maxFileBytes)
      for await (const page of job.pages({ html: true, parts: ['links'] })) {
        await writePage(page, { job, files, log })
        await job.settle(page.id, async () => ({ log: await log.keep(), ...files.kept }))
      }
      await files.open()
      await writeIndex(await job.target.append(INDEX_NAME), log.sorted())
    },
  }
}

type Writing = {
  readonly job: ExportJob
  readonly files: WarcFiles
  readonly log: CaptureLog
}

async function writePage(page: WholePage, { job, files, log }: Writing): Promise<void> {
  const { html } = page
  // Pages that asked not to be archived have no HTML, even if the crawl keeps it.
  if (html === null) return job.count('without_html')
  const { response, metadata, digest } = recordsOf(page, html, job.begunAt)
  const [answer, about] = await Promise.all([encodeRecord(response), encodeRecord(metadata)])
  const place = await files.write(answer)
  await log.add(cdxjLine(page, { ...place, length: answer.length, digest }))
  await files.write(about)
  job.count('records', 2)
}

/** The files in sequence; each begins with a record about itself. */
class WarcFiles {
  readonly #job: ExportJob
  readonly #maxBytes: number
  #number: number
  #sink: Sink | null = null

  constructor(job: ExportJob, maxBytes: number) {
    this.#job = job
    this.#maxBytes = maxBytes
    this.#number = keptNumber(job, 'file')
  }

  get kept(): Kept {
    return { file: this.#number }
  }

  async write(record: Uint8Array): Promise<{ filename: string; offset: number }> {
    const sink = await this.open()
    const offset = sink.length
    await sink.write(record)
    return { filename: this.#name, offset }
  }

  /** The file for the next record. */
  async open(): Promise<Sink> {
    if (this.#sink !== null && this.#sink.length >= this.#maxBytes) {
      this.#number++
      this.#sink = null
    }
    if (this.#sink !== null) return this.#sink
    this.#sink = await this.#job.target.append(this.#name)
    if (this.#sink.length === 0) await this.#sink.write(await infoRecord(this.#name, this.#job))
    return this.#sink
  }

  get #name(): string {
    const begun = timeOf(this.#job.begunAt).replaceAll(/\D/g, '').slice(0, 14)
    return `jelajah-${begun}-${String(this.#number).padStart(5, '0')}.warc.gz`
  }
}

function infoRecord(name: string, { begunAt }: ExportJob): Promise<Buffer> {
  return encodeRecord({
    type: 'warcinfo',
    id: recordId('warcinfo', begunAt, name),
    date: begunAt,
    contentType: 'application/warc-fields',
    fields: [['WARC-Filename', name]],
    block: Buffer.from(linesOf(INFO)),
  })
}

const INFO: readonly RecordField[] = [
  ['software', `Jelajah/${VERSION}`],
  ['format', 'WARC File Format 1.1'],
  ['conformsTo', 'http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/'],
  ['robots', 'obey, unless the crawl was told otherwise'],
  [
    'description',
    'Made from pages that were kept, not on the wire. Bodies are as servers sent them once transfer and ' +
      'content encodings were undone, in the charset they came in, and cut where WARC-Truncated says ' +
      'so. Of the HTTP headers, status, type, length and validators are those that are known; ' +
      'others are missing, and there are no requests.',
  ],
]

async function checkHtml(job: ExportJob): Promise<void> {
  const ids = await job.ids()
  const last = ids.at(-1)
  if (last === undefined) return
  const range = { filter: { among: ids, duplicates: true }, after: 0, upTo: last }
  if (await job.store.anyHtml(range)) return
  const message =
    'needs pages with their HTML, which this crawl did not keep: crawl again with --keep-html --fresh'
  throw new InvalidInput('--format warc', message)
}

async function writeIndex(sink: Sink, lines: AsyncIterable<string>): Promise<void> {
  let piece = ''
  for await (const line of lines) {
    piece += `${line}\n`
    if (piece.length < INDEX_PIECE) continue
    await sink.write(piece)
    piece = ''
  }
  await sink.write(piece)
}

function keptNumber({ kept }: ExportJob, name: string): number {
  const value = kept?.[name]
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : 0
}
