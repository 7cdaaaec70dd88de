// Formats of one line per page or row: which files there are, and what stands in them.
import { PARTS, type Part } from '../core/page.ts'
import type { PageNeeds, WholePage } from '../store/whole-pages.ts'
import type { ExportChoices, ExportJob, What } from './exporter.ts'

export type LineFile = {
  /** Without the ending; also the name of its figure in the summary. */
  readonly name: 'pages' | Part
  /** The first line, with its end; '' for none. */
  readonly head: string
  /** The lines of a page, each with its end. */
  readonly linesOf: (page: WholePage) => readonly string[]
}

/** A folder only where there are several. */
export function lineOutput({ what }: ExportChoices): 'file' | 'folder' {
  return what === 'all' ? 'folder' : 'file'
}

/** Of `all`: the page without its parts, and each part. */
export function namesOf(what: What): readonly LineFile['name'][] {
  return what === 'all' ? ['pages', ...PARTS] : [what]
}

export async function writeLineFiles(
  job: ExportJob,
  files: readonly LineFile[],
  { extension, needs }: { readonly extension: string; readonly needs: PageNeeds },
): Promise<void> {
  const open = await Promise.all(
    files.map(async (file) => ({
      ...file,
      sink: await job.target.append(`${file.name}.${extension}`),
    })),
  )
  for (const { sink, head } of open) if (sink.length === 0 && head !== '') await sink.write(head)
  for await (const page of job.pages(needs)) {
    for (const { name, linesOf, sink } of open) {
      const lines = linesOf(page)
      if (name !== 'pages') job.count(name, lines.length)
      if (lines.length > 0) await sink.write(lines.join(''))
    }
    await job.settle(page.id)
  }
}

/** What has to be read of pages for these files. */
export function needsOf(names: readonly LineFile['name'][]): PageNeeds {
  return { text: names.includes('pages'), parts: names.filter((name) => name !== 'pages') }
}
