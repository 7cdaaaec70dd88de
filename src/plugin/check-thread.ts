// Loads one plug-in in a thread of its own, tells what it is, and ends: whatever its code does at the top of
// the module happens here, and not in the program that asks.
import { parentPort, workerData } from 'node:worker_threads'
import { moduleProblem } from '../core/errors.ts'
import type { PluginRecord } from '../core/plugin.ts'
import { BadPlugin, loadPlugin, recordOf } from './load-plugin.ts'

export type CheckRequest = {
  readonly from: string
  readonly file: string
  /** The version of its package; '' if it has none. */
  readonly packaged: string
}

export type CheckReply =
  | { readonly record: PluginRecord }
  | { readonly problems: readonly string[] }

// check-plugins.ts passes exactly this.
const { from, file, packaged } = workerData as CheckRequest
const say = (reply: CheckReply): void => parentPort?.postMessage(reply)

try {
  say({ record: recordOf(from, file, await loadPlugin(file), packaged) })
} catch (error) {
  if (error instanceof BadPlugin) say({ problems: error.problems })
  else say({ problems: [`cannot be loaded: ${moduleProblem(error)}`] })
}
parentPort?.close()
