// Only the main texts of pages, for clustering, search engines and language models: one file per page or per
// language, with an index that says where each page is.
import type { WholePage } from '../store/page-reader.ts'
import { countWords } from './boilerplate.ts'
import { isFormula } from './csv.ts'
import { type Exporter, type ExportJob, type Sink, type Split, STEP_NAMES } from './exporter.ts'
import { splitName } from './split.ts'

/** A separate line after every text. The parser leaves no form feed in a text. */
const END_OF_TEXT = '\f\n'
const HEAD = 'id\tfile\toffset\tbytes\twords\tlanguage\turl\ttitle\n'
export const textCorpus: Exporter = {
  name: 'text',
  about: 'the main texts alone: a file for each page, or one for each language or cluster',
  ends: [],
  whats: ['pages'],
  takes: ['gzip', 'duplicates', 'per'],
  steps: STEP_NAMES,
  output: () => 'folder',
  async write(job) {
    const index = await job.target.append('index.tsv')
    if (index.length === 0) await index.write(HEAD)
    const { per } = job.choices
    const write = per === 'page' ? await writerPerPage(job) : writerPer(per, job)
    for await (const page of job.pages({})) {
      const text = textOf(page)
      const place = await write(page, text)
      await index.write(indexLine(page, text, place))
      // Files of later pages may be left over, so the next run needs the last id.
      await job.settle(page.id, async () => ({ last: page.id }))
    }
  },
}

type Place = { readonly file: string; readonly offset: number }
type WriteText = (page: WholePage, text: string) => Promise<Place>

async function writerPerPage({ target, kept, choices }: ExportJob): Promise<WriteText> {
  const last = Number(kept?.last ?? 0)
  // Deletes files written after the last checkpoint, or before the first: some may not be written again.
  await target.sweep((name) => (idIn(name) ?? 0) > last)
  const ending = choices.gzip ? '.gz' : ''
  return async ({ id, url }, text) => {
    const name = pageFileName(id, url)
    await target.put(name, text)
    return { file: `${name}${ending}`, offset: 0 }
  }
}

function writerPer(split: Split, { target, choices }: ExportJob): WriteText {
  const ending = choices.gzip ? '.gz' : ''
  const sinks = new Map<string, Sink>()
  return async (page, text) => {
    const file = `${splitName(page, split)}.txt`
    const sink = sinks.get(file) ?? (await target.append(file))
    sinks.set(file, sink)
    const offset = sink.length
    await sink.write(`${text}${END_OF_TEXT}`)
    return { file: `${file}${ending}`, offset }
  }
}

/** Ends with a line feed; the only other control character is the tab. */
function textOf({ contentText }: WholePage): string {
  const text = contentText.replace(/\r\n?/g, '\n').replace(/[\0-\x08\x0b-\x1f\x7f]/g, '\ufffd')
  return text.endsWith('\n') || text === '' ? text : `${text}\n`
}

function indexLine(page: WholePage, text: string, { file, offset }: Place): string {
  const { id, language, url, title } = page
  const bytes = Buffer.byteLength(text)
  const words = countWords(text)
  return `${[id, file, offset, bytes, words, cell(language), url, cell(title)].join('\t')}\n`
}

/** One line, one column, and no formula for a spreadsheet. */
function cell(text: string): string {
  const line = text.replace(/[\0-\x1f\x7f-\x9f\u2028\u2029]+/g, ' ').trim()
  return isFormula(line) ? `'${line}` : line
}

const MAX_WORDS = 80
const FOLDER = 1000

/**
 * `000012/12345-example.com-news-today.txt`.
 *
 * File names for pages. The id makes them unique, also on file systems that ignore case. The rest is for
 * people, and contains nothing that a file system could interpret.
 */
export function pageFileName(id: number, url: string, end: 'txt' | 'md' = 'txt'): string {
  const folder = String(Math.floor(id / FOLDER)).padStart(6, '0')
  const words = wordsOf(url)
  return `${folder}/${id}${words === '' ? '' : `-${words}`}.${end}`
}

/** The page id in such a name; null if it is no such name. */
export function idIn(name: string, wanted: 'txt' | 'md' = 'txt'): number | null {
  const [, digits, end] =
    /^\d{6,}\/(\d{1,16})(?:-[a-z0-9.-]*)?\.(txt|md)(?:\.gz)?$/.exec(name) ?? []
  return digits === undefined || end !== wanted ? null : Number(digits)
}

function wordsOf(url: string): string {
  return url
    .slice(0, 4 * MAX_WORDS)
    .replace(/^[a-z]+:\/\//, '')
    .toLowerCase()
    .replace(/[^a-z0-9.]+/g, '-')
    .replace(/\.{2,}/g, '.')
    .slice(0, MAX_WORDS)
    .replace(/^[.-]+|[.-]+$/g, '')
}
