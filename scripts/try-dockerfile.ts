// Reads the Dockerfile and does what an engine would, in roots of its own: a stage is a copy of a fresh Debian root, RUN
// is a chroot into it, COPY copies what .dockerignore leaves. Then the image is run: as its user, as process 1 of a
// namespace, with a root that cannot be written, and its own health check.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, matchesGlob, relative } from 'node:path'
import { setTimeout } from 'node:timers/promises'

const ROOT = join(import.meta.dirname, '..')
const FOLDER = process.argv[2] ?? ''
/** Only runs what an earlier trial has made. */
const IS_BUILT = process.argv[3] === '--built'
const PORT = '18088'
const TOKEN = 'a-token-of-this-trial'
const USER_LIMIT_MS = 30_000

type Image = {
  root: string
  env: Record<string, string>
  user: string
  workdir: string
  entrypoint: readonly string[]
  command: readonly string[]
  health: readonly string[]
}

const image = build(readFileSync(join(ROOT, 'Dockerfile'), 'utf8'))
await tryImage(image)

// Building.

function build(dockerfile: string): Image {
  const stages = new Map<string, Image>()
  let stage: Image | null = null
  for (const line of dockerfile.replaceAll(/\\\n/g, ' ').split('\n')) {
    const [, word = '', rest = ''] = /^([A-Z]+) (.*)$/.exec(line) ?? []
    if (word === '') continue
    say(line)
    if (word === 'FROM') {
      const [, name = `stage-${stages.size}`] = / AS (\w+)$/.exec(rest) ?? []
      stage = begin(rest, name)
      stages.set(name, stage)
    } else if (stage !== null) step(stage, stages, word, rest)
  }
  if (stage === null) throw new Error('the Dockerfile has no stage')
  return stage
}

function begin(from: string, name: string): Image {
  if (!from.startsWith('debian:trixie-slim')) throw new Error(`no root for ${from}`)
  const root = join(FOLDER, name)
  if (!IS_BUILT) {
    rmSync(root, { recursive: true, force: true })
    execFileSync('cp', ['-a', '--reflink=auto', join(FOLDER, 'debian'), root])
  }
  const env = { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin' }
  return { root, env, user: '0:0', workdir: '/', entrypoint: [], command: [], health: [] }
}

function step(stage: Image, stages: ReadonlyMap<string, Image>, word: string, rest: string): void {
  if (IS_BUILT && (word === 'RUN' || word === 'COPY')) return
  if (word === 'RUN') inside(stage, ['sh', '-c', rest])
  else if (word === 'COPY') copy(stage, stages, rest)
  else if (word === 'WORKDIR') {
    stage.workdir = rest
    mkdirSync(join(stage.root, rest), { recursive: true })
  } else if (word === 'ENV') {
    const [name = '', ...value] = rest.split('=')
    stage.env[name] = value.join('=')
  } else if (word === 'USER') stage.user = rest
  else if (word === 'ENTRYPOINT') stage.entrypoint = JSON.parse(rest)
  else if (word === 'CMD') stage.command = JSON.parse(rest)
  else if (word === 'HEALTHCHECK') stage.health = JSON.parse(rest.replace(/^.*? CMD /, ''))
  else if (word !== 'VOLUME' && word !== 'EXPOSE') throw new Error(`cannot try ${word}`)
}

/** A step of the build, with the network as this machine has it. */
function inside({ root, env, workdir }: Image, args: readonly string[]): void {
  cpSync('/etc/resolv.conf', join(root, 'etc/resolv.conf'))
  const { NODE_EXTRA_CA_CERTS: own } = process.env
  if (own !== undefined && existsSync(own)) cpSync(own, join(root, 'tmp/own-ca.crt'))
  const certificates = own === undefined ? {} : { NODE_EXTRA_CA_CERTS: '/tmp/own-ca.crt' }
  const mount = `mount -t proc proc ${root}/proc && cd / && exec chroot ${root} sh -c 'cd "$0" && exec "$@"' "$@"`
  execFileSync('unshare', ['--mount', 'sh', '-c', mount, 'sh', workdir, ...args], {
    env: { ...env, ...certificates, HOME: '/root', DEBIAN_FRONTEND: 'noninteractive' },
    stdio: ['ignore', 2, 'inherit'],
  })
}

function copy(stage: Image, stages: ReadonlyMap<string, Image>, rest: string): void {
  const [, from, source = '', target = ''] = /^(?:--from=(\w+) )?(\S+) (\S+)$/.exec(rest) ?? []
  const to = join(stage.root, target.startsWith('/') ? target : join(stage.workdir, target))
  if (from !== undefined) {
    const root = stages.get(from)?.root ?? ''
    execFileSync('cp', ['-a', join(root, source), to])
    return
  }
  const lines = readFileSync(join(ROOT, '.dockerignore'), 'utf8').split('\n')
  const patterns = lines.filter((line) => line !== '' && !line.startsWith('#'))
  const isLeft = (path: string) => !patterns.some((pattern) => matchesGlob(path, pattern))
  cpSync(join(ROOT, source), to, {
    recursive: true,
    filter: (path) => isLeft(relative(ROOT, path)),
    verbatimSymlinks: true,
  })
}

// Running.

async function tryImage({ root, env, user, workdir, entrypoint, command, health }: Image) {
  const data = join(FOLDER, 'data')
  rmSync(data, { recursive: true, force: true })
  const [uid = '', gid = ''] = user.split(':')
  execFileSync('install', ['-d', '-o', uid, '-g', gid, '-m', '0700', data])
  rmSync(join(root, 'tmp/own-ca.crt'), { force: true })
  // As `docker run --read-only --tmpfs /tmp --cap-drop ALL -v …:/data` does it, with process 1 in a namespace of its own.
  const script = [
    `mount --bind ${root} ${root}`,
    `mount --bind ${data} ${root}/data`,
    `mount -t tmpfs tmpfs ${root}/tmp`,
    `mount -t proc proc ${root}/proc`,
    `mount --bind /dev ${root}/dev`,
    `mount -o remount,bind,ro ${root}`,
    `exec /usr/sbin/chroot ${root} setpriv --reuid ${uid} --regid ${gid} --clear-groups --bounding-set=-all --inh-caps=-all --no-new-privs sh -c 'cd ${workdir} && exec "$@"' sh "$@"`,
  ].join(' && ')
  const container = (args: readonly string[], own: Record<string, string> = {}) =>
    spawn(
      'unshare',
      ['--mount', '--pid', '--fork', '--kill-child', 'sh', '-c', script, 'sh', ...args],
      {
        env: { ...env, HOME: '/data', ...own },
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    )
  const run = async (args: readonly string[], own?: Record<string, string>) => {
    const { process: started, said } = listened(container(args, own))
    const [code] = await once(started, 'close')
    return { code, text: said() }
  }

  say(`the image: ${du(root)} MB, of which Debian ${du(join(FOLDER, 'debian'))} MB`)
  const open = await run([...entrypoint, ...command])
  check(
    'without a token it does not serve all addresses',
    open.code === 2 && /JELAJAH_TOKEN/.test(open.text),
    open.text,
  )
  const demo = await run([...entrypoint, 'demo', '--no-serve', '--data', '/data/demo'])
  check('it crawls the sample web to the truth', /^Equal to the truth/m.test(demo.text), demo.text)
  const id = await run(['id', '-u'])
  check('it has no rights', id.text.trim() === uid && uid !== '0', id.text)

  const own = { PORT, JELAJAH_TOKEN: TOKEN }
  const server = listened(container([...entrypoint, ...command], own))
  const isHealthy = async () => {
    const asked = spawn('/usr/sbin/chroot', [root, ...health], {
      env: { ...env, ...own },
      stdio: 'ignore',
    })
    const [code] = await once(asked, 'close')
    return code === 0
  }
  const until = Date.now() + USER_LIMIT_MS
  while (!(await isHealthy()) && Date.now() < until) await setTimeout(500)
  check('its health check succeeds', await isHealthy(), server.said())
  // Process 1 of the namespace: the child of unshare. There is no shell between.
  const first = execFileSync('pgrep', ['-P', String(server.process.pid)], {
    encoding: 'utf8',
  }).trim()
  const name = readFileSync(`/proc/${first}/cmdline`, 'utf8').split('\0')[0] ?? ''
  check('process 1 is node itself', name.endsWith('/node'), name)
  const began = Date.now()
  const ended = once(server.process, 'close')
  process.kill(Number(first), 'SIGTERM')
  const [code] = await ended
  check(`SIGTERM ends it with 0 (${Date.now() - began} ms)`, code === 0, server.said())
  check('its health check fails then', !(await isHealthy()), '')
  writeFileSync(join(FOLDER, 'done'), '')
}

function listened(process: ReturnType<typeof spawn>) {
  let text = ''
  for (const stream of [process.stdout, process.stderr]) {
    stream?.on('data', (piece) => {
      text += piece
    })
  }
  return { process, said: () => text }
}

function du(path: string): number {
  const [kilobytes] = execFileSync('du', ['-skx', path], { encoding: 'utf8' }).split('\t')
  return Math.round(Number(kilobytes) / 1024)
}

function check(what: string, holds: boolean, text: string): void {
  say(`${holds ? '✔' : '✖'} ${what}`)
  if (holds) return
  say(text)
  process.exit(1)
}

function say(text: string): void {
  process.stderr.write(`${text}\n`)
}
