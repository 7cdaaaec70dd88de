// The hosts that may be visited now, in the order of the policy. They are kept in lines: under a policy that
// ranks domains there is one line per domain, so that one more page of a domain moves one line and not all of
// its hosts; else there is one line for all. Quick, slow and new hosts have separate lines, so that many
// hosts that may not be picked now do not hide the others.
import { IndexedHeap } from '../../lib/indexed-heap.ts'
import type { HostPace } from '../frontier.ts'
import type { HostPolicy } from '../policy/host-policy.ts'
import { type Host, Line, type Site } from './host.ts'

/** The rank of hosts that are always first, whatever the policy. */
const ABOVE_ALL = Number.NEGATIVE_INFINITY

const PACES: readonly HostPace[] = ['quick', 'new', 'slow']

export type HostLine = Line<Host>

type Lines = Readonly<Record<HostPace, HostLine>>

export class ReadyHosts {
  readonly #policy: HostPolicy
  readonly #heaps: Readonly<Record<HostPace, IndexedHeap<HostLine>>> = {
    quick: new IndexedHeap(),
    new: new IndexedHeap(),
    slow: new IndexedHeap(),
  }
  readonly #again = linesOf(true)
  readonly #all = linesOf(false)
  readonly #aside: HostLine[] = []
  #size = 0

  constructor(policy: HostPolicy) {
    this.#policy = policy
  }

  get size(): number {
    return this.#size
  }

  /** Puts a host into its line, or moves it to the right one. */
  put(host: Host, isAgain: boolean): void {
    const line = isAgain ? this.#again[host.pace] : this.#lineFor(host)
    if (host.line !== line) {
      this.remove(host)
      host.line = line
      this.#size += 1
    }
    line.put(host, this.#keyIn(line))
    this.#rank(line)
  }

  remove(host: Host): void {
    const { line, site } = host
    if (line === null) return
    host.line = null
    this.#size -= 1
    line.remove(host)
    this.#rank(line)
    if (line.first !== undefined || site.lines?.[line.pace] !== line) return
    delete site.lines[line.pace]
    if (PACES.every((pace) => site.lines?.[pace] === undefined)) site.lines = null
  }

  /** Ranks the lines of a domain again after its rank has changed. */
  rerank({ lines }: Site): void {
    if (lines === null) return
    for (const pace of PACES) {
      const line = lines[pace]
      if (line !== undefined) this.#rank(line)
    }
  }

  /** The first line whose pace is wanted; undefined if there is none. */
  first(wants: (pace: HostPace) => boolean): HostLine | undefined {
    let best: IndexedHeap<HostLine> | undefined
    for (const pace of PACES) {
      const heap = this.#heaps[pace]
      if (heap.size === 0 || !wants(pace)) continue
      if (best === undefined || heap.isBefore(best)) best = heap
    }
    return best?.first
  }

  /** Ranks the first host of the first line by current knowledge; false if another is then first. */
  isStillFirst(line: HostLine): boolean {
    const host = line.first
    if (host === undefined) return false
    const heap = this.#heaps[line.pace]
    const before = heap.firstKey
    host.look()
    line.put(host, this.#keyIn(line))
    this.#rank(line)
    return line.first === host && this.#rankOf(line, host) <= before
  }

  setAside(line: HostLine): void {
    line.isAside = true
    this.#heaps[line.pace].remove(line)
    this.#aside.push(line)
  }

  /** Returns all hosts that were set aside to their places. */
  takeBack(): void {
    for (const line of this.#aside) {
      line.isAside = false
      this.#rank(line)
    }
    this.#aside.length = 0
  }

  #lineFor({ pace, site }: Host): HostLine {
    if (this.#policy.rankInSite === undefined) return this.#all[pace]
    site.lines ??= {}
    site.lines[pace] ??= new Line<Host>(pace, false)
    return site.lines[pace]
  }

  #rank(line: HostLine): void {
    const heap = this.#heaps[line.pace]
    const { first } = line
    if (first === undefined || line.isAside) heap.remove(line)
    else heap.put(line, this.#rankOf(line, first), this.#tieOf(line, first))
  }

  #rankOf({ isAgain }: HostLine, first: Host): number {
    return isAgain ? ABOVE_ALL : this.#policy.rank(first)
  }

  #tieOf({ isAgain }: HostLine, host: Host): number {
    return isAgain ? host.lastVisit : (this.#policy.tie?.(host) ?? host.id)
  }

  #keyIn(line: HostLine): (host: Host) => readonly [key: number, tie: number] {
    const { rankInSite, rank } = this.#policy
    const rankIn = rankInSite ?? rank
    return (host) => [line.isAgain ? ABOVE_ALL : rankIn(host), this.#tieOf(line, host)]
  }
}

function linesOf(isAgain: boolean): Lines {
  return {
    quick: new Line<Host>('quick', isAgain),
    new: new Line<Host>('new', isAgain),
    slow: new Line<Host>('slow', isAgain),
  }
}
