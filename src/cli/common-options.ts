// Options that several commands share.
import { Refused, shown } from '../core/errors.ts'
import { PAGE_KINDS, type PageKind } from '../core/page.ts'
import { canonicalise, hostOf } from '../core/url.ts'
import { choice, flag, number, type Option, text } from '../options/option.ts'
import { sinceTime, untilTime } from '../options/values.ts'

export const JSON_OUTPUT: Option<{ readonly json: boolean }> = flag({
  name: 'json',
  help: 'print JSON on stdout',
})

export const QUIET: Option<{ readonly quiet: boolean }> = flag({
  name: 'quiet',
  help: 'no progress, only the result and errors',
})

export const VERBOSE: Option<{ readonly verbose: boolean }> = flag({
  name: 'verbose',
  help: 'say more about what happens',
})

export const CRAWL: Option<{ readonly crawl: string }> = text({
  name: 'crawl',
  value: 'ID|NAME',
  default: 'the newest',
  help: 'which crawl, by number (3 or crawl_3) or name; jelajah crawls lists them',
})

export const HOST: Option<{ readonly host: string }> = text({
  name: 'host',
  value: 'HOST',
  help: 'only this host, with its port where the URL has one',
  to: (host) => ({ host: hostFrom(host) }),
})

export const ROW_LIMIT: Option<{ readonly limit: number }> = number({
  name: 'limit',
  min: 1,
  help: 'at most N rows',
})

/** A host as URLs spell it: lower case, punycode, without the port of the scheme. */
function hostFrom(written: string): string {
  const [, scheme, host = ''] = /^(https?:\/\/)?([^/?#@\\\s]+)\/?$/i.exec(written) ?? []
  const url = canonicalise(`${scheme ?? (host.endsWith(':443') ? 'https://' : 'http://')}${host}`)
  if (host !== '' && url !== null) return hostOf(url)
  throw new Refused('needs a host such as example.com or localhost:8080')
}

/** Options that select pages, for commands that read or search them. */
export const LANGUAGE: Option<{ readonly language: string }> = text({
  name: 'language',
  value: 'TAG',
  help: 'only pages in this language, such as id or en',
  ignoresVariable: areLanguages,
  to: (written) => {
    if (isLanguage(written)) return { language: written }
    throw new Refused(`needs the tag of one language, such as id or en, not ${shown(written)}`)
  },
})

/** A crawl takes several languages; JELAJAH_LANGUAGE then has no effect on options that take one. */
export function areLanguages(text: string): boolean {
  return text.includes(',')
}

/** Pages may declare any language there is, also one that cannot be detected in a text. */
function isLanguage(tag: string): boolean {
  if (!/^[a-z]{2,3}(?:[-_][a-z0-9]{1,8})*$/i.test(tag)) return false
  const [code = ''] = tag.toLowerCase().split(/[-_]/)
  const names = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' })
  return names.of(code) !== undefined
}

export const KIND: Option<{ readonly kind: PageKind }> = choice({
  name: 'kind',
  value: 'KIND',
  help: `only pages of this kind: ${PAGE_KINDS.join(', ')}`,
  choices: PAGE_KINDS,
})

export const TOPIC: Option<{ readonly topic: string }> = text({
  name: 'topic',
  help: 'only hot pages of crawls about this, in the words they were given',
})

/** Kept as written: an age counts from when the command runs. */
export const SINCE: Option<{ readonly since: string }> = text({
  name: 'since',
  value: 'WHEN',
  help: 'only pages fetched since: 2026-11-01, a time, or an age such as 7d, 12h, 30m',
  to: (since) => {
    sinceTime(since, Date.now())
    return { since }
  },
})

/** Kept as written: an age counts from when the command runs. */
export const UNTIL: Option<{ readonly until: string }> = text({
  name: 'until',
  value: 'WHEN',
  help: 'only pages fetched until: a day, which counts whole, a time, or an age',
  to: (until) => {
    untilTime(until, Date.now())
    return { until }
  },
})

export const PUBLISHED_SINCE: Option<{ readonly publishedSince: string }> = text({
  name: 'published-since',
  value: 'WHEN',
  help: 'only pages published since, as they say themselves',
  to: (publishedSince) => {
    sinceTime(publishedSince, Date.now())
    return { publishedSince }
  },
})

export const PUBLISHED_UNTIL: Option<{ readonly publishedUntil: string }> = text({
  name: 'published-until',
  value: 'WHEN',
  help: 'only pages published until',
  to: (publishedUntil) => {
    untilTime(publishedUntil, Date.now())
    return { publishedUntil }
  },
})

export const HOT: Option<{ readonly hot: boolean }> = flag({
  name: 'hot',
  help: 'only hot pages: those a focused crawl is after',
})

export const MIN_RELEVANCE: Option<{ readonly minRelevance: number }> = number({
  name: 'min-relevance',
  value: 'X',
  min: 0,
  max: 1,
  fraction: true,
  help: 'only pages at least this relevant, 0 to 1',
})
