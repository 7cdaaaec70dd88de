// Exports: the pages of crawls as files that other programs read. This file is the interface of a
// format; to add one, write a file with an `Exporter` and name it in the list in index.ts.
//
// An exporter is one loop: it takes pages in the order of their ids, appends to files, and says after
// each page that it is settled. The frame (run-export.ts) does everything else: which pages, what is
// done to them before, progress, refusing what exists, writing beside the final name and renaming at the end.
//
// An interrupted export goes on where it stopped. Every so many pages or bytes the frame takes a note:
// the page, the length of every file, and what the exporter wants to keep; before that, all of it is on
// disk. A later run cuts the files back to those lengths and hands out the pages that come after. The notes
// are taken at places that depend on the pages alone, so the result is the same, byte by byte, however
// often it was interrupted: an exporter writes nothing that depends on anything else, such as the time.
//
// Pages that say noindex are in no export.
import { PARTS } from '../core/page.ts'
import type { PageNames } from '../store/graph-reader.ts'
import type { PageNeeds, PageReader, WholePage, WholePageRange } from '../store/page-reader.ts'

/** What is written of pages: whole, or the rows of one of their parts, or a file of each. */
export const WHATS = ['pages', ...PARTS, 'all'] as const
export type What = (typeof WHATS)[number]

export const TEXT_FILES = ['page', 'language'] as const
export type TextFiles = (typeof TEXT_FILES)[number]

/** What a format can be asked for beyond which pages. */
export type ExportChoices = {
  readonly what: What
  /** Files are compressed; the frame does it. */
  readonly gzip: boolean
  /** Of texts: a file for each of these. */
  readonly per: TextFiles
  /** Of links: numbers of pages instead of URLs. */
  readonly ids: boolean
  /** Of links: also those to URLs that are no page of the export. */
  readonly outside: boolean
  /** Of cells: a mark before those that a spreadsheet would compute. */
  readonly formulaGuard: boolean
  /** Also pages that repeat another. */
  readonly duplicates: boolean
}

export interface Exporter {
  /** As in `--format`. */
  readonly name: string
  /** One line of help. */
  readonly about: string
  /** Where no format is given, names that end with a dot and one of these mean it. */
  readonly ends: readonly string[]
  /** What it can write; the first is what it does when nothing is said. */
  readonly whats: readonly What[]
  /** The choices that mean something to it, beside `what`; others are refused. */
  readonly takes: readonly Exclude<keyof ExportChoices, 'what'>[]
  /** The steps that make sense before it; others are refused. */
  readonly steps: readonly StepName[]
  /** Whether the result is one file or a folder of them. */
  output(choices: ExportChoices): 'file' | 'folder'
  /**
   * Writes everything. Called once per run; when it returns, the export is complete. InvalidInput when
   * the crawl has nothing that this format is made of.
   */
  write(job: ExportJob): Promise<void>
}

/** What an exporter keeps for the next run beyond the lengths of its files; plain JSON. */
export type Kept = Readonly<Record<string, unknown>>

export type ExportJob = {
  readonly choices: ExportChoices
  readonly target: Target
  /** When the export was begun, which a later run does not change; epoch ms. */
  readonly begunAt: number
  /** What was kept where this run begins; null at the very beginning. */
  readonly kept: Kept | null
  /** The pages that are still to be written, by id. */
  pages(needs: PageNeeds): AsyncIterable<WholePage>
  /** The ids of all pages of the export, in order, also of those that are written; steps not regarded. */
  ids(): Promise<readonly number[]>
  readonly store: Omit<PageReader, typeof Symbol.asyncDispose>
  /** Which page of a crawl a URL stands for. */
  names(crawlId: number): Promise<PageNames>
  /**
   * Everything up to this page was given to the target. Now and then the frame then takes its note;
   * `keep` is asked for what goes with it, after it has given the target what it still held. Null: not
   * here, later. To be called before the next page is taken.
   */
  settle(pageId: number, keep?: () => Promise<Kept | null>): Promise<void>
  /** Adds to a figure of the summary, such as `records`. Before `settle` of the page it belongs to. */
  count(figure: string, by?: number): void
}

/** Where an export goes. Names are relative, with `/`, made of nothing that a page could choose. */
export interface Target {
  /**
   * A file that grows; the same one for the same name. Of an export that is one file, its name does not
   * matter. After an interruption it is as long as it was at the last note.
   */
  append(name: string): Promise<Sink>
  /** A small file, whole. One that is there from an interrupted run is replaced. Only in folders. */
  put(name: string, content: string | Uint8Array): Promise<void>
  /** Takes away files that an interrupted run put, by their names. Only in folders. */
  sweep(isLeftOver: (name: string) => boolean): Promise<void>
  /**
   * The path of a file that something else writes, or of the one file. It is not cut back after an
   * interruption, and must be whole when `write` returns. Not where the export goes to a pipe.
   */
  path(name: string): string
  /** A folder for what is only needed on the way; it stays over interruptions, and goes at the end. */
  workFolder(): Promise<string>
}

export interface Sink {
  /** Waits while what takes it is slow. */
  write(content: string | Uint8Array): Promise<void>
  /** Bytes it was given, over all runs, before they were compressed. */
  readonly length: number
}

/** Steps that can be asked for. */
export const STEP_NAMES = ['minWords', 'withoutBoilerplate', 'withoutNearDuplicates'] as const
export type StepName = (typeof STEP_NAMES)[number]

/**
 * Opens a step; `range`: the pages of the export, all of them, which may be looked at before. Rejects
 * when told to stop meanwhile.
 */
export type OpenStep = (
  pages: ExportJob['store'],
  range: WholePageRange,
  signal: AbortSignal,
) => Promise<PageStep>

/** What is done to pages before they are written: one of a list, in order. */
export interface PageStep extends AsyncDisposable {
  /** One answer per page, in their order. */
  apply(pages: readonly WholePage[]): Promise<readonly Stepped[]>
}

export type Stepped = {
  /** Null: it is left out. */
  readonly page: WholePage | null
  /** Added to the figures of the summary. */
  readonly counts?: Readonly<Record<string, number>>
}
