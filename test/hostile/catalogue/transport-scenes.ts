// Scenes of the transport cases that need a crawl or a server of their own.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { jelajah, readPages } from '../../e2e/crawling.ts'
import { checkHealth } from '../crawls.ts'
import { answer, article, links, misbehave, silence, site } from '../server/answers.ts'
import { listenOn } from '../server/web-server.ts'
import type { Stage } from '../stage.ts'

/** A port whose queue of connections is full and stays so: the kernel drops what comes next. */
export async function unanswered(): Promise<AsyncDisposable & { readonly port: number }> {
  const program = `const s = require('net').createServer().listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
    console.log(s.address().port); process.kill(process.pid, 'SIGSTOP') })`
  const child: ChildProcess = spawn(process.execPath, ['-e', program], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  assert.ok(child.stdout !== null)
  const [text] = await once(child.stdout, 'data')
  const port = Number(String(text))
  const waiting: Socket[] = []
  // Until one is not taken any more.
  for (let n = 0; n < 16; n++) {
    const socket = connect(port, '127.0.0.1').on('error', () => {})
    waiting.push(socket)
    const taken = await Promise.race([
      once(socket, 'connect').then(() => true),
      new Promise<false>((resolve) => setTimeout(resolve, 300, false)),
    ])
    if (!taken) break
  }
  return {
    port,
    [Symbol.asyncDispose]: async () => {
      for (const socket of waiting) socket.destroy()
      child.kill('SIGKILL')
      await once(child, 'close')
    },
  }
}

/** 1,500 hosts that say nothing beside one that is well. */
export async function crowd(stage: Stage): Promise<string> {
  const names = Array.from({ length: 1500 }, (_, n) => `c${n}.t16-${n % 50}.test`)
  stage.web.host(Object.fromEntries(names.map((name) => [name, misbehave(silence)])))
  const paths = Array.from({ length: 40 }, (_, n) => `/w${n}`)
  const pages = Object.fromEntries(paths.map((path) => [path, article(`T16 ${path}`)]))
  stage.web.host({ 'well.t16.test': site({ ...pages, '/': article('T16', links(...paths)) }) })
  const from = stage.web.connections.length
  const data = join(stage.folder, 't16')
  const seeds = join(stage.folder, 't16.seeds')
  writeFileSync(seeds, [...names, 'well.t16.test'].map((name) => `http://${name}/`).join('\n'))
  const limits = ['--concurrency', '128', '--timeout', '3000', '--retries', '0', '--delay', '0']
  const flags = [
    ...limits,
    '--ignore-robots',
    '--no-sitemaps',
    '--max-pages',
    '9999',
    '--quiet',
    '--json',
    ...stage.reach,
  ]
  const ran = await jelajah(['crawl', '--seed-file', seeds, '--data', data, ...flags]).ended
  checkHealth(ran)
  const well = readPages(data).filter(({ url }) => url.includes('well.t16.test')).length
  assert.equal(well, 41)
  const most = mostAtOnce(stage.web.connections.slice(from))
  assert.ok(most <= 128 * 8 + 64, `${most} connections at once`)
  return `41 of 41 stored, ${most} connections at once at most`
}

type Open = { readonly at: number; readonly closedAt: number | null }

export function mostAtOnce(connections: readonly Open[]): number {
  const changes = connections.flatMap(({ at, closedAt }) => [
    { at, by: 1 },
    { at: closedAt ?? Number.POSITIVE_INFINITY, by: -1 },
  ])
  changes.sort((a, b) => a.at - b.at || a.by - b.by)
  let now = 0
  let most = 0
  for (const { by } of changes) {
    now += by
    most = Math.max(most, now)
  }
  return most
}

export type Downtime = { stored: number; total: number; refusals: number; together: number }

/** A host that goes down after its first pages, once or again and again. */
export async function downtime(
  stage: Stage,
  { downMs, flaps }: { downMs: number; flaps: boolean },
): Promise<Downtime> {
  const total = 12
  let isDown = false
  let refusals = 0
  let answered = 0
  let downBegan = 0
  let begun: number | null = null
  const tries: { at: number; closedAt: number | null }[] = []
  const server = createServer((socket) => {
    socket.on('error', () => {})
    begun ??= performance.now()
    if (flaps) isDown = Math.floor((performance.now() - begun) / downMs) % 2 === 1
    else if (isDown && performance.now() - downBegan > downMs) isDown = false
    if (isDown) {
      refusals += 1
      const one = { at: performance.now(), closedAt: null as number | null }
      tries.push(one)
      socket.on('close', () => {
        one.closedAt = performance.now()
      })
      socket.resetAndDestroy()
      return
    }
    socket.on('data', (chunk) => {
      const path = chunk.toString('latin1').split(' ')[1] ?? '/'
      answered += 1
      const isPage = path === '/' || /^\/d\d+$/.test(path)
      const next =
        path === '/' ? links(...Array.from({ length: total - 1 }, (_, n) => `/d${n}`)) : ''
      socket.end(
        answer(article(`${path} of a host that goes down`, next), {
          status: isPage ? 200 : 404,
          headers: 'connection: close\r\n',
        }),
      )
      if (!flaps && answered === 4) {
        isDown = true
        downBegan = performance.now()
      }
    })
  })
  const port = await listenOn(server, 0, '127.0.0.1')
  const data = join(stage.folder, `down-${flaps}`)
  const flags = [
    '--delay',
    flaps ? '400' : '100',
    '--connect-to',
    `down.test=127.0.0.1:${port}`,
    '--quiet',
    '--json',
  ]
  const ran = await jelajah(['crawl', 'http://down.test/', '--data', data, ...flags]).ended
  server.close()
  checkHealth(ran)
  return { stored: readPages(data).length, total, refusals, together: mostAtOnce(tries) }
}
