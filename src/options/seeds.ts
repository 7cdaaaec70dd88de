// Seeds as people write them: with or without a scheme, in a file with comments, in a variable.
import { type CanonicalUrl, canonicalise, hostOf } from '../core/url.ts'

const LOOPBACK = /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i

/** The URL of a seed: https without a scheme (http for loopback); null when it is not a URL. */
export function seedUrl(written: string): CanonicalUrl | null {
  const text = written.trim()
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return canonicalise(text)
  // `mailto:x` is not a host called mailto; `localhost:8080` is one with a port.
  if (text === '' || /^[/?#-]|\s|^[^/]*:(?!\d)/.test(text.replace(/^\[[0-9a-f:.]+\]/i, 'v6')))
    return null
  const host = text.split(/[/?#]/, 1)[0] ?? ''
  return canonicalise(`${LOOPBACK.test(host) ? 'http' : 'https'}://${text}`)
}

/** True when a seed has a user name or a password, which canonical URLs drop. */
export function hasCredentials(written: string): boolean {
  const authority = written.trim().replace(/^[a-z][a-z0-9+.-]*:\/\//i, '')
  return /^[^/?#\\]*@/.test(authority)
}

export function isLoopback(url: CanonicalUrl): boolean {
  return LOOPBACK.test(hostOf(url))
}

type SeedLine = { readonly line: number; readonly text: string }

/** One URL per line; empty lines and lines that begin with # are skipped. */
export function seedLines(file: string): readonly SeedLine[] {
  return file
    .replace(/^\ufeff/, '')
    .split(/\r\n|\n|\r/)
    .map((text, at) => ({ line: at + 1, text: text.trim() }))
    .filter(({ text }) => text !== '' && !text.startsWith('#'))
}
