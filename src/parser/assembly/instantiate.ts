// The WebAssembly module, compiled once per thread. Each instance has a memory of its own.
import { MODULE } from './module.ts'

export type ModuleExports = {
  readonly memory: WebAssembly.Memory
  /** Fills the columns, and the part of the page's row that depends on the outline. */
  readonly read: (blocks: number, containers: number, titleWords: number) => void
  /** Writes one number into all rows of a column. */
  readonly fill: (feature: number, blocks: number, value: number) => void
  /** Sums up the leaves: of each block, and of the page in each forest of kinds. */
  readonly scoreBlocks: (blocks: number) => void
  readonly scoreKinds: () => void
  /** Reads a page up to something that needs JavaScript (assembly/scan.ts). */
  readonly scan: (from: number, end: number) => number
  /** Not 0 when a range of the page may mark a date or an author. */
  readonly mayMark: (from: number, to: number) => number
  /** Of so many bytes of the text; a signed number, and 0 is not replaced. */
  readonly likenessOfLong: (bytes: number) => number
}

let compiled: WebAssembly.Module | null = null

export function instantiate(): ModuleExports {
  compiled ??= new WebAssembly.Module(Buffer.from(MODULE, 'base64'))
  // The types are those of assembly/index.ts.
  return new WebAssembly.Instance(compiled).exports as ModuleExports
}
