// The hook `request` in a thread beside the scouter: one request after the other, so that it is known which
// one a hook hangs on.
import { parentPort, workerData } from 'node:worker_threads'
import type { PluginRecord } from '../core/plugin.ts'
import { asHookError, callHook, HookError } from './call-hook.ts'
import { HookMark } from './hook-mark.ts'
import { loadRecorded } from './load-plugin.ts'
import type { Plugin, PluginRequest, RequestChanges } from './plugin.ts'
import { passOverStrays } from './strays.ts'

type RequestThreadData = {
  readonly plugins: readonly PluginRecord[]
  readonly hookMark: SharedArrayBuffer
}

/** Headers to add, or why the request must not be sent. */
export type RequestAnswer =
  | { readonly headers: Readonly<Record<string, string>> }
  | { readonly failed: string }

export type RequestReply = 'ready' | RequestAnswer

const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9a-z-]{1,100}$/
/** Visible characters, spaces and tabs, as far as Latin-1 goes. */
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]{0,8000}$/
const COOKIE_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/
const COOKIE_VALUE = /^[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]{0,4000}$/
/** Those of HTTP itself, those that say who asks, and those that decide what the answer means. */
const OURS =
  /^(?:host|user-agent|connection|content-.*|transfer-encoding|te|trailer|upgrade|expect|keep-alive|proxy-.*|accept-encoding|range|if-.*)$/
const MAX_HEADERS = 50

// request-hooks.ts passes exactly this.
const { plugins: records, hookMark } = workerData as RequestThreadData
const mark = new HookMark(
  records.map(({ name }) => name),
  hookMark,
)
const plugins: Plugin[] = []
for (const record of records) plugins.push(await loadRecorded(record))
passOverStrays()

let before: Promise<void> = Promise.resolve()
parentPort?.on('message', (request: PluginRequest) => {
  before = before.then(async () => say(await answer(request)))
})
say('ready')

function say(reply: RequestReply): void {
  parentPort?.postMessage(reply)
}

async function answer(request: PluginRequest): Promise<RequestAnswer> {
  let headers: Record<string, string> = {}
  for (const plugin of plugins) {
    const { name } = plugin
    try {
      const changes = await callHook({ plugin: name, hook: 'request', mark }, () =>
        plugin.request?.(request),
      )
      headers = { ...headers, ...headersOf(changes, name) }
    } catch (error) {
      return { failed: asHookError(name, 'request', error).message }
    }
  }
  return { headers }
}

function headersOf(changes: RequestChanges | undefined | null, plugin: string) {
  const refuse = (why: string): never => {
    throw new HookError(plugin, 'request', why)
  }
  if (changes === undefined || changes === null) return {}
  if (typeof changes !== 'object') return refuse('it answers with headers and cookies')
  const { headers = {}, cookies = {}, ...rest } = changes
  const [unknown] = Object.keys(rest)
  if (unknown !== undefined) refuse(`it answered with "${unknown}", not with headers and cookies`)
  const added: Record<string, string> = {}
  for (const [written, value] of entriesOf(headers)) {
    const name = written.toLowerCase()
    if (OURS.test(name)) refuse(`the header ${name} cannot be set`)
    if (!HEADER_NAME.test(name)) refuse('a header has a wrong name')
    if (!HEADER_VALUE.test(value)) refuse(`the header ${name} has a wrong value`)
    added[name] = value
  }
  const pairs = entriesOf(cookies).map(([name, value]) => {
    const isRight = COOKIE_NAME.test(name) && COOKIE_VALUE.test(value)
    return isRight ? `${name}=${value}` : refuse('a cookie has a wrong name or value')
  })
  if (pairs.length > 0) added.cookie = [added.cookie, ...pairs].filter(Boolean).join('; ')
  return Object.keys(added).length > MAX_HEADERS ? refuse('it sets too many headers') : added

  function entriesOf(values: unknown): [string, string][] {
    if (typeof values !== 'object' || values === null) return refuse('headers are no object')
    return Object.entries(values).map(([name, value]) =>
      typeof value === 'string' ? [name, value] : refuse(`${name} is no text`),
    )
  }
}
