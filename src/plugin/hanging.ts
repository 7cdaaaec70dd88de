// How a process ends in which a hook hangs, so that its supervisor knows.

export const MAX_HOOK_MS = 5_000
/** Nobody else sends it, unless CPU time is limited, and then it means the same. */
export const HANGING_SIGNAL = 'SIGXCPU'
