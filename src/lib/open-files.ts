// How many files and sockets this process may open, and how many are open.
import { readdirSync, readFileSync } from 'node:fs'

/** Infinity if there is no limit, or if the system does not report one. */
export function openFileLimit(): number {
  try {
    const soft = /^Max open files\s+(\S+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1]
    return soft === undefined || soft === 'unlimited' ? Number.POSITIVE_INFINITY : Number(soft)
  } catch {
    return limitInReport()
  }
}

/** An estimate for systems that do not report it. */
const USUALLY_OPEN = 48

export function openFileCount(): number {
  try {
    return readdirSync('/proc/self/fd').length
  } catch {
    return USUALLY_OPEN
  }
}

function limitInReport(): number {
  const report: unknown = process.report.getReport()
  const soft = Number(field(field(field(report, 'userLimits'), 'open_files'), 'soft'))
  return Number.isFinite(soft) ? soft : Number.POSITIVE_INFINITY
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}
