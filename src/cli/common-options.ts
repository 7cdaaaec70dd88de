// Options that several commands share.
import { flag, number, type Option, Refused, text } from '../core/option.ts'

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
  help: 'which crawl',
  to: (crawl) => ({ crawl }),
})

export const HOST: Option<{ readonly host: string }> = text({
  name: 'host',
  value: 'HOST',
  help: 'only this host, with its port where the URL has one',
  to: (host) => ({ host: host.toLowerCase() }),
})

export const ROW_LIMIT: Option<{ readonly limit: number }> = number({
  name: 'limit',
  min: 1,
  help: 'at most N rows',
  to: (limit) => ({ limit }),
})
