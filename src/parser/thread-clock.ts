// CPU time of a thread: on a busy machine a page waits for the processor, and that must not count
// against it. Linux reports it for any thread at any time; elsewhere Node asks the thread itself,
// which answers unless it is deep in native code.
import { readFileSync, readlinkSync } from 'node:fs'
import type { Worker } from 'node:worker_threads'

/**
 * What both sides of a thread see at any time: how many of the pages given to it need not be parsed if they are
 * not begun, and how many it has parsed.
 */
export const PASSED_OVER = 0
export const PARSED = 1

/** The kernel's clock ticks, 100 a second on every Linux. */
const TICK_MS = 10
/** Fields of `/proc/…/stat`, counted after the name: time in user mode and in the kernel. */
const USER_FIELD = 11
const SYSTEM_FIELD = 12

/** The kernel's id of the calling thread; 0 when unknown. */
export function kernelThreadId(): number {
  try {
    return Number(readlinkSync('/proc/thread-self').split('/').at(-1)) || 0
  } catch {
    return 0
  }
}

/** CPU time of the calling thread so far, in ms; wall-clock time where CPU time is not available. */
export function ownCpuMs(): number {
  if (process.threadCpuUsage === undefined) return performance.now()
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

/** CPU time of a thread of this process so far, in ms; null when unknown. */
export async function cpuMsOf(worker: Worker, number: number): Promise<number | null> {
  try {
    if (number > 0) return fromKernel(number)
    // Since Node 22.18.
    const usage = await worker.cpuUsage?.()
    return usage === undefined ? null : (usage.user + usage.system) / 1000
  } catch {
    return null
  }
}

function fromKernel(number: number): number {
  const stat = readFileSync(`/proc/self/task/${number}/stat`, 'latin1')
  // The name may contain spaces and brackets.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return TICK_MS * (Number(fields[USER_FIELD]) + Number(fields[SYSTEM_FIELD]))
}
