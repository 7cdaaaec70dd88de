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
    const text = why instanceof Error ? why.message : String(why)
    const line = text.replaceAll(/\s+/g, ' ').trim().slice(0, MAX_MESSAGE)
    super(`plugin-error: ${plugin}.${hook}: ${line || 'it threw'}`)
    this.name = 'HookError'
  }
}

export type HookCaller = {
  readonly plugin: string
  readonly hook: PluginHook
  readonly mark: HookMark
  readonly withinMs?: number
}

/** Rejects with a `HookError`, and with nothing else. A thread has one hook under way at a time. */
export async function callHook<T>(caller: HookCaller, work: () => Answer<T>): Promise<T> {
  const { plugin, hook, mark, withinMs = HOOK_MS } = caller
  try {
    mark.enter(plugin, hook)
    const answer = work()
    return isPromise(answer) ? await inTime(answer, withinMs) : answer
  } catch (error) {
    throw error instanceof HookError ? error : new HookError(plugin, hook, error)
  } finally {
    mark.leave()
  }
}

export function isPromise<T>(answer: Answer<T>): answer is Promise<T> {
  return typeof answer === 'object' && answer !== null && 'then' in answer
}

async function inTime<T>(answer: Promise<T>, withinMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    const why = new Error(`no answer within ${withinMs / 1000} s`)
    timer = setTimeout(() => reject(why), withinMs)
  })
  // An answer that comes too late must not end the thread.
  answer.catch(() => {})
  return Promise.race([answer, late]).finally(() => clearTimeout(timer))
}
