// Which hook of which plug-in runs in a thread, in memory that its watcher sees too: a thread that hangs or
// dies cannot say so any more.
import { PLUGIN_HOOKS, type PluginHook } from '../core/plugin.ts'

const [RUNNING, CALLS] = [0, 1]
const LONGS = 2

export class HookMark {
  readonly buffer: SharedArrayBuffer
  readonly #words: Int32Array
  readonly #names: readonly string[]

  /** `names`: of the plug-ins, in the order of their records. */
  constructor(
    names: readonly string[],
    buffer = new SharedArrayBuffer(LONGS * Int32Array.BYTES_PER_ELEMENT),
  ) {
    this.buffer = buffer
    this.#words = new Int32Array(buffer)
    this.#names = names
  }

  /** From now on this hook runs. */
  enter(name: string, hook: PluginHook): void {
    const at = this.#names.indexOf(name) * PLUGIN_HOOKS.length + PLUGIN_HOOKS.indexOf(hook)
    Atomics.store(this.#words, RUNNING, at + 1)
    Atomics.add(this.#words, CALLS, 1)
  }

  leave(): void {
    Atomics.store(this.#words, RUNNING, 0)
  }

  /** The number of the call that runs; null if none does. */
  get call(): number | null {
    return Atomics.load(this.#words, RUNNING) === 0 ? null : Atomics.load(this.#words, CALLS)
  }

  /** `mine.parsed`; null if no hook runs. */
  get running(): string | null {
    const at = Atomics.load(this.#words, RUNNING) - 1
    if (at < 0) return null
    const name = this.#names[Math.floor(at / PLUGIN_HOOKS.length)] ?? 'a plug-in'
    return `${name}.${PLUGIN_HOOKS[at % PLUGIN_HOOKS.length]}`
  }

  /** The reason with which a thread was lost, with the hook to blame if one was running. */
  blame(reason: string): string {
    const { running } = this
    return running === null ? reason : `plugin-error: ${running}: ${reason}`
  }
}
