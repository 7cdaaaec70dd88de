// Processor time of programs that go on running while they are looked at.
import { readdirSync, readFileSync } from 'node:fs'

/** Ticks per second in /proc: USER_HZ is 100 on every Linux that Node runs on. */
const TICKS = 100

type Seen = {
  readonly pid: number
  readonly parent: number
  /** Its own, and that of children which ended and were waited for. */
  readonly seconds: number
}

/** Seconds that a process and all below it have used so far, those that ended included. */
export function cpuSecondsBelow(root: number): number {
  const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  const seen = all.map(Number).flatMap(look)
  const below = new Set([root])
  // Parents come before their children nearly always; the loop ends when nothing is added.
  for (let before = 0; before !== below.size; ) {
    before = below.size
    for (const { pid, parent } of seen) if (below.has(parent)) below.add(pid)
  }
  return seen.reduce((sum, { pid, seconds }) => sum + (below.has(pid) ? seconds : 0), 0)
}

function look(pid: number): readonly Seen[] {
  let stat: string
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  } catch {
    return []
  }
  // After the name in brackets: state, parent, …; fields 14 to 17 of proc(5) are the four times.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0)
  return [{ pid, parent: Number(fields[1]), seconds: ticks / TICKS }]
}
