// A target as the frame knows it: it can be brought to a point from which another run goes on.
import type { SinkLengths } from './buffered-sink.ts'
import type { Target } from './exporter.ts'

/** By name of file. */
export type FileLengths = Readonly<Record<string, SinkLengths>>

/** In every export that is a folder: what it is. Only folders that have it are ever replaced. */
export const MANIFEST = 'export.json'

export interface NotedTarget extends Target, AsyncDisposable {
  /** Bytes that exporters gave it in this run, which is what notes go by. */
  readonly taken: number
  /** Brings everything to disk; the lengths of all files that grow, as they are then. */
  note(): Promise<FileLengths>
  /** Bytes of everything that was written, over all runs. */
  size(): Promise<number>
  /** What the export is, in a file of its own where it is a folder. */
  describe(manifest: Readonly<Record<string, unknown>>): Promise<void>
  /** Everything is written: gives it its final name, and takes away what was needed on the way. */
  complete(): Promise<void>
}
