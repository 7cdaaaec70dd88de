// Ends the process when a hook in its main thread runs for too long: nothing else can.
import { workerData } from 'node:worker_threads'
import { HANGING_SIGNAL } from './hanging.ts'
import { HookMark } from './hook-mark.ts'

export type Watched = { readonly hookMark: SharedArrayBuffer; readonly maxMs: number }

const LOOK_MS = 250

// own-ordering.ts passes exactly this.
const { hookMark, maxMs } = workerData as Watched
const mark = new HookMark([], hookMark)
let call: number | null = null
let since = performance.now()

setInterval(
  () => {
    const now = mark.call
    if (now === null || now !== call) since = performance.now()
    else if (performance.now() - since > maxMs) process.kill(process.pid, HANGING_SIGNAL)
    call = now
  },
  Math.min(LOOK_MS, maxMs / 2),
)
