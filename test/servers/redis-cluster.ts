// A Redis Cluster for tests: three masters, each with a replica, on free ports of loopback. Made by hand
// rather than with `redis-cli --cluster create`, which waits whole seconds between its steps.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { answersPing } from './redis.ts'
import { freePort, onFreePort, ServerProcess } from './server-process.ts'

const MASTERS = 3
const SLOTS = 16_384
/** A master that is silent for so long is replaced. Shorter, and a busy machine would replace live ones. */
const NODE_TIMEOUT_MS = 1_500
const PATIENCE_MS = 60_000
const LOOK_EVERY_MS = 20

export type RedisCluster = AsyncDisposable & {
  /** As a user would name it: all masters, the first of which may be away. */
  readonly url: string
  /** From now on the replica of the nth master hears nothing: what that is told is lost with it. */
  readonly deafen: (nth: number) => Promise<void>
  /** Kills the nth master as a crash would, and waits until its replica serves in its place. */
  readonly failOver: (nth: number) => Promise<void>
}

type Node = {
  readonly port: number
  readonly busPort: number
  readonly client: Redis
  server: ServerProcess
}

export async function startRedisCluster(): Promise<RedisCluster> {
  const folder = mkdtempSync(join(tmpdir(), 'redis-cluster-'))
  const nodes = await Promise.all(
    Array.from({ length: 2 * MASTERS }, () => onFreePort(() => startNode(folder))),
  )
  const [masters, replicas] = [nodes.slice(0, MASTERS), nodes.slice(MASTERS)]
  try {
    await connectAll(nodes, masters, replicas)
  } catch (error) {
    await endAll(nodes, folder)
    throw error
  }
  const pairAt = (nth: number): readonly [Node, Node] => {
    const [master, replica] = [masters[nth], replicas[nth]]
    if (master === undefined || replica === undefined) throw new Error(`no master ${nth}`)
    return [master, replica]
  }
  return {
    url: `redis+cluster://${masters.map(({ port }) => `127.0.0.1:${port}`).join(',')}`,
    deafen: async (nth) => {
      const [master, replica] = pairAt(nth)
      process.kill(replica.server.pid, 'SIGSTOP')
      await master.client.call('CLIENT', 'KILL', 'TYPE', 'replica')
    },
    failOver: async (nth) => {
      const [master, replica] = pairAt(nth)
      await master.server.end('SIGKILL')
      master.client.disconnect()
      process.kill(replica.server.pid, 'SIGCONT')
      const live = nodes.filter(({ server }) => !server.hasEnded)
      await until('the replica serves', async () => {
        const [role] = (await replica.client.call('ROLE')) as [string]
        return role === 'master' && (await allAgree(live, live.length))
      })
    },
    [Symbol.asyncDispose]: () => endAll(nodes, folder),
  }
}

async function startNode(folder: string): Promise<Node> {
  const [port, busPort] = [await freePort(), await freePort()]
  const server = new ServerProcess([
    ...(['redis-server', '--port', String(port), '--bind', '127.0.0.1', '--dir', folder] as const),
    ...['--save', '', '--appendonly', 'no', '--cluster-enabled', 'yes'],
    ...['--cluster-config-file', `nodes-${port}.conf`, '--cluster-port', String(busPort)],
    ...['--cluster-node-timeout', String(NODE_TIMEOUT_MS)],
    // A replica that has not copied yet, or lost its master for long, is better than none here.
    ...['--cluster-replica-validity-factor', '0', '--repl-diskless-sync-delay', '0'],
    ...['--dbfilename', `dump-${port}.rdb`],
  ])
  await server.ready(() => answersPing(port))
  const client = new Redis({ host: '127.0.0.1', port, lazyConnect: true })
  client.on('error', () => {})
  await client.connect()
  return { port, busPort, client, server }
}

async function connectAll(
  nodes: readonly Node[],
  masters: readonly Node[],
  replicas: readonly Node[],
): Promise<void> {
  const [first, ...others] = nodes
  await Promise.all(
    nodes.map(({ client }, nth) => client.call('CLUSTER', 'SET-CONFIG-EPOCH', nth + 1)),
  )
  await Promise.all(
    masters.map(({ client }, nth) => {
      const [from, to] = [nth, nth + 1].map((n) => Math.floor((n * SLOTS) / MASTERS))
      return client.call('CLUSTER', 'ADDSLOTSRANGE', from ?? 0, (to ?? 0) - 1)
    }),
  )
  for (const { port, busPort } of others) {
    await first?.client.call('CLUSTER', 'MEET', '127.0.0.1', port, busPort)
  }
  await until('all have met', () => allAgree(nodes, nodes.length))
  for (const [nth, { client }] of replicas.entries()) {
    const id = String(await masters[nth]?.client.call('CLUSTER', 'MYID'))
    await client.call('CLUSTER', 'REPLICATE', id)
  }
  await until('replicas follow', () => allFollow(nodes, replicas))
}

/** All know of so many nodes, and that somebody serves every slot. */
async function allAgree(nodes: readonly Node[], least: number): Promise<boolean> {
  const answers = await Promise.all(nodes.map(({ client }) => client.call('CLUSTER', 'INFO')))
  return answers.every((answer) => {
    const text = String(answer)
    const known = Number(/cluster_known_nodes:(\d+)/.exec(text)?.[1])
    return text.includes('cluster_state:ok') && known >= least
  })
}

async function allFollow(nodes: readonly Node[], replicas: readonly Node[]): Promise<boolean> {
  const follow = await Promise.all(
    replicas.map(async ({ client }) => {
      const [role, , , state] = (await client.call('ROLE')) as string[]
      return role === 'slave' && state === 'connected'
    }),
  )
  if (follow.includes(false)) return false
  // Who has not heard which nodes are replicas would not let them vote in one.
  const views = await Promise.all(nodes.map(({ client }) => client.call('CLUSTER', 'NODES')))
  return views.every((view) => String(view).match(/ (?:myself,)?slave /g)?.length === MASTERS)
}

async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS
  while (!(await holds())) {
    if (Date.now() > deadline)
      throw new Error(`Redis Cluster: ${what}: not after ${PATIENCE_MS} ms`)
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
  }
}

async function endAll(nodes: readonly Node[], folder: string): Promise<void> {
  for (const { client } of nodes) client.disconnect()
  await Promise.all(nodes.map(({ server }) => server.end('SIGKILL')))
  rmSync(folder, { recursive: true, force: true })
}
