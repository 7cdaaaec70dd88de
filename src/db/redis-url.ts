// Where a Redis is, as users write it: `redis://[user:password@]host[:port][/db][?prefix=…]`, `rediss://`
// over TLS. Several hosts with commas between them, or `redis+cluster://`, are a Cluster.
import { CrawlerError } from '../core/errors.ts'
import { withoutPassword, wrongParameter } from '../core/workspace-url.ts'

type RedisNode = { readonly host: string; readonly port: number }

export type RedisAddress = {
  readonly nodes: readonly RedisNode[]
  readonly isCluster: boolean
  readonly tls: boolean
  readonly username: string
  readonly password: string
  readonly db: number
  /** Before every key, so that several may share a server. */
  readonly prefix: string
}

const FORM =
  /^(rediss?)(\+cluster)?:\/\/(?:(?:([^:@/]*):)?([^@/]*)@)?([^@/?]+)(?:\/(\d*))?(?:\?([^#]*))?$/
/** Nothing of the URL is repeated: it may be a piece of a password. */
const HINT =
  'it should read redis://host:port/0, with any of /, ?, # and @ in a password as %2F, %3F, %23, %40'
const DEFAULT_PORT = 6379
const DEFAULT_PREFIX = 'jelajah'
/** Another name of `partitions`. */
const FORMER = 'shards'
const OPTIONS: readonly string[] = ['prefix', 'partitions', 'lease']

/** Throws a CrawlerError that says what is wrong, and no password. */
export function parseRedisUrl(url: string): RedisAddress {
  const match = FORM.exec(url)
  if (match === null) throw wrong(url, HINT)
  const [, scheme, cluster, user, password, hosts = '', db, query] = match
  const nodes = hosts.split(',').map((each) => nodeOf(url, each))
  const options = new URLSearchParams(query)
  for (const name of options.keys()) {
    if (!OPTIONS.includes(name) && name !== FORMER)
      throw wrong(url, `its options are ${OPTIONS.join(', ')}`)
  }
  const problem = wrongParameter(url)
  if (problem !== null) throw wrong(url, problem)
  return {
    ...{ nodes, isCluster: cluster !== undefined || nodes.length > 1, tls: scheme === 'rediss' },
    username: decoded(url, user),
    password: decoded(url, password),
    db: Number(db || 0),
    prefix: prefixOf(url, options.get('prefix')),
  }
}

function nodeOf(url: string, text: string): RedisNode {
  const [, bracketed, plain, port] =
    /^(?:\[([0-9a-fA-F:]+)\]|([^:[\]]+))(?::(\d+))?$/.exec(text) ?? []
  const host = bracketed ?? plain
  const number = port === undefined ? DEFAULT_PORT : Number(port)
  if (host === undefined || number < 1 || number > 65_535) {
    throw wrong(url, HINT)
  }
  return { host, port: number }
}

function decoded(url: string, text = ''): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw wrong(url, 'its user or password has a % that is not followed by two hex digits')
  }
}

function prefixOf(url: string, prefix: string | null): string {
  if (prefix === null) return DEFAULT_PREFIX
  if (/^[\w.-]{1,64}$/.test(prefix)) return prefix
  throw wrong(url, 'a prefix has letters, digits, ".", "_" and "-" only')
}

function wrong(url: string, why: string): CrawlerError {
  return new CrawlerError(
    'store-unreachable',
    `"${withoutPassword(url)}" is no address of a Redis: ${why}`,
  )
}
