// Exports: the pages of crawls as files for other programs. This file is the interface of a format. To add a
// format, write a file with an `Exporter` and add it to the list in index.ts.
//
// An exporter is one loop: it takes pages in the order of their ids, appends to files, and settles each page.
// The frame (run-export.ts) does everything else: it selects pages, applies steps, reports progress, refuses
// to overwrite, writes beside the final name and renames at the end.
//
// An interrupted export can be resumed. After a fixed number of pages or bytes, the frame syncs everything to
// disk and saves a checkpoint: the page, the length of every file, and the state that the exporter wants to
// keep. A later run truncates the files to those lengths and continues with the next page. The positions of
// checkpoints depend on the pages alone, so the result is the same, byte for byte, however often it was
// interrupted. An exporter must therefore write nothing that depends on anything else, such as the time.
//
// Pages with noindex are in no export.
import { STORED_PARTS } from '../core/page.ts'
import type { PageNames } from '../store/graph-reader.ts'
import type { PageNeeds, PageReader, WholePage, WholePageRange } from '../store/page-reader.ts'

/** The content to write: whole pages, the rows of one part or the fields, or one file for each of these. */
export const WHATS = ['pages', ...STORED_PARTS, 'all'] as const
export type What = (typeof WHATS)[number]

export const TEXT_FILES = ['page', 'language', 'cluster'] as const
type TextFiles = (typeof TEXT_FILES)[number]

/** What pages are divided by: one file for each value. */
export const SPLITS = ['language', 'cluster', 'kind'] as const
export type Split = (typeof SPLITS)[number]

/** The options of formats, apart from the selection of pages. */
export type ExportChoices = {
  readonly what: What
  /** Compress files; the frame does it. */
  readonly gzip: boolean
  /** For texts: one file per page, language or cluster. */
  readonly per: TextFiles
  /** For links: page ids instead of URLs. */
  readonly ids: boolean
  /** For links: include links to URLs that are no exported page. */
  readonly outside: boolean
  /** For cells: put a mark before those that a spreadsheet would evaluate. */
  readonly formulaGuard: boolean
  /** Include pages that repeat another. */
  readonly duplicates: boolean
  /** For pages: also where each belongs, by `jelajah cluster`; false if it is left out. */
  readonly clusters?: boolean
  /** For pages: a file for each value; one file if it is left out. */
  readonly split?: Split
}

/** Whether an export needs the clusters of its pages. */
export function needsClusters({ clusters = false, split, per }: ExportChoices): boolean {
  return clusters || split === 'cluster' || per === 'cluster'
}

export interface Exporter {
  /** The value of `--format`. */
  readonly name: string
  /** One line of help. */
  readonly about: string
  /** File extensions that select this format if none is given. */
  readonly ends: readonly string[]
  /** The contents it can write; the first is the default. */
  readonly whats: readonly What[]
  /** The options it accepts, apart from `what`; others are refused. */
  readonly takes: readonly Exclude<keyof ExportChoices, 'what'>[]
  /** The steps it accepts; others are refused. */
  readonly steps: readonly StepName[]
  /** Whether the result is one file or a folder. */
  output(choices: ExportChoices): 'file' | 'folder'
  /**
   * Writes everything. Called once per run; the export is complete when it returns. Throws InvalidInput if
   * the crawl has no content for this format.
   */
  write(job: ExportJob): Promise<void>
}

/** State that an exporter keeps for the next run, apart from the lengths of its files; plain JSON. */
export type Kept = Readonly<Record<string, unknown>>

export type ExportJob = {
  readonly choices: ExportChoices
  readonly target: Target
  /** When the export was started; a resumed run keeps it. Epoch ms. */
  readonly begunAt: number
  /** The state kept at the checkpoint where this run starts; null at the beginning. */
  readonly kept: Kept | null
  /** The pages still to be written, by id. */
  pages(needs: PageNeeds): AsyncIterable<WholePage>
  /** The ids of all pages of the export, in order, including written ones; before any steps. */
  ids(): Promise<readonly number[]>
  readonly store: Omit<PageReader, typeof Symbol.asyncDispose>
  /** Maps the URLs of a crawl to its pages. */
  names(crawlId: number): Promise<PageNames>
  /**
   * Everything up to this page was given to the target. From time to time the frame then saves a checkpoint,
   * with the state that `keep` returns after it has given the target everything it still held. Null postpones
   * the checkpoint. Must be called before the next page is taken.
   */
  settle(pageId: number, keep?: () => Promise<Kept | null>): Promise<void>
  /** Adds to a count of the summary, such as `records`. Must be called before the page is settled. */
  count(figure: string, by?: number): void
}

/**
 * The destination of an export. Names are relative, with `/`, and contain nothing that a page could choose.
 */
export interface Target {
  /**
   * Opens a growing file; the same name gives the same file. The name does not matter if the export is one
   * file. After an interruption the file has its length of the last checkpoint.
   */
  append(name: string): Promise<Sink>
  /** Writes a small file as a whole; replaces one from an interrupted run. Only in folders. */
  put(name: string, content: string | Uint8Array): Promise<void>
  /** Deletes files that an interrupted run wrote with `put`, by their names. Only in folders. */
  sweep(isLeftOver: (name: string) => boolean): Promise<void>
  /**
   * The path of a file that other code writes, or of the single file. It is not truncated after an
   * interruption, and must be complete when `write` returns. Not available if the export goes to a pipe.
   */
  path(name: string): string
  /** A folder for temporary files. It survives interruptions and is deleted at the end. */
  workFolder(): Promise<string>
}

export interface Sink {
  /** Waits while the receiver is slow. */
  write(content: string | Uint8Array): Promise<void>
  /** Bytes received, over all runs, before compression. */
  readonly length: number
}

/** The names of the available steps. */
export const STEP_NAMES = ['minWords', 'withoutBoilerplate', 'withoutNearDuplicates'] as const
export type StepName = (typeof STEP_NAMES)[number]

/**
 * Opens a step. `range` covers all pages of the export, which the step may read first. Rejects if it is
 * aborted meanwhile.
 */
export type OpenStep = (
  pages: ExportJob['store'],
  range: WholePageRange,
  signal: AbortSignal,
) => Promise<PageStep>

/** A transformation of pages before they are written; steps run in order. */
export interface PageStep extends AsyncDisposable {
  /** One result per page, in the same order. */
  apply(pages: readonly WholePage[]): Promise<readonly Stepped[]>
}

export type Stepped = {
  /** Null if the page is left out. */
  readonly page: WholePage | null
  /** Added to the counts of the summary. */
  readonly counts?: Readonly<Record<string, number>>
}
