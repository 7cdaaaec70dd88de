// The state of an incomplete export, in a small file beside it: the request, the pages it selects, and the
// progress. The file is replaced atomically.
import { open, readFile, rename, rm } from 'node:fs/promises'
import { InvalidInput } from '../core/errors.ts'
import { errorCode, isObject } from '../lib/present.ts'
import type { WholePageFilter } from '../store/page-reader.ts'
import type { Kept } from './exporter.ts'
import { orOutError } from './part-target.ts'
import type { FileLengths } from './pipe-target.ts'

const VERSION = 1

/** Everything that determines the result, decided once, so that a later run writes the same. */
export type ExportState = {
  readonly version: typeof VERSION
  /** The original request. A different request is a different export. */
  readonly asked: Readonly<Record<string, unknown>>
  /** The mark of the store. */
  readonly mark: string
  readonly filter: Omit<WholePageFilter, 'among'>
  /** The largest page id at the start. */
  readonly upTo: number
  readonly begunAt: number
  readonly note: ExportNote
}

/** A checkpoint from which an export can continue. */
export type ExportNote = {
  /** The last settled page; 0 at the beginning. */
  readonly after: number
  /** Pages written, and pages read. */
  readonly pages: number
  readonly seen: number
  readonly counts: Readonly<Record<string, number>>
  readonly files: FileLengths
  readonly kept: Kept | null
  /** Everything is written, but the file may not have its final name yet. */
  readonly complete: boolean
}

export const BEGINNING: ExportNote = {
  ...{ after: 0, pages: 0, seen: 0, counts: {}, files: {}, kept: null, complete: false },
}

export function newState(known: Omit<ExportState, 'version' | 'note'>): ExportState {
  return { version: VERSION, ...known, note: BEGINNING }
}

export function statePath(out: string): string {
  return `${out}.part.json`
}

/** Null if there is none. Throws InvalidInput if the file is not ours. */
export async function readState(out: string): Promise<ExportState | null> {
  const path = statePath(out)
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null
    throw new InvalidInput('--out', `${path} cannot be read: ${errorCode(error)}`)
  }
  const state = decodeState(text)
  if (state !== null) return state
  throw new InvalidInput('--out', `${path} is not of this version; --fresh starts again`)
}

export async function writeState(out: string, state: ExportState): Promise<void> {
  const path = statePath(out)
  await orOutError(path, async () => {
    {
      await using file = await open(`${path}.new`, 'w')
      await file.writeFile(`${JSON.stringify(state)}\n`)
      await file.sync()
    }
    await rename(`${path}.new`, path)
  })
}

export async function removeState(out: string): Promise<void> {
  await rm(statePath(out), { force: true })
  await rm(`${statePath(out)}.new`, { force: true })
}

/** Null if the text is not a state. */
export function decodeState(text: string): ExportState | null {
  const state = parse(text)
  return isState(state) ? state : null
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function isState(value: unknown): value is ExportState {
  return (
    isObject(value) &&
    value.version === VERSION &&
    isObject(value.asked) &&
    typeof value.mark === 'string' &&
    isObject(value.filter) &&
    isCount(value.upTo) &&
    isCount(value.begunAt) &&
    isNote(value.note)
  )
}

function isNote(value: unknown): value is ExportNote {
  return (
    isObject(value) &&
    [value.after, value.pages, value.seen].every(isCount) &&
    isObject(value.counts) &&
    Object.values(value.counts).every(isCount) &&
    isObject(value.files) &&
    Object.values(value.files).every(areLengths) &&
    (value.kept === null || isObject(value.kept)) &&
    typeof value.complete === 'boolean'
  )
}

function areLengths(value: unknown): boolean {
  return isObject(value) && isCount(value.bytes) && isCount(value.length)
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
}
