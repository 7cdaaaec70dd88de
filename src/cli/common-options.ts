// Options that several commands share.

import { Refused } from '../core/errors.ts'
import { canonicalise, hostOf } from '../core/url.ts'
import { flag, number, type Option, text } from '../options/option.ts'

export const JSON_OUTPUT: Option<{ readonly json: boolean }> = flag({
  name: 'json',
  help: 'print JSON on stdout',
  to: (json) => ({ json }),
})

export const QUIET: Option<{ readonly quiet: boolean }> = flag({
  name: 'quiet',
  help: 'no progress, only the result and errors',
  to: (quiet) => ({ quiet }),
})

export const VERBOSE: Option<{ readonly verbose: boolean }> = flag({
  name: 'verbose',
  help: 'say more about what happens',
  to: (verbose) => ({ verbose }),
})

export const CRAWL: Option<{ readonly crawl: string }> = text({
  name: 'crawl',
  value: 'ID|NAME',
  default: 'the newest',
  help: 'which crawl, by number (3 or crawl_3) or name; jelajah crawls lists them',
  to: (crawl) => ({ crawl }),
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
  to: (limit) => ({ limit }),
})

/** A host as URLs spell it: lower case, punycode, without the port of the scheme. */
function hostFrom(written: string): string {
  const [, scheme, host = ''] = /^(https?:\/\/)?([^/?#@\\\s]+)\/?$/i.exec(written) ?? []
  const url = canonicalise(`${scheme ?? (host.endsWith(':443') ? 'https://' : 'http://')}${host}`)
  if (host !== '' && url !== null) return hostOf(url)
  throw new Refused('needs a host such as example.com or localhost:8080')
}
