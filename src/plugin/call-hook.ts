// One call of a hook: with a deadline where it answers later, and with its name in the error where it fails.
import type { PluginHook } from '../core/plugin.ts'
import type { HookMark } from './hook-mark.ts'
import type { Answer } from './plugin.ts'

/** How long a hook may take to answer later. */
export const HOOK_MS = 5_000
const MAX_MESSAGE = 200

/** A hook threw, took too long, or answered nonsense. The message is a reason of `urls`. */
export class HookError extends Error {
  constructor(plugin: string, hook: string, why: unknown) {
    super(`plugin-error: ${plugin}.${hook}: ${inWords(why).slice(0, MAX_MESSAGE) || 'it threw'}`)
    this.name = 'HookError'
  }
}

/** What a plug-in threw or answered, on one line. It may be anything, also what has no text. */
export function inWords(given: unknown): string {
  try {
    const text = String(given instanceof Error ? given.message : given)
    return text.replaceAll(/\s+/g, ' ').trim()
  } catch {
    return 'something that has no text'
  }
}

export function asHookError(plugin: string, hook: string, error: unknown): HookError {
  return error instanceof HookError ? error : new HookError(plugin, hook, error)
}

type HookCaller = {
  readonly plugin: string
  readonly hook: PluginHook
  readonly mark: HookMark
}

/** Rejects with a `HookError`, and with nothing else. A thread has one hook under way at a time. */
export async function callHook<T>(caller: HookCaller, work: () => Answer<T>): Promise<T> {
  const { plugin, hook, mark } = caller
  try {
    mark.enter(plugin, hook)
    const answer = work()
    return isPromise(answer) ? await inTime(answer) : answer
  } catch (error) {
    throw asHookError(plugin, hook, error)
  } finally {
    mark.leave()
  }
}

export function isPromise<T>(answer: Answer<T>): answer is Promise<T> {
  if (typeof answer !== 'object' || answer === null) return false
  return 'then' in answer && typeof answer.then === 'function'
}

/** What comes too late is dropped. A promise of another library may have nothing but `then`. */
async function inTime<T>(answer: PromiseLike<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    const why = new Error(`no answer within ${HOOK_MS / 1000} s`)
    timer = setTimeout(() => reject(why), HOOK_MS)
  })
  return Promise.race([answer, late]).finally(() => clearTimeout(timer))
}
