// A process of its own for what stands in for the network: a sample web, and a proxy that slows it down. So
// their CPU time is not taken for that of the crawl. It ends when its parent does.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { seededRandom, shuffledNumbers } from '../lib/seeded-random.ts'
import { xmlText } from '../lib/xml-text.ts'
import { startSite } from '../sample-web/server.ts'
import { createSite } from '../sample-web/site.ts'
import type { MadePage } from '../simulate/replay-world.ts'
import { SAMPLE_NAMES } from '../simulate/sample/sample-names.ts'
import { SAMPLE_WEBS } from '../simulate/sample/sample-webs.ts'
import type { PlanWeb } from './experiment.ts'
import { openShapingProxy, type Shape } from './shaping-proxy.ts'

export type WebRequest = {
  readonly web: PlanWeb
  readonly seed: number
  /** Null: no proxy. */
  readonly shape: Shape | null
}

export type WebReady = {
  /** The port of the sample web; null if the web is elsewhere. */
  readonly port: number | null
  readonly proxyPort: number | null
  /** Null unless the web has its own. */
  readonly seeds: readonly string[] | null
  /** Pages of each host, where they are known. */
  readonly sizes: Readonly<Record<string, number>> | null
}

process.once('message', (wanted: WebRequest) => {
  void open(wanted).then(
    (ready) => process.send?.(ready),
    (error: unknown) => {
      process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`)
      process.exit(1)
    },
  )
})
process.once('disconnect', () => process.exit(0))
// Ctrl-C is the parent's: it ends the crawl first.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})

async function open({ web, seed, shape }: WebRequest): Promise<WebReady> {
  const served = await serve(web, seed)
  const to = web.from === 'sample' && served.port !== null ? { port: served.port } : null
  const proxy = shape === null ? null : await openShapingProxy(shape, to)
  return { ...served, proxyPort: proxy?.port ?? null }
}

async function serve(web: PlanWeb, seed: number): Promise<Omit<WebReady, 'proxyPort'>> {
  if (web.from === 'sample') {
    const sample = SAMPLE_NAMES.find((name) => name === web.sample) ?? SAMPLE_NAMES[0]
    const { port } = await serveMadeWeb(SAMPLE_WEBS[sample](seed).pages)
    return { port, seeds: null, sizes: null }
  }
  if (web.from !== 'hosts') return { port: null, seeds: null, sizes: null }
  const { hosts, pages, meanBytes } = web
  const site = createSite({ seed, hosts, pages, meanBytes, specials: 0, sitemaps: false })
  const { port, seeds } = await startSite(site, { keepRecords: 1 })
  // They stand in the order of their size, which is to be found out.
  const order = [...shuffledNumbers(seeds.length, seededRandom(seed))]
  const sizes = site.hosts.map(({ name, pages: own }): [string, number] => [`${name}:${port}`, own])
  return {
    port,
    seeds: order.flatMap((at) => seeds[at] ?? []),
    sizes: Object.fromEntries(sizes),
  }
}

type ServedWeb = AsyncDisposable & { readonly port: number }

/** A made-up web on the loopback address: one server for all its hosts, distinguished by the Host header. */
async function serveMadeWeb(pages: readonly MadePage[]): Promise<ServedWeb> {
  const byUrl = new Map<string, MadePage>(pages.map((page) => [page.url, page]))
  const server = createServer((asked, answer) => {
    const page = byUrl.get(`http://${asked.headers.host}${asked.url}`)
    if (page === undefined) {
      answer.writeHead(404, { 'content-type': 'text/plain' }).end('no such page')
      return
    }
    answer.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(html(page, pages))
  })
  server.keepAliveTimeout = 120_000
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    port,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}

/** Each link stands in a sentence with the words around it. */
function html({ title, text, links }: MadePage, pages: readonly MadePage[]): string {
  const listed = links.map(({ to, anchor, context }) => {
    const rest = context.startsWith(anchor) ? context.slice(anchor.length) : ` ${context}`
    const link = `<a href="${xmlText(pages[to]?.url ?? '')}">${xmlText(anchor)}</a>`
    return `<li>${link}${xmlText(rest)}</li>`
  })
  return (
    `<!doctype html><html><head><meta charset="utf-8"><title>${xmlText(title)}</title></head><body>` +
    `<main><h1>${xmlText(title)}</h1><p>${xmlText(text)}</p></main>` +
    `<nav><ul>${listed.join('\n')}</ul></nav></body></html>`
  )
}
