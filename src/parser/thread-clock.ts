// How much work a thread has done, in CPU time: on a busy machine a page waits for its turn, and that
// must not count against it. Linux tells it of any thread at any moment; elsewhere Node asks the thread
// itself, which answers unless it is deep in native code.
import { readFileSync, readlinkSync } from 'node:fs'
import type { Worker } from 'node:worker_threads'

/** The kernel's clock ticks, 100 a second on every Linux. */
const TICK_MS = 10
/** Of `/proc/…/stat`, counted from behind the name: time in user mode and in the kernel. */
const USER_FIELD = 11
const SYSTEM_FIELD = 12

/** The kernel's number of the calling thread; 0 where it has none to tell. */
export function threadNumber(): number {
  try {
    return Number(readlinkSync('/proc/thread-self').split('/').at(-1)) || 0
  } catch {
    return 0
  }
}

/** CPU time of the calling thread so far, in ms; what has passed where nobody counts it. */
export function ownCpuMs(): number {
  if (process.threadCpuUsage === undefined) return performance.now()
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

/** CPU time of a thread of this process so far, in ms; null when nobody can tell. */
export async function cpuMsOf(worker: Worker, number: number): Promise<number | null> {
  try {
    if (number > 0) return fromKernel(number)
    // Node 22 has it from 22.18 on.
    const usage = await worker.cpuUsage?.()
    return usage === undefined ? null : (usage.user + usage.system) / 1000
  } catch {
    return null
  }
}

function fromKernel(number: number): number {
  const stat = readFileSync(`/proc/self/task/${number}/stat`, 'latin1')
  // A name may hold spaces and brackets.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return TICK_MS * (Number(fields[USER_FIELD]) + Number(fields[SYSTEM_FIELD]))
}
