// Globs over URLs, for `--include` and `--exclude`. Never a regular expression: whatever the
// pattern, a match takes at most (length of pattern) × (length of URL) steps.
//
//   *       any characters but `/`         ?       any one character but `/`
//   **      any characters                 {a,b}   a or b; may be nested
//   **/     any number of folders, also none
// (in a query `/` is a character like any other)
//
// What a glob is held against depends on how it begins:
//   https://example.com/blog/**   has a scheme: the whole URL
//   *.example.com/blog/**         has a slash: host, path and query, under any scheme
//   /blog/**                      begins with a slash: path and query, on any host
//   *.pdf, *.example.com          no slash: the host, or any one part of the path between
//                                 slashes (the last one with its query)
// A host without a path (`https://example.com`) means all of that host. Since `?` stands for any
// character, it also stands for itself in `/search?q=*`. Hosts are compared in small letters,
// paths as they are; escapes in the spelling that URLs are stored in.
import { domainToASCII } from 'node:url'
import { InvalidInput } from './errors.ts'
import { expandBraces } from './glob-braces.ts'
import { compileMatcher, type Matcher } from './glob-machine.ts'
import { normalisePercent } from './percent.ts'
import { type CanonicalUrl, hostOf, pathOf } from './url.ts'

export type UrlGlob = {
  readonly pattern: string
  matches(url: CanonicalUrl): boolean
}

const MAX_PATTERN = 512
const SCHEME = /^(?:http|https|\*):\/\//i

/** `at` names the option that an error is about. Throws `InvalidInput` on a glob that makes no sense. */
export function compileGlob(pattern: string, at = 'glob'): UrlGlob {
  const trimmed = pattern.trim()
  if (trimmed === '') throw new InvalidInput(at, 'a glob must not be empty')
  if (trimmed.length > MAX_PATTERN) {
    throw new InvalidInput(at, `a glob may have ${MAX_PATTERN} characters at most`)
  }
  const alternatives = expandBraces(trimmed, at).map((text) => compileOne(text, at))
  return {
    pattern,
    matches: (url) => alternatives.some((matches) => matches(url)),
  }
}

function compileOne(text: string, at: string): (url: CanonicalUrl) => boolean {
  if (/\s/.test(text)) throw new InvalidInput(at, `the glob "${text}" has white space in it`)
  const scheme = SCHEME.exec(text)?.[0].toLowerCase()
  if (scheme !== undefined) {
    return against(scheme + hostAndPath(text.slice(scheme.length)), (url) => url)
  }
  if (/^[\w+.-]*:\/\//.test(text)) {
    throw new InvalidInput(at, `the glob "${text}" has a scheme that is never crawled`)
  }
  if (text.startsWith('/')) return against(normalisePercent(text), pathOf)
  if (text.includes('/')) return against(hostAndPath(text), (url) => hostOf(url) + pathOf(url))
  return anyPart(text)
}

function against(text: string, part: (url: CanonicalUrl) => string) {
  const matcher = compileMatcher(text)
  return (url: CanonicalUrl) => matcher.matches(part(url))
}

function anyPart(text: string): (url: CanonicalUrl) => boolean {
  const host = compileMatcher(asciiHost(text))
  const segment = compileMatcher(normalisePercent(text))
  return (url) => host.matches(hostOf(url)) || someSegment(pathOf(url), segment)
}

function someSegment(path: string, matcher: Matcher): boolean {
  const query = path.indexOf('?')
  const segments = (query < 0 ? path : path.slice(0, query)).split('/')
  if (query >= 0) segments.push(`${segments.pop() ?? ''}${path.slice(query)}`)
  return segments.some((segment) => matcher.matches(segment))
}

function hostAndPath(text: string): string {
  const slash = text.indexOf('/')
  if (slash < 0) return `${asciiHost(text)}/**`
  return asciiHost(text.slice(0, slash)) + normalisePercent(text.slice(slash))
}

/** Labels with a wildcard in them cannot be written in Punycode and stay as they are. */
function asciiHost(host: string): string {
  const labels = host.toLowerCase().split('.')
  return labels.map((label) => (/[^!-~]/.test(label) ? domainToASCII(label) : label)).join('.')
}
