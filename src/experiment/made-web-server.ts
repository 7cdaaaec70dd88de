// A made-up web on the loopback address: one server for all its hosts, distinguished by the Host header.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { MadePage } from '../simulate/replay-world.ts'

type ServedWeb = AsyncDisposable & { readonly port: number }

export async function serveMadeWeb(pages: readonly MadePage[]): Promise<ServedWeb> {
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
    const link = `<a href="${escaped(pages[to]?.url ?? '')}">${escaped(anchor)}</a>`
    return `<li>${link}${escaped(rest)}</li>`
  })
  return (
    `<!doctype html><html><head><meta charset="utf-8"><title>${escaped(title)}</title></head><body>` +
    `<main><h1>${escaped(title)}</h1><p>${escaped(text)}</p></main>` +
    `<nav><ul>${listed.join('\n')}</ul></nav></body></html>`
  )
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
