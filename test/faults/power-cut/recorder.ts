// Runs the program with recorder.c loaded into each of its processes.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { jelajah } from '../../e2e/crawling.ts'
import { type LogRecord, readLog } from './log.ts'

const SOURCE = join(import.meta.dirname, 'recorder.c')

/** Why nothing can be recorded on this machine; false when it can. */
export function whyNoRecorder(): string | false {
  if (process.platform !== 'linux') return 'writes are recorded on Linux only'
  try {
    execFileSync('cc', ['--version'], { stdio: 'ignore' })
    return false
  } catch {
    return 'there is no C compiler (apt install gcc)'
  }
}

/** Compiled once for this text of it, into a folder of this user alone. */
function library(): string {
  const hash = createHash('sha256').update(readFileSync(SOURCE)).digest('hex').slice(0, 12)
  const folder = join(tmpdir(), `jelajah-power-cut-${process.getuid?.()}-${process.pid}`)
  const path = join(folder, `${hash}.so`)
  if (existsSync(path)) return path
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const made = `${path}.${process.pid}`
  execFileSync('cc', ['-O1', '-shared', '-fPIC', '-o', made, SOURCE, '-ldl'])
  renameSync(made, path)
  return path
}

export type RecordOptions = {
  /** Below it everything is recorded; there and empty before the first run. */
  readonly root: string
  readonly log: string
  /** Another checkout to run it from. */
  readonly checkout?: string
}

/** All records so far, those of earlier runs with the same log included. */
export async function record(
  args: readonly string[],
  { root, log, checkout }: RecordOptions,
): Promise<readonly LogRecord[]> {
  const env = { LD_PRELOAD: library(), POWER_CUT_ROOT: root, POWER_CUT_LOG: log }
  const from = checkout === undefined ? {} : { root: checkout }
  const { code, stderr } = await jelajah(args, { env, ...from }).ended
  if (code !== 0) throw new Error(`the recorded run ended with ${code}: ${stderr}`)
  return readLog(log)
}
