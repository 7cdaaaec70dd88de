// Speaks to the server the page came from. What goes wrong is a value: a view shows it where it
// belongs. The shapes are the server's own.
import { signal } from '@preact/signals'

export type Problem = { readonly at: string; readonly message: string }

export type Failure = {
  /** 0: no answer at all. */
  readonly status: number
  /** `offline` when there was no answer, else the server's word. */
  readonly code: string
  readonly message: string
  /** Fields that were wrong. */
  readonly problems: readonly Problem[]
}

export type Answer<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly failure: Failure }

export type Query = Readonly<Record<string, string | number | boolean | undefined>>

/** True once the server demanded a token we do not have; the shell asks for it. */
export const signInNeeded = signal(false)

export type Session = { readonly token_needed: boolean; readonly signed_in: boolean }

/** The session; null when the server does not answer. Asks for the token where it is needed. */
export async function checkSession(): Promise<Session | null> {
  const answer = await get<Session>('/session')
  if (!answer.ok) return null
  if (answer.value.token_needed && !answer.value.signed_in) signInNeeded.value = true
  return answer.value
}

const OFFLINE: Failure = { status: 0, code: 'offline', message: '', problems: [] }

/** `/crawl/crawl_1/pages` and a query, relative to the page. Empty and missing values are left out. */
export function addressOf(path: string, query: Query = {}): string {
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== '') params.set(name, String(value))
  }
  return `.${path}${params.size === 0 ? '' : `?${params}`}`
}

export function get<T>(path: string, query: Query = {}, signal?: AbortSignal): Promise<Answer<T>> {
  return ask<T>(addressOf(path, query), { signal: signal ?? null })
}

export function post<T>(
  path: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer<T>> {
  if (body === undefined) return ask<T>(addressOf(path), { method: 'POST', headers })
  const typed = { ...headers, 'content-type': 'application/json' }
  return ask<T>(addressOf(path), { method: 'POST', headers: typed, body: JSON.stringify(body) })
}

export function put<T>(path: string, body: unknown): Promise<Answer<T>> {
  const headers = { 'content-type': 'application/json' }
  return ask<T>(addressOf(path), { method: 'PUT', headers, body: JSON.stringify(body) })
}

export function remove<T>(path: string): Promise<Answer<T>> {
  return ask<T>(addressOf(path), { method: 'DELETE' })
}

async function ask<T>(address: string, init: RequestInit): Promise<Answer<T>> {
  let response: Response
  let text: string
  try {
    response = await fetch(address, { ...init, credentials: 'same-origin', cache: 'no-store' })
    text = await response.text()
  } catch {
    return { ok: false, failure: OFFLINE }
  }
  if (response.status === 401) signInNeeded.value = true
  const body = parsed(text)
  if (response.ok && body !== undefined) return { ok: true, value: body }
  return { ok: false, failure: failureOf(response.status, body) }
}

// The server's answers are taken by their shape: `JSON.parse` gives no type of its own.
function parsed(text: string): ReturnType<typeof JSON.parse> {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** What an error reply says; whatever came instead of one is named by its status alone. */
export function failureOf(status: number, body: unknown): Failure {
  const { error }: { error?: unknown } = { ...Object(body) }
  const { code, message, problems }: Readonly<Record<string, unknown>> = { ...Object(error) }
  return {
    status,
    code: typeof code === 'string' ? code : 'unexpected',
    message: typeof message === 'string' ? message : '',
    problems: Array.isArray(problems) ? problems.flatMap(problemOf) : [],
  }
}

function problemOf(entry: unknown): Problem[] {
  const { at, message }: Readonly<Record<string, unknown>> = { ...Object(entry) }
  return typeof at === 'string' && typeof message === 'string' ? [{ at, message }] : []
}
