// Runs a program and measures it together with everything it starts: processor time, memory, time.
//
// Processor time is the kernel's own account: what this process was charged for children it waited
// for, which includes their threads and everything they in turn waited for. A process whose parent
// died before it is in nobody's account; such orphans are recognised by a mark in their environment
// and their last known time is added. Memory is sampled.
import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { constants } from 'node:os'

export type Metered = {
  /** Null when it was killed at the time limit. */
  readonly exitCode: number | null
  readonly stdout: string
  readonly stderr: string
  readonly wallSeconds: number
  /** User and system time of the whole tree. */
  readonly cpuSeconds: number
  /** The largest sum over the tree seen in a sample; shared memory is counted once (PSS). */
  readonly peakPssBytes: number
  /** The same with shared memory counted for each process (RSS). */
  readonly peakRssBytes: number
  /** Handed to the disk by the whole tree, as the kernel accounts it. */
  readonly writtenBytes: number
  /** The most processes seen at once. */
  readonly processes: number
}

export type MeterOptions = {
  readonly command: readonly [string, ...string[]]
  readonly env?: Readonly<Record<string, string>>
  /** Everything is killed after this time. */
  readonly limitMs: number
}

const MARK = 'BENCH_RUN'
const SAMPLE_MS = 200
const PSS_EVERY = 5
const PAGE_BYTES = 4096
/** Ticks per second in /proc: USER_HZ is 100 on every Linux that Node runs on. */
const TICKS = 100
/** Sockets of an orphan may outlive the root for a moment; longer than this it is killed. */
const ORPHAN_MS = 15_000

export async function meter({ command, env, limitMs }: MeterOptions): Promise<Metered> {
  const mark = randomUUID()
  const tree = new Tree(mark)
  const waitedBefore = waitedTicks()
  const writtenBefore = writtenBytes()
  const startedAt = performance.now()
  const [program, ...args] = command
  const child = spawn(program, args, {
    env: { ...process.env, ...env, [MARK]: mark },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const killAll = () => tree.kill()
  process.once('exit', killAll)
  const sampler = setInterval(() => tree.sample(), SAMPLE_MS)
  const timer = setTimeout(killAll, limitMs)
  try {
    const [ended, stdout, stderr] = await Promise.all([
      exitOf(child),
      textOf(child.stdout),
      textOf(child.stderr),
    ])
    const wallSeconds = (performance.now() - startedAt) / 1000
    await tree.emptied(ORPHAN_MS)
    const ticks = waitedTicks() - waitedBefore + tree.orphanTicks()
    const measured = { cpuSeconds: ticks / TICKS, writtenBytes: writtenBytes() - writtenBefore }
    return { ...ended, stdout, stderr, wallSeconds, ...measured, ...tree.peaks() }
  } finally {
    clearInterval(sampler)
    clearTimeout(timer)
    killAll()
    process.removeListener('exit', killAll)
  }
}

type Member = { ticks: number; orphan: boolean }

/** All processes that carry the mark, whoever their parent is by now. */
class Tree {
  readonly #mark: string
  readonly #members = new Map<string, Member>()
  /** What ran before: need not be looked at again. */
  readonly #strangers = new Set<string>()
  #samples = 0
  #pss = 0
  #rss = 0
  #most = 0

  constructor(mark: string) {
    this.#mark = `${MARK}=${mark}`
    for (const { key } of running()) this.#strangers.add(key)
  }

  sample(): void {
    const alive = this.#alive()
    const ids = new Set(alive.map(({ pid }) => pid))
    // Summing up shared pages holds the process up for milliseconds: only once a second.
    const withPss = this.#samples++ % PSS_EVERY === 0
    let pss = 0
    let rss = 0
    for (const { key, pid, parent, ticks, rssBytes } of alive) {
      const orphan = !ids.has(parent) && parent !== process.pid
      this.#members.set(key, { ticks, orphan })
      rss += rssBytes
      if (withPss) pss += pssOf(pid) ?? rssBytes
    }
    this.#pss = Math.max(this.#pss, pss)
    this.#rss = Math.max(this.#rss, rss)
    this.#most = Math.max(this.#most, alive.length)
  }

  peaks(): Pick<Metered, 'peakPssBytes' | 'peakRssBytes' | 'processes'> {
    return { peakPssBytes: this.#pss, peakRssBytes: this.#rss, processes: this.#most }
  }

  /** Ticks of those that nobody of ours has waited for. */
  orphanTicks(): number {
    let sum = 0
    for (const { ticks, orphan } of this.#members.values()) if (orphan) sum += ticks
    return sum
  }

  /** Resolves when no member is left; those that stay longer are killed. */
  async emptied(withinMs: number): Promise<void> {
    const until = performance.now() + withinMs
    while (this.#alive().length > 0) {
      this.sample()
      if (performance.now() > until) this.kill()
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }

  kill(): void {
    for (const { pid } of this.#alive()) {
      try {
        process.kill(pid, 'SIGKILL')
      } catch {
        // It went by itself.
      }
    }
  }

  #alive(): readonly Stat[] {
    return running().filter((stat) => this.#belongs(stat))
  }

  #belongs({ key, pid, state }: Stat): boolean {
    // A zombie has ended; its parent will be charged when it waits for it.
    if (state === 'Z' || this.#strangers.has(key)) return false
    if (this.#members.has(key)) return true
    return read(`/proc/${pid}/environ`)?.includes(this.#mark) ?? false
  }
}

type Stat = {
  /** Process id and start time, since ids are used again. */
  readonly key: string
  readonly pid: number
  readonly parent: number
  readonly state: string
  /** Own and of children it waited for. */
  readonly ticks: number
  readonly rssBytes: number
}

function running(): Stat[] {
  const ids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return ids.map(statOf).filter((stat) => stat !== null)
}

function statOf(pid: string): Stat | null {
  const text = read(`/proc/${pid}/stat`)
  if (text === null) return null
  // The name may hold spaces and parentheses: fields are counted from its end (field 3 is first).
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  const field = (number: number) => fields[number - 3] ?? '0'
  const ticks = [14, 15, 16, 17].reduce((sum, number) => sum + Number(field(number)), 0)
  return {
    key: `${pid}@${field(22)}`,
    pid: Number(pid),
    parent: Number(field(4)),
    state: field(3),
    ticks,
    rssBytes: Number(field(24)) * PAGE_BYTES,
  }
}

/** What this process was charged for children so far. */
function waitedTicks(): number {
  const text = read('/proc/self/stat') ?? ''
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return Number(fields[13]) + Number(fields[14])
}

/** By this process and all children that it waited for. */
function writtenBytes(): number {
  const match = /^write_bytes: (\d+)/m.exec(read('/proc/self/io') ?? '')
  return match === null ? 0 : Number(match[1])
}

function pssOf(pid: number): number | null {
  const match = /^Pss:\s+(\d+) kB/m.exec(read(`/proc/${pid}/smaps_rollup`) ?? '')
  return match === null ? null : Number(match[1]) * 1024
}

/** Null when the process has ended or is not ours to read. */
function read(path: string): string | null {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return null
  }
}

function exitOf(child: ChildProcess): Promise<{ readonly exitCode: number | null }> {
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code, signal) => {
      const killed = signal !== null && signal !== 'SIGKILL'
      resolve({ exitCode: killed ? 128 + constants.signals[signal] : code })
    })
  })
}

async function textOf(stream: NodeJS.ReadableStream | null): Promise<string> {
  const pieces: Buffer[] = []
  for await (const piece of stream ?? []) pieces.push(Buffer.from(piece))
  return Buffer.concat(pieces).toString('utf8')
}
