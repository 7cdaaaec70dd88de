// The files of an experiment. All but run.json are made from plan and results alone: equal results give equal
// bytes.
import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { arch, cpus, platform, release, totalmem } from 'node:os'
import { join } from 'node:path'
import type { Language } from '../core/languages.ts'
import { VERSION } from '../core/version.ts'
import { createFolder } from '../lib/folder.ts'
import { cellsCsv, curvesCsv, sitesCsv, summaryCsv } from './csv.ts'
import type { DoneCell, Plan } from './experiment.ts'
import { latexDocument, latexTable } from './latex.ts'
import { drawExperiment, drawFigures, experimentReport } from './report.ts'
import type { ExperimentReport } from './report-data.ts'
import { tablesOf } from './results.ts'
import { shownTables } from './shown-tables.ts'

type Run = {
  readonly plan: Plan
  readonly cells: readonly DoneCell[]
  readonly language: Language
  /** The command line that gives these results, wherever they are kept. */
  readonly command: string
}

/** Facts about the run that differ from run to run. */
type RunNotes = {
  /** The command line as typed. */
  readonly command: string
  readonly startedAt: number
  readonly endedAt: number
  /** Cell → seconds; null: it was done before. */
  readonly seconds: readonly (number | null)[]
}

/** Names of the files, relative to the folder, in the order of writing. */
export async function writeOutputs(folder: string, run: Run, notes: RunNotes): Promise<string[]> {
  const files = await filesOf(run)
  for (const part of ['tables', 'figures']) {
    rmSync(join(folder, part), { recursive: true, force: true })
    createFolder(join(folder, part))
  }
  const all = [...files, ['run.json', runJson(run, notes)] as const]
  for (const [name, text] of all) writeWhole(join(folder, name), text)
  return all.map(([name]) => name)
}

type OutputFile = readonly [name: string, text: string]

async function filesOf(run: Run): Promise<OutputFile[]> {
  const { plan, cells, language } = run
  const tables = shownTables(plan, cells, language)
  const report = reportOf(run)
  const { machine } = report
  const origin = `Jelajah ${VERSION}: ${run.command}${machine === null ? '' : `; ${machine}`}`
  const page = drawExperiment(report)
  const figures = await drawFigures(report)
  return [
    ['plan.json', json(plan)],
    ['experiment.json', json(experimentJson(run))],
    ['cells.csv', cellsCsv(plan, cells)],
    ['curves.csv', curvesCsv(plan, cells)],
    ['summary.csv', summaryCsv(plan, cells)],
    ...(plan.sites ? [['sites.csv', sitesCsv(plan, cells)] satisfies OutputFile] : []),
    ...tables.map((table): OutputFile => {
      return [`tables/${table.name}.tex`, latexTable(table, { language, origin })]
    }),
    ['main.tex', latexDocument(plan, tables)],
    ...[...figures].map(([name, svg]): OutputFile => [`figures/${name}.svg`, svg]),
    ...(page === null ? [] : [['report.html', page] satisfies OutputFile]),
  ]
}

/** Simulated crawls do not depend on the machine. */
function reportOf(run: Run): ExperimentReport {
  return experimentReport({ ...run, machine: run.plan.kind === 'crawl' ? machineText() : null })
}

/** Everything for programs; the dashboard reads it, too. */
export function experimentJson(run: Run): object {
  const { plan, cells, command } = run
  return {
    format: 'jelajah-experiment',
    version: 1,
    jelajah: VERSION,
    command,
    plan,
    cells: cells.map(({ cell: { key: _key, ...cell }, result: { key: _same, ...result } }) => ({
      ...cell,
      ...result,
    })),
    tables: tablesOf(plan, cells).map(({ plan: { name, title, rows }, columns, rows: lines }) => ({
      ...{ name, title, rows, columns },
      values: lines.map(({ labels, cells: values }) => ({
        labels,
        values: values.map(({ mean, half, count }) => ({
          mean: Number.isFinite(mean) ? mean : null,
          ci: Number.isFinite(half) ? half : null,
          n: count,
        })),
      })),
    })),
    report: reportOf(run),
  }
}

function runJson({ plan, cells }: Run, notes: RunNotes): string {
  const { command, startedAt, endedAt, seconds } = notes
  const processors = cpus()
  return json({
    about: 'This file alone differs from run to run: when, where and how fast.',
    ...{ experiment: plan.name, command, jelajah: VERSION, node: process.version },
    machine: machineText(),
    cores: processors.length,
    memory_bytes: totalmem(),
    started_at: new Date(startedAt).toISOString(),
    ended_at: new Date(endedAt).toISOString(),
    cells: cells.map(({ cell: { number, key } }, at) => ({
      ...{ number, key, seconds: seconds[at] ?? null },
    })),
  })
}

/** `AMD EPYC 7B13, 2 cores, 8.4 GB; linux 6.1 x64; Node v24.1.0`. */
function machineText(): string {
  const processors = cpus()
  const model = processors[0]?.model.trim() || 'unknown processor'
  const memory = (totalmem() / 1e9).toFixed(1)
  const system = `${platform()} ${release()} ${arch()}`
  return `${model}, ${processors.length} cores, ${memory} GB; ${system}; Node ${process.version}`
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 1)}\n`
}

/** It is there whole or not at all. */
function writeWhole(path: string, text: string): void {
  const part = `${path}.part-${process.pid}`
  rmSync(part, { force: true })
  writeFileSync(part, text, { flag: 'wx' })
  renameSync(part, path)
}
