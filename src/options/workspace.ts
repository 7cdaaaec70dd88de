// Where crawls live, as options: a folder, or the URLs of a database and of a frontier that many machines
// share. No message shows a URL as it was written: it may hold a password.
import { Refused } from '../core/errors.ts'
import {
  DEFAULT_DATA,
  isServerUrl,
  type WorkspaceChoice,
  wrongParameter,
} from '../core/workspace-url.ts'
import { number, type Option, text } from './option.ts'

/** A server that restarts is back within this time. */
const DEFAULT_STORE_TIMEOUT_S = 60
const MAX_STORE_TIMEOUT_S = 86_400

const DATABASES = ['postgres:', 'postgresql:']
const FRONTIERS = ['redis:', 'rediss:', 'redis+cluster:', 'rediss+cluster:']

export const DATA: Option<Pick<WorkspaceChoice, 'dataDir'>> = text({
  name: 'data',
  env: 'JELAJAH_DATA',
  value: 'DIR|URL',
  default: DEFAULT_DATA,
  help: 'where crawls live: a folder, or postgres://user:password@host/database',
  to: (dataDir) => ({ dataDir: isServerUrl(dataDir) ? databaseUrl(dataDir) : dataDir }),
})

/** The folder of the demo. */
export const FOLDER: typeof DATA = text({
  name: 'data',
  value: 'DIR',
  // A demo must not land among real crawls.
  fromEnvironment: false,
  default: 'a folder of its own',
  help: 'the folder where crawls live',
  to: (dataDir) => {
    if (!isServerUrl(dataDir)) return { dataDir }
    throw new Refused('needs a folder')
  },
})

export const FRONTIER: Option<{ readonly frontier: string }> = text({
  name: 'frontier',
  env: 'JELAJAH_FRONTIER',
  value: 'URL',
  help: 'beside a database: redis://host:6379 (rediss: with TLS, redis+cluster: several hosts)',
  to: (frontier) => ({ frontier: frontierUrl(frontier) }),
})

export const STORE_TIMEOUT: Option<{ readonly storeTimeoutMs: number }> = number({
  name: 'store-timeout',
  env: 'JELAJAH_STORE_TIMEOUT',
  value: 'SECONDS',
  min: 0.001,
  max: MAX_STORE_TIMEOUT_S,
  fraction: true,
  default: String(DEFAULT_STORE_TIMEOUT_S),
  help: 'how long a database or a frontier may be away before the command ends with exit code 8',
  to: (seconds) => ({ storeTimeoutMs: Math.max(1, Math.round(seconds * 1000)) }),
})

function databaseUrl(written: string): string {
  const url = URL.parse(written)
  if (!DATABASES.some((scheme) => written.toLowerCase().startsWith(`${scheme}//`))) {
    throw new Refused('needs a folder or postgres://host/database')
  }
  const wrong = wrongParameter(written)
  if (wrong !== null) throw new Refused(wrong)
  if (url !== null && url.hostname !== '') return written
  throw new Refused('is not a URL such as postgres://user:password@host:5432/database')
}

/** `URL` does not accept the several hosts of a cluster, so each host is checked by itself. */
function frontierUrl(written: string): string {
  const scheme = FRONTIERS.find((known) => written.toLowerCase().startsWith(`${known}//`))
  if (scheme === undefined)
    throw new Refused('needs redis://host:6379, rediss:// or redis+cluster://')
  const [, authority = ''] = /^[^:]+:\/\/([^/?#]*)/.exec(written) ?? []
  const hosts = authority.slice(authority.lastIndexOf('@') + 1).split(',')
  if (hosts.every((host) => isHost(host))) return written
  throw new Refused('is not a URL such as redis://:password@host:6379/0?prefix=jelajah')
}

function isHost(text: string): boolean {
  const url = URL.parse(`http://${text}/`)
  return text !== '' && url !== null && url.hostname !== ''
}
