// The few claims that most cases make of a crawl.
import assert from 'node:assert/strict'
import type { Seen } from './crawls.ts'

/** Each of these URLs ended in this state for a reason of this form; says what was seen. */
export function ended(
  seen: Seen,
  urls: readonly string[],
  state: RegExp,
  reason: RegExp = /^/,
): string {
  const said = urls.map((url) => {
    const row = seen.url(url)
    const text = `${row.state}${row.reason ? ` ${row.reason}` : ''}`
    assert.match(row.state, state, `${url} is ${text}`)
    assert.match(row.reason ?? '', reason, `${url} is ${text}`)
    return text
  })
  return [...new Set(said)].slice(0, 4).join(' | ')
}

export function failed(seen: Seen, urls: readonly string[], reason: RegExp): string {
  return ended(seen, urls, /^failed$/, reason)
}

export function stored(seen: Seen, urls: readonly string[]): string {
  return ended(seen, urls, /^(?:stored|duplicate)$/)
}

export function http(...hosts: readonly string[]): string[] {
  return hosts.map((host) => `http://${host}/`)
}
