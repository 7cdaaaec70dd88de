// Where an export goes. What an interrupted export left there is continued, replaced or refused.
import { constants } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { CrawlerError, InvalidInput } from '../../core/errors.ts'
import { openLock } from '../../db/lock.ts'
import { type ExportState, readState, removeState, writeState } from '../../export/export-state.ts'
import {
  findRoom,
  isDevice,
  lookAt,
  refuseForeignPart,
  refuseTaken,
  removeParts,
} from '../../export/out-path.ts'
import { giveFinalName, openPartTarget, orOutError, partPath } from '../../export/part-target.ts'
import { type NotedTarget, PipeTarget } from '../../export/pipe-target.ts'
import { ResourceStack } from '../../lib/resource-stack.ts'

type TargetOptions = {
  readonly out: string
  readonly kind: 'file' | 'folder'
  readonly gzip: boolean
  readonly force: boolean
  readonly fresh: boolean
  readonly asked: ExportState['asked']
  /** Names the store. */
  readonly mark: string
  /** What is written, decided for the first time. */
  readonly begin: () => Promise<ExportState>
}

export type ExportTarget = AsyncDisposable & {
  readonly state: ExportState
  /** Whether an earlier run began it. */
  readonly resumed: boolean
  /** Null: everything was written already. */
  readonly target: NotedTarget | null
  keep(state: ExportState): Promise<void>
  /** After the target is complete. */
  clear(): Promise<void>
}

/** To a file or a folder; nobody else writes there meanwhile. */
export async function openExportTarget(options: TargetOptions): Promise<ExportTarget> {
  const { out, kind, gzip, force, fresh } = options
  if (await isDevice(out)) return devicePlace(options)
  if ((await lookAt(out)) === null) await findRoom(out, kind)
  await using stack = new ResourceStack()
  stack.use(await lockFor(out))
  const left = await leftState(options)
  if (left !== null && (await wasRenamed(out, left))) return finished(out, left, stack.move())
  await refuseTaken(out, kind, { force })
  await refuseForeignPart(out)
  if (fresh) await removeParts(out)
  if (left?.note.complete) {
    await giveFinalName(out, kind)
    return finished(out, left, stack.move())
  }
  const state = left ?? (await options.begin())
  if (left === null) await writeState(out, state)
  const { files } = state.note
  const target = stack.use(await openPartTarget({ out, kind, gzip, files }))
  const resources = stack.move()
  return {
    state,
    target,
    resumed: left !== null,
    keep: (next) => writeState(out, next),
    clear: () => removeState(out),
    [Symbol.asyncDispose]: () => resources[Symbol.asyncDispose](),
  }
}

/** What an earlier run left, if it is of the same export; null when there is nothing to go on with. */
async function leftState({ out, fresh, asked, mark }: TargetOptions): Promise<ExportState | null> {
  if (fresh) return null
  const left = await readState(out)
  if (left === null) return null
  const others = differences(left.asked, asked)
  const part = `${partPath(out)} is an unfinished export`
  if (others.length > 0) {
    const message = `${part} with other options (${others.join(', ')}); --fresh starts again`
    throw new InvalidInput('--out', message)
  }
  if (left.mark === mark) return left
  throw new InvalidInput('--out', `${part} of another data folder; --fresh starts again`)
}

function differences(before: ExportState['asked'], now: ExportState['asked']): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(now)])
  return [...names].filter((name) => JSON.stringify(before[name]) !== JSON.stringify(now[name]))
}

/** It has its final name, and was interrupted before it could say so. */
async function wasRenamed(out: string, { note }: ExportState): Promise<boolean> {
  if (!note.complete) return false
  return (await lookAt(out)) !== null && (await lookAt(partPath(out))) === null
}

async function finished(
  out: string,
  state: ExportState,
  resources: ResourceStack,
): Promise<ExportTarget> {
  return {
    state,
    target: null,
    resumed: true,
    keep: async () => {},
    clear: () => removeState(out),
    [Symbol.asyncDispose]: () => resources[Symbol.asyncDispose](),
  }
}

async function devicePlace(options: TargetOptions): Promise<ExportTarget> {
  const { out, kind, gzip } = options
  if (kind === 'folder') throw new InvalidInput('--out', `${out} is not a folder`)
  await using stack = new ResourceStack()
  const device = stack.use(await orOutError(out, () => open(out, constants.O_WRONLY)))
  const outlet = (bytes: Uint8Array) => orOutError(out, () => device.writeFile(bytes))
  const state = await options.begin()
  return pipeTarget(state, new PipeTarget(outlet, gzip), stack.move())
}

/** Nothing is kept for a later run. */
export function pipeTarget(
  state: ExportState,
  target: NotedTarget,
  resources = new ResourceStack(),
): ExportTarget {
  resources.use(target)
  return {
    state,
    target,
    resumed: false,
    keep: async () => {},
    clear: async () => {},
    [Symbol.asyncDispose]: () => resources[Symbol.asyncDispose](),
  }
}

/** Beside it, for as long as it is written. */
async function lockFor(out: string): Promise<AsyncDisposable> {
  const path = `${out}.part.lock`
  const lock = await openLock(path).catch((error) => {
    if (!(error instanceof CrawlerError) || error.code !== 'store-unreachable') throw error
    throw new InvalidInput('--out', `nothing can be written into the folder ${dirname(out)}`)
  })
  if (lock === null) {
    throw new CrawlerError('store-busy', `another export is writing ${out} at the moment`)
  }
  return {
    async [Symbol.asyncDispose]() {
      await rm(path, { force: true })
      await lock[Symbol.asyncDispose]()
    },
  }
}
