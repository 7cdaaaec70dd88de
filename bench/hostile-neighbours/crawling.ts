// A crawl for so many seconds over hosts that a server on loopback plays, and what each of them gave.
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { meter } from '../crawl/meter.ts'

export type Answer = (request: IncomingMessage, response: ServerResponse) => void

export type Crawled = {
  readonly stored: number
  readonly hosts: Readonly<Record<string, number>>
  readonly fairness: number
  readonly seconds: number
  /** Of the crawler and all that it started. */
  readonly cpuSeconds: number
  readonly peakMb: number
}

export type CrawlOptions = {
  readonly seeds: readonly string[]
  readonly seconds: number
  readonly args?: readonly string[]
  /** Where host names lead, as `--connect-to` has it. */
  readonly connectTo: readonly string[]
}

/** Where it listens, and how to end it. */
export async function serve(answer: Answer): Promise<{ at: string; close: () => void }> {
  const server = createServer({ keepAliveTimeout: 60_000 }, answer)
  server.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  const close = (): void => {
    server.closeAllConnections()
    server.close()
  }
  return { at: `127.0.0.1:${port}`, close }
}

/** A page of a site without end: each leads to two more. */
export const healthy: Answer = (request, response) => {
  const number = Number(request.url?.slice(1) || 1)
  if (!Number.isInteger(number)) {
    response.writeHead(404).end()
    return
  }
  const links = [2 * number, 2 * number + 1].map((to) => `<a href="/${to}">page ${to}</a>`)
  sendPage(response, `Page ${wordsOf(number)} of ${request.headers.host}`, links)
}

/** A text of its own for every number, in letters: pages that differ in digits alone are a trap. */
function wordsOf(number: number): string {
  const letters = Array.from(String(number), (digit) => 'abcdefghij'[Number(digit)])
  return letters.join('').repeat(3)
}

export function sendPage(response: ServerResponse, title: string, links: readonly string[]): void {
  const text = `${title} tells something of its own, in some fifty words: ${'word '.repeat(50)}`
  response.writeHead(200, { 'content-type': 'text/html' })
  response.end(`<html><title>${title}</title><p>${text}</p>${links.join(' ')}</html>`)
}

/** A page that comes byte by byte, ten in a second, for as long as anybody listens. */
export const tarpit: Answer = (request, response) => {
  if (request.url === '/robots.txt') {
    response.writeHead(404).end()
    return
  }
  response.writeHead(200, { 'content-type': 'text/html' })
  response.write('<html><title>slowly</title>')
  const links = Array.from({ length: 20 }, (_, n) => `<a href="${request.url}${n}/">${n}</a>`)
  response.write(links.join(' '))
  const timer = setInterval(() => response.write('.'), 100)
  response.once('close', () => clearInterval(timer))
}

/** Connected, and then nothing. */
export const silent: Answer = () => {}

/** Runs one crawl in a folder of its own; `JELAJAH` may name another checkout's `bin/jelajah`. */
export async function crawl(options: CrawlOptions): Promise<Crawled> {
  const { seeds, seconds, args = [], connectTo } = options
  const folder = mkdtempSync(join(tmpdir(), 'bench-neighbours-'))
  const program = process.env.JELAJAH ?? join(import.meta.dirname, '../../bin/jelajah')
  try {
    const { stdout, stderr, cpuSeconds, peakRssBytes } = await meter({
      command: [
        ...([program, 'crawl', ...seeds, '--data', folder, '--allow-private'] as const),
        ...['--duration', `${seconds}`, '--max-pages', '1000000', '--trap-budget', '1000000'],
        ...['--json', '--quiet', ...args],
        ...connectTo.flatMap((rule) => ['--connect-to', rule]),
      ],
      limitMs: (seconds + 90) * 1000,
    })
    if (stdout === '') throw new Error(`the crawl told nothing: ${stderr}`)
    const { hosts, stored, fairness, seconds: took } = JSON.parse(stdout)
    const peakMb = Math.round(peakRssBytes / 1e6)
    return { stored, hosts, fairness, seconds: took, cpuSeconds, peakMb }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The number after `--seconds` on the command line. */
export function secondsGiven(byDefault: number): number {
  const at = process.argv.indexOf('--seconds')
  return at < 0 ? byDefault : Number(process.argv[at + 1])
}

export function tell(what: string, pages: number, alone: number): void {
  console.log(
    `${what.padEnd(44)} ${String(pages).padStart(7)}  ${((100 * pages) / alone).toFixed(0)} %`,
  )
}
