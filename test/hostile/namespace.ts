// A network of our own: the whole hostile web runs in a network namespace where this machine has addresses that
// look public, private ones to be kept out of, and a name server. So the guard that is tested is the one that
// everybody uses, without any exemption. Where the machine allows no namespace, hosts are reached by --connect-to.
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const INSIDE = 'JELAJAH_HOSTILE_NAMESPACE'

/** What nobody on the web may make us connect to. */
export const CANARY_ADDRESSES = [
  '10.9.9.9',
  '172.16.9.9',
  '192.168.9.9',
  '169.254.169.254',
  '100.64.0.9',
] as const
/** A private address that a case allows by name; nobody else is led there. */
export const ALLOWED_ADDRESS = '10.88.8.8'
export const CANARY_V6 = 'fd00:ec2::254'
/** All of this network is this machine, as 127.0.0.0/8 is. */
export const PUBLIC_PREFIX = '11.'

const SET_UP = [
  'ip link set lo up',
  'ip addr add 11.0.0.1/8 dev lo',
  ...[...CANARY_ADDRESSES, ALLOWED_ADDRESS].map((address) => `ip addr add ${address}/32 dev lo`),
  `(ip -6 addr add ${CANARY_V6}/128 dev lo || true)`,
  'mount --bind "$RESOLV_CONF" /etc/resolv.conf',
].join(' && ')

export function isInNamespace(): boolean {
  return process.env[INSIDE] === '1'
}

/** Runs this program again inside; its exit code, or why there is no inside. */
export async function runInNamespace(args: readonly string[]): Promise<number | string> {
  const folder = mkdtempSync(join(tmpdir(), 'jelajah-namespace-'))
  const resolvConf = join(folder, 'resolv.conf')
  writeFileSync(resolvConf, 'nameserver 127.0.0.1\noptions timeout:2 attempts:1\n')
  const env = { ...process.env, [INSIDE]: '1', RESOLV_CONF: resolvConf }
  const asRoot = process.getuid?.() === 0 ? [] : ['--map-root-user']
  const unshare = ['--net', '--mount', ...asRoot, 'sh', '-c']
  try {
    const tried = spawnSync('unshare', [...unshare, SET_UP], { env, encoding: 'utf8' })
    if (tried.status !== 0) {
      return `no network namespace here: ${tried.error?.message ?? tried.stderr.trim()}`
    }
    const again = [process.execPath, '--disable-warning=ExperimentalWarning', ...args]
    const child = spawn('unshare', [...unshare, `${SET_UP} && exec "$0" "$@"`, ...again], {
      env,
      stdio: 'inherit',
    })
    const pass = (signal: NodeJS.Signals): void => void child.kill(signal)
    process.once('SIGINT', pass).once('SIGTERM', pass)
    return await new Promise((resolve) => child.once('close', (code) => resolve(code ?? 1)))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
