// Runs the cells of a plan that have no result yet, one after the other, and gives the results of all.
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createFolder, syncFolder } from '../lib/folder.ts'
import type { Cell, CellResult, DoneCell, ExperimentOptions } from './experiment.ts'
import { cellsOf } from './grid.ts'
import { runSimulated } from './simulated-cell.ts'
import { Webs } from './webs.ts'

/** In the order of the grid; an aborted experiment throws the reason of the signal. */
export async function runExperiment(options: ExperimentOptions): Promise<DoneCell[]> {
  const { plan, folder, signal, watcher } = options
  const results = new ResultFolder(join(folder, 'cells'))
  await using webs = new Webs(plan, options)
  const cells = cellsOf(plan, { cwd: options.cwd, web: await webs.state() })
  const done: DoneCell[] = []
  // Repeat by repeat, so that a machine that becomes slower meanwhile is not taken for a slow level.
  for (const cell of cells.sort((a, b) => a.repeat - b.repeat || a.number - b.number)) {
    signal.throwIfAborted()
    const known = results.read(cell)
    const startedAt = performance.now()
    const result = known ?? (await runCell(cell, options, webs))
    if (known === null) results.write(result)
    const seconds = known === null ? (performance.now() - startedAt) / 1000 : null
    done.push({ cell, result })
    watcher.onDone({ cell, result }, seconds)
  }
  // Runs that were killed may have left theirs.
  rmSync(join(folder, 'work'), { recursive: true, force: true })
  return done.sort((a, b) => a.cell.number - b.cell.number)
}

async function runCell(cell: Cell, options: ExperimentOptions, webs: Webs): Promise<CellResult> {
  const { plan, cwd, watcher } = options
  const web = await webs.of(cell)
  const onProgress = (share: number): void => watcher.onProgress(cell, share)
  onProgress(0)
  if (plan.kind === 'simulate' && web !== null) {
    return runSimulated({ cell, web, models: plan.models, cwd, onProgress })
  }
  const { runReal } = await import('./real-cell.ts')
  return runReal({ ...options, cell, web, onProgress })
}

/** One file per result, there whole or not at all. */
class ResultFolder {
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = folder
    createFolder(folder)
  }

  /** Null if the cell was not run yet, or its file cannot be used. */
  read({ key }: Cell): CellResult | null {
    const path = this.#pathOf(key)
    if (!existsSync(path)) return null
    try {
      const result: CellResult = JSON.parse(readFileSync(path, 'utf8'))
      return result.key === key ? result : null
    } catch {
      return null
    }
  }

  write(result: CellResult): void {
    const path = this.#pathOf(result.key)
    const part = `${path}.part`
    rmSync(part, { force: true })
    writeFileSync(part, `${JSON.stringify(result)}\n`, { flag: 'wx', flush: true })
    renameSync(part, path)
    syncFolder(this.#folder)
  }

  #pathOf(key: string): string {
    return join(this.#folder, `${key}.json`)
  }
}
