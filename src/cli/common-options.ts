// Options that several commands share.
import { statSync } from 'node:fs'
import { dirname } from 'node:path'
import { flag, number, type Option, Refused, text } from '../core/option.ts'
import { canonicalise, hostOf } from '../core/url.ts'
import type { Problems } from '../request/bad-options.ts'
import type { Args } from './args.ts'

export const DEFAULT_DATA = './jelajah-data'

export const DATA: Option<{ readonly dataDir: string }> = text({
  name: 'data',
  env: 'JELAJAH_DATA',
  value: 'DIR',
  default: DEFAULT_DATA,
  help: 'the folder where crawls live',
  to: (dataDir) => {
    if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(dataDir)) return { dataDir }
    throw new Refused('needs a folder; database URLs are not available in this version')
  },
})

/** Says when `dataDir` cannot be a folder because a file is in its place. */
export function refuseFile(dataDir: string, args: Args, problems: Problems): void {
  const file = fileAt(dataDir)
  if (file === null) return
  const source = args.given.has('data') ? 'flag' : 'environment'
  problems.add(source, '--data', `${file} is a file, not a folder`)
}

/** The path itself or one above it, where that is a file; null when there is none in the way. */
function fileAt(path: string): string | null {
  try {
    return statSync(path).isDirectory() ? null : path
  } catch {
    return dirname(path) === path ? null : fileAt(dirname(path))
  }
}

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
