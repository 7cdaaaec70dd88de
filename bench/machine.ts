import { cpus, release, totalmem, type } from 'node:os'

/** One line about the machine: figures mean nothing without it. */
export function machine(): string {
  const cores = cpus()
  const memory = Math.round(totalmem() / 2 ** 30)
  const model = cores[0]?.model.trim() ?? 'unknown processor'
  return `${cores.length} cores (${model}), ${memory} GB, ${type()} ${release()}, Node ${process.versions.node}`
}
