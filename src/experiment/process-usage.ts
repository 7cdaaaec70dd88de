// CPU time and memory of this process and its children over time, as the kernel counts them (/proc). Systems
// without /proc have no figures.
import { existsSync, readFileSync } from 'node:fs'
import { namesIn } from '../lib/folder.ts'

export const ROLES = ['supervisor', 'scouter', 'parser'] as const
export type Role = (typeof ROLES)[number]

export type UsageSample = {
  /** Milliseconds since the start. */
  readonly atMs: number
  readonly cpuMs: number
  readonly rssBytes: number
  /** Memory that belongs to no file: heaps and stacks. */
  readonly heapBytes: number
}

/** The kernel's clock ticks, 100 a second on every Linux. */
const TICK_MS = 10
/** Fields of `/proc/…/stat`, counted after the name: time in user mode and in the kernel. */
const USER_FIELD = 11
const SYSTEM_FIELD = 12
const EVERY_MS = 250
const KB = 1024

export class UsageMeter implements Disposable {
  readonly samples: Readonly<Record<Role, UsageSample[]>> = {
    supervisor: [],
    scouter: [],
    parser: [],
  }
  readonly #startedAt = performance.now()
  readonly #timer: NodeJS.Timeout | null
  /** What this process had used before. */
  readonly #before = cpuMsOf(process.pid) ?? 0
  /** Last known of each process: of one that died its CPU time still counts. */
  readonly #cpuMs = new Map<number, { readonly role: Role; readonly cpuMs: number }>()

  constructor() {
    this.#timer = existsSync('/proc/self/stat') ? setInterval(() => this.#look(), EVERY_MS) : null
  }

  /** CPU time of a role so far. */
  cpuMs(role: Role): number {
    const own = [...this.#cpuMs.values()].filter((each) => each.role === role)
    return own.reduce((sum, { cpuMs }) => sum + cpuMs, 0)
  }

  [Symbol.dispose](): void {
    if (this.#timer !== null) clearInterval(this.#timer)
  }

  #look(): void {
    const atMs = performance.now() - this.#startedAt
    const running = [...childrenOf(process.pid), { pid: process.pid, role: 'supervisor' as const }]
    const memory = new Map<Role, { rssBytes: number; heapBytes: number }>()
    for (const { pid, role } of running) {
      const cpuMs = cpuMsOf(pid)
      const used = memoryOf(pid)
      if (cpuMs === null || used === null) continue
      this.#cpuMs.set(pid, { role, cpuMs: role === 'supervisor' ? cpuMs - this.#before : cpuMs })
      const { rssBytes = 0, heapBytes = 0 } = memory.get(role) ?? {}
      const sum = { rssBytes: rssBytes + used.rssBytes, heapBytes: heapBytes + used.heapBytes }
      memory.set(role, sum)
    }
    for (const [role, used] of memory) {
      this.samples[role].push({ atMs, cpuMs: this.cpuMs(role), ...used })
    }
  }
}

/** Scouters and parsers among the children of a process. */
function childrenOf(pid: number): { pid: number; role: Role }[] {
  const threads = namesIn(`/proc/${pid}/task`)
  const children = threads.flatMap((thread) =>
    read(`/proc/${pid}/task/${thread}/children`).split(' ').filter(Boolean).map(Number),
  )
  return children.flatMap((child) => {
    const command = read(`/proc/${child}/cmdline`)
    const role = ROLES.find((name) => new RegExp(`/${name}\\.[jt]s(?:\\0|$)`).test(command))
    return role === undefined ? [] : [{ pid: child, role }]
  })
}

function cpuMsOf(pid: number): number | null {
  const stat = read(`/proc/${pid}/stat`)
  // The name may contain spaces and brackets.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const ticks = Number(fields[USER_FIELD]) + Number(fields[SYSTEM_FIELD])
  return Number.isFinite(ticks) && stat !== '' ? ticks * TICK_MS : null
}

function memoryOf(pid: number): { rssBytes: number; heapBytes: number } | null {
  const status = read(`/proc/${pid}/status`)
  const field = (name: string) => {
    const [, kilobytes] = new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status) ?? []
    return kilobytes === undefined ? null : Number(kilobytes) * KB
  }
  const rssBytes = field('VmRSS')
  return rssBytes === null ? null : { rssBytes, heapBytes: field('RssAnon') ?? rssBytes }
}

/** '' if the process has ended. */
function read(path: string): string {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return ''
  }
}
