// Flags of V8 with which a process does long work better. They also decide whether compiled code may be used again:
// Node brings its own modules compiled without them, and compiling those costs each process and each thread 25 ms of
// processor time or more. So they are set after modules are loaded, and not while a thread loads its own.
import { cachedDataVersionTag, setFlagsFromString } from 'node:v8'

/**
 * How far the old generation may grow between two full collections, in percent of what is alive. By its own
 * estimate V8 collects after every 8 MB, and buffers outside of the heap count: 30 times in a crawl of 5,000
 * pages, each for some 20 MB that stay alive. With this it waits until that much is new.
 */
const HEAP_GROWTH_PERCENT = 100
/**
 * How busy a function must be before V8's last compiler takes it: ten times what V8 says. A crawl has hundreds of
 * functions that are busy for a while, and compiling them took a tenth of a crawl of 5,000 pages. What is busy all
 * the time is compiled a moment later.
 */
const CALLS_BEFORE_LAST_COMPILER = 30_000

/** What V8 compares this with: such a value is as good as none. It depends on the version. */
const ORDINARY_CALLS: readonly number[] = [10_000, 3000]
const WITHOUT_FLAGS = cachedDataVersionTag()

/** For a process whose modules are loaded, and which starts no more threads. */
export function setWorkFlags(): void {
  setFlagsFromString(`--heap-growing-percent=${HEAP_GROWTH_PERCENT}`)
  setFlagsFromString(`--invocation-count-for-turbofan=${CALLS_BEFORE_LAST_COMPILER}`)
}

function unsetWorkFlags(): void {
  setFlagsFromString('--heap-growing-percent=0')
  for (const calls of ORDINARY_CALLS) {
    setFlagsFromString(`--invocation-count-for-turbofan=${calls}`)
    if (cachedDataVersionTag() === WITHOUT_FLAGS) return
  }
}

/** For a process that starts threads: its flags are those of all threads. */
export class ThreadFlags {
  #loading = 0
  #areSet = false

  /** The flags are set as soon as no thread is loading. */
  async during(loaded: Promise<void>): Promise<void> {
    if (this.#areSet) unsetWorkFlags()
    this.#areSet = false
    this.#loading += 1
    await loaded
    this.#loading -= 1
    if (this.#loading > 0) return
    setWorkFlags()
    this.#areSet = true
  }
}
